#ifndef C_STANDARD_STREAMS_H
#define C_STANDARD_STREAMS_H

/// Puts /dev/null in the place of each standard stream that is closed, so that no file that is
/// opened later is taken for one. It is opened for the wrong direction: what is written to a closed
/// output fails with EBADF, as before.
void cpr_occupy_standard_streams(void);

#endif
