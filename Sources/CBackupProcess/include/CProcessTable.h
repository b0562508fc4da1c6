#ifndef C_PROCESS_TABLE_H
#define C_PROCESS_TABLE_H

#include <stdint.h>

/// The system's processes with one signature on Linux and Darwin.

/// Writes the start time of a process, in a unit of the system. It distinguishes the process from a later one
/// of the same id. Returns 0, ESRCH if there is no such process, or another error number if the time is
/// unknown.
int cpr_begin_of(int32_t process, uint64_t *begin);

/// Returns a number for the name of the machine, because several machines may share a folder, and on Linux for
/// the namespace of process ids. If another network gives a Mac another name, items from before count as
/// another machine's.
uint64_t cpr_namespace(void);

#endif
