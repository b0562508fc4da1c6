#ifndef C_THROWS_H
#define C_THROWS_H

#include <stdint.h>

/// The code that throws Swift errors in this process, on Linux.

/// Starts noting which code throws each error. A second call does nothing. On other platforms, it does nothing.
void cpr_note_throws(void);

/// Writes the functions on the stack when an error was thrown, the innermost first. Each is a return address
/// relative to the start of the program; functions of libraries are left out. Returns their number, or 0 for an
/// error that was not noted, or after which many others were.
int cpr_callers_of_throw(const void *error, uint64_t *callers, int most);

#endif
