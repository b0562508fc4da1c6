#ifndef C_SIGNALS_H
#define C_SIGNALS_H

#include <stdint.h>

/// Signals that end a process after it has finished its work.

/// Makes the first signal of a kind write its number as a byte to a descriptor. The next has its default
/// effect. A signal that is ignored stays ignored. Returns 0 or an error number.
int cpr_catch_signal(int32_t signal, int32_t descriptor);

/// Ends this process by a signal, so that its parent sees the signal. Does not return.
_Noreturn void cpr_end_by_signal(int32_t signal);

#endif
