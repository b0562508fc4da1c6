#ifndef C_PROCESS_TABLE_H
#define C_PROCESS_TABLE_H

#include <stdint.h>

/// The system's processes with one signature on Linux and Darwin.

/// Writes when a process began, in a unit of the system's, which tells it from a later one of the
/// same id. Returns 0, ESRCH where there is no such process, or another error number where that
/// cannot be found out.
int cpr_begin_of(int32_t process, uint64_t *begin);

/// A number for what ids name processes in: the machine, by its name, since several may share a
/// folder, and on Linux the namespace. A Mac may get another name with another network: what it left
/// under the former one is then taken for another machine's.
uint64_t cpr_namespace(void);

#endif
