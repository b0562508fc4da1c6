#ifndef C_STANDARD_STREAMS_H
#define C_STANDARD_STREAMS_H

/// Opens /dev/null for each standard stream that is closed, so that no later file gets its descriptor. It is
/// opened for the wrong direction, so that writing to a closed output still fails with EBADF.
void cpr_occupy_standard_streams(void);

#endif
