#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <sys/resource.h>

/// The lowest descriptor for the log, if the process may have so many. It is far above those of a program's own
/// files.
enum { LOG_DESCRIPTOR = 960 };

static struct {
  char path[PATH_MAX];
  int descriptor;
  dev_t device;
  ino_t file;
} log_file = {.descriptor = -1};

/// Moves a descriptor to a high number. Returns the old one if that fails.
static int moved(int descriptor) {
  struct rlimit limit = {0};
  tap_system(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit);
  long least = limit.rlim_cur > LOG_DESCRIPTOR ? LOG_DESCRIPTOR : (long)limit.rlim_cur * 3 / 4;
  long high = tap_system(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, least, 0);
  if (high < 0) return descriptor;
  tap_system(SYS_close, descriptor, 0, 0, 0);
  return (int)high;
}

long tap_open_to_append(const char *folder, const char *name) {
  int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  long directory = tap_system(SYS_openat, AT_FDCWD, (long)folder, flags, 0);
  if (directory < 0) return directory;
  flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
  long opened = tap_system(SYS_openat, directory, (long)name, flags, 0600);
  tap_system(SYS_close, directory, 0, 0, 0);
  return opened;
}

/// Opens the log at its path. Returns 0 on failure.
static int open_log(void) {
  // The program may have replaced the log's folder with a link.
  const char *name = strrchr(log_file.path, '/') + 1;
  size_t length = (size_t)(name - log_file.path);
  char folder[PATH_MAX];
  memcpy(folder, log_file.path, length);
  folder[length > 1 ? length - 1 : 1] = '\0';
  long opened = tap_open_to_append(folder, name);
  if (opened < 0) return 0;
  log_file.descriptor = moved((int)opened);
  struct stat status;
  if (!tap_open_status(log_file.descriptor, &status)) return 0;
  log_file.device = status.st_dev;
  log_file.file = status.st_ino;
  return 1;
}

int tap_open_log(const char *path) {
  size_t length = strlen(path);
  if (path[0] != '/' || length >= sizeof log_file.path) return 0;
  memcpy(log_file.path, path, length + 1);
  return open_log();
}

/// Returns 1 if the descriptor is still the log's. The program may have closed it, or used it for another file.
static int is_open(void) {
  struct stat status;
  return log_file.descriptor >= 0 && tap_open_status(log_file.descriptor, &status) &&
      status.st_dev == log_file.device && status.st_ino == log_file.file;
}

/// Appends pieces to the log, by one call unless the disk is full.
static void append(struct iovec *pieces, int count) {
  while (count > 0) {
    long written = tap_system(SYS_writev, log_file.descriptor, (long)pieces, count, 0);
    if (written == -EINTR) continue;
    if (written <= 0) return;
    for (; count > 0 && (size_t)written >= pieces->iov_len; pieces++, count--) {
      written -= (long)pieces->iov_len;
    }
    if (count == 0) return;
    pieces->iov_base = (char *)pieces->iov_base + written;
    pieces->iov_len -= (size_t)written;
  }
}

struct iovec tap_text(const char *text) {
  return (struct iovec){(char *)text, text == NULL ? 0 : strlen(text)};
}

void tap_write_record(struct backup_testing_tap_header header, const struct tap_change *change) {
  if (!is_open() && !open_log()) return;
  // Few pieces are on the stack, because a signal handler may write a record too.
  struct iovec few[4];
  static struct iovec many[3 + TAP_MOST_PIECES];
  struct iovec *pieces = change->pieces > 1 ? many : few;
  pieces[1] = tap_text(change->path);
  pieces[2] = tap_text(change->other);
  header.path_length = (uint32_t)pieces[1].iov_len;
  header.other_length = (uint32_t)pieces[2].iov_len;
  header.length = sizeof header + header.path_length + header.other_length;
  for (int index = 0; index < change->pieces; index++) {
    pieces[3 + index] = change->data[index];
    header.length += change->data[index].iov_len;
  }
  pieces[0] = (struct iovec){&header, sizeof header};
  append(pieces, 3 + change->pieces);
}

#endif
