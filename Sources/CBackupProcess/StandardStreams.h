#ifndef STANDARD_STREAMS_H
#define STANDARD_STREAMS_H

#include <stdint.h>

/// Moves the ends of a pipe or of a connection above the descriptors of the standard streams, which
/// this process may lack, closed in children; on failure both are closed. Returns 0 or an error number.
int cpr_above_standard_streams(const int made[2], int32_t ends[2]);

#endif
