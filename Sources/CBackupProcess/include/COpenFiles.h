#ifndef C_OPEN_FILES_H
#define C_OPEN_FILES_H

#include <stdint.h>

/// Raises the number of files that this process may have open to `wanted`, or as far as the system
/// permits. Returns the new number.
uint64_t cpr_raise_open_files(uint64_t wanted);

#endif
