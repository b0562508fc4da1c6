#ifndef C_THREADS_H
#define C_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Threads with one signature on Linux and Darwin.

/// Runs a function on a new thread without waiting for it. Returns 0, or an error number if the function is not
/// called, such as EAGAIN if the machine has no thread left.
int cpr_detach(void (*body)(void *context), void *context);

/// Tests whether this process may have this number of threads, 64 at most. Returns 0, or EAGAIN if it may not.
int cpr_can_have(int threads);

/// Returns true if the process started with too little memory for any work. Then it has printed that to
/// standard error. Always false on Apple platforms, which do not limit the address space of a process.
bool cpr_lacks_memory(void);

/// Returns the memory that the process has now, in bytes; 0 if the system does not tell it.
int64_t cpr_memory(void);

#endif
