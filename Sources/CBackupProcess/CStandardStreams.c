#include "CStandardStreams.h"

#include "StandardStreams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void cpr_occupy_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // This is the lowest free descriptor, because those below it are open.
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int cpr_above_standard_streams(const int made[2], int32_t ends[2]) {
  int error = 0;
  for (int end = 0; end < 2; end++) {
    ends[end] = fcntl(made[end], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (ends[end] < 0 && error == 0) error = errno;
    close(made[end]);
  }
  if (error == 0) return 0;
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  return error;
}
