#ifndef C_THREADS_H
#define C_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Threads with one signature on Linux and Darwin.

/// Runs a function on a thread of its own that nobody waits for; returns 0 or an error number, such as
/// EAGAIN where the machine can give no thread, and then the function is not called.
int cpr_detach(void (*body)(void *context), void *context);

/// Tries whether this process may have so many threads, 64 at most. Returns 0, or EAGAIN if it may not.
int cpr_can_have(int threads);

/// Whether the process began with so little memory that nothing can be relied on: then it has said so on
/// standard error. Always false on Apple platforms, which limit no process's address space.
bool cpr_lacks_memory(void);

/// The memory, in bytes, that the process has now; 0 if the system does not say it.
int64_t cpr_memory(void);

#endif
