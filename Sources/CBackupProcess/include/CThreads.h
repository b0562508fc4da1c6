#ifndef C_THREADS_H
#define C_THREADS_H

/// Threads with one signature on Linux and Darwin.

/// Runs a function on a thread of its own that nobody waits for; returns 0 or an error number, such as
/// EAGAIN where the machine can give no thread, and then the function is not called.
int cpr_detach(void (*body)(void *context), void *context);

#endif
