#ifndef STANDARD_STREAMS_H
#define STANDARD_STREAMS_H

#include <stdint.h>

/// Moves the ends of a pipe or a connection above the descriptors of the standard streams, which this process
/// may lack. No child inherits them. Returns 0, or an error number after closing both.
int cpr_above_standard_streams(const int made[2], int32_t ends[2]);

#endif
