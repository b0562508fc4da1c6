#ifndef C_PROCESS_TABLE_H
#define C_PROCESS_TABLE_H

#include <stdint.h>

/// The system's processes with one signature on Linux and Darwin.

/// Writes when a process began, in a unit of the system's, which tells it from a later one of the
/// same id. Returns 0, ESRCH where there is no such process, or another error number where that
/// cannot be found out.
int cpr_begin_of(int32_t process, uint64_t *begin);

/// A number for what ids name processes in: the machine, by its name, since a folder may be shared by
/// several, and on Linux the namespace.
uint64_t cpr_namespace(void);

/// Kills every process whose environment has the variable `name` with a value that begins with
/// `prefix`, but not this one, and waits until they are gone, though not for ever. Returns how many
/// signals it took; -1 where the system does not show the environment of processes.
int cpr_kill_by_environment(const char *name, const char *prefix);

#endif
