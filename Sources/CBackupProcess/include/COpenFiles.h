#ifndef C_OPEN_FILES_H
#define C_OPEN_FILES_H

#include <stdint.h>

/// How many files this process may have open, once that was raised to `wanted` as far as the system
/// lets it.
uint64_t cpr_raise_open_files(uint64_t wanted);

#endif
