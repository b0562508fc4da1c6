#ifndef C_STANDARD_STREAMS_H
#define C_STANDARD_STREAMS_H

#include <stdint.h>

/// Puts /dev/null in the place of each standard stream that is closed, so that no file that is
/// opened later is taken for one. It is opened for the wrong direction: what is written to a closed
/// output fails with EBADF, as before.
void cpr_occupy_standard_streams(void);

/// How many files this process may have open, once that was raised to `wanted` as far as the system
/// lets it.
uint64_t cpr_raise_open_files(uint64_t wanted);

#endif
