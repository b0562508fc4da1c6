#ifndef C_THREADS_H
#define C_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Functions for threads and memory, with the same signatures on Linux and Darwin.

/// Runs a function on a new thread, and does not wait for it. Returns 0, or an error number if the
/// function was not called: EAGAIN if the machine has no thread left.
int cpr_detach(void (*body)(void *context), void *context);

/// Tests whether this process may have this many threads, at most 64. Returns 0, or EAGAIN if it
/// may not.
int cpr_can_have(int threads);

/// Returns true if the process started with too little memory for any work. In this case, it has
/// already printed a message to standard error. Always returns false on Apple platforms, which do
/// not limit the address space of a process.
bool cpr_lacks_memory(void);

/// Returns the number of bytes that the process occupies in memory now; 0 if the system does not
/// report it.
int64_t cpr_memory(void);

#endif
