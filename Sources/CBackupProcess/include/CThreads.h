#ifndef C_THREADS_H
#define C_THREADS_H

#include <stddef.h>

/// Threads with one signature on Linux and Darwin.

/// Runs a function on a thread of its own that nobody waits for; returns 0 or an error number, such as
/// EAGAIN where the machine can give no thread, and then the function is not called.
int cpr_detach(void (*body)(void *context), void *context);

/// Tries whether this process may have so many bytes of memory, and then so many threads, 64 at most.
/// Returns 0, ENOMEM, or EAGAIN if it may have fewer threads.
int cpr_can_have(int threads, size_t bytes);

#endif
