#ifndef C_THROWS_H
#define C_THROWS_H

#include <stdint.h>

/// Where this process throws Swift errors, on Linux.

/// Notes from now on which code throws an error; a second call does nothing. On other platforms nothing is
/// noted.
void cpr_note_throws(void);

/// Writes the functions on the stack at the throw of an error, the innermost first, each as its return
/// address relative to the start of the program, without libraries. Returns how many there are; 0 for an
/// error that was not noted, or that many others have followed.
int cpr_callers_of_throw(const void *error, uint64_t *callers, int most);

#endif
