#ifndef C_SIGNALS_H
#define C_SIGNALS_H

#include <stdint.h>

/// Signals that end a process, with what has to be done before.

/// Has a signal write its number as a byte to a descriptor when it comes first; when it comes again
/// it does what it does to any process. One that is ignored now stays so. Returns 0 or an error
/// number.
int cpr_catch_signal(int32_t signal, int32_t descriptor);

/// Ends this process by a signal, so that whoever waits for it sees that. Does not return.
_Noreturn void cpr_end_by_signal(int32_t signal);

#endif
