#ifndef C_STANDARD_STREAMS_H
#define C_STANDARD_STREAMS_H

/// Opens /dev/null for each closed standard stream, so that no other file gets the stream's
/// descriptor. Output is opened for reading, and input for writing. So a write to a closed output
/// still fails with EBADF.
void cpr_occupy_standard_streams(void);

#endif
