#ifndef C_THROWS_H
#define C_THROWS_H

#include <stdint.h>

/// Functions that find the code that throws Swift errors in this process. They work on Linux only.

/// Starts noting which code throws each error. A second call does nothing, and neither does a call
/// on another platform.
void cpr_note_throws(void);

/// Writes the return addresses that were on the stack when an error was thrown, the innermost
/// first. Each is relative to the start of the program. Addresses in libraries are left out.
///
/// Returns the number of addresses. It is 0 if the error was not noted, or if too many errors were
/// thrown after it.
int cpr_callers_of_throw(const void *error, uint64_t *callers, int most);

#endif
