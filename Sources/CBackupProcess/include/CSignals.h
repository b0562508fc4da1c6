#ifndef C_SIGNALS_H
#define C_SIGNALS_H

#include <stdint.h>

/// Functions for signals that end a process after it has finished its work.

/// When a signal of this number comes for the first time, writes the number as a byte to a
/// descriptor. The next such signal has its default effect. A signal that this process ignores
/// stays ignored. Returns 0 or an error number.
int cpr_catch_signal(int32_t signal, int32_t descriptor);

/// Ends this process by a signal, so that its parent sees the signal.
_Noreturn void cpr_end_by_signal(int32_t signal);

#endif
