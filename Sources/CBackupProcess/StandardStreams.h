#ifndef STANDARD_STREAMS_H
#define STANDARD_STREAMS_H

#include <stdint.h>

/// Moves both ends of a pipe or a connection to descriptors above those of the standard streams.
/// They may have a lower descriptor if this process lacks a standard stream. No child inherits the
/// ends. Returns 0, or an error number after closing both ends.
int cpr_above_standard_streams(const int made[2], int32_t ends[2]);

#endif
