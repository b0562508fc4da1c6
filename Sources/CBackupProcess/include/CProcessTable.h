#ifndef C_PROCESS_TABLE_H
#define C_PROCESS_TABLE_H

#include <stdint.h>

/// Functions for the processes of the system, with the same signatures on Linux and Darwin.

/// Writes the start time of a process, in a unit of the system. A later process with the same id
/// has another start time. Returns 0, ESRCH if the process does not exist, or another error number
/// if the time is unknown.
int cpr_begin_of(int32_t process, uint64_t *begin);

/// Returns a number for the name of the machine, because several machines may share a folder. On
/// Linux, the number also stands for the namespace of process ids. If another network gives a Mac
/// another name, items from before seem to be from another machine.
uint64_t cpr_namespace(void);

#endif
