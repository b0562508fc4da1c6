#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <linux/fs.h>
#include <stdarg.h>

/// The number of bytes that are copied at once. A call may copy fewer bytes than requested.
enum { COPY_SIZE = 1 << 18 };

/// Locks, and logs a copy to the offset `to` of a file, or to its position if that is -1.
///
/// The bytes are read from the source first, at `from`, or at its position if that is NULL. Writes their number
/// to `count`. Returns 0, without the lock, if no result of the call is logged.
static uint32_t note_copy(int source, const off_t *from, int target, off_t to, size_t *count) {
  static char bytes[COPY_SIZE];
  struct tap_write writing;
  if (!tap_begin_write(&writing, target, to, 0)) return 0;
  writing.is_copy = 1;
  if (!tap_is_recording) {
    tap_note_call(BACKUP_TESTING_TAP_COPY, writing.place.path);
    tap_unlock();
    return 0;
  }
  size_t most = *count < COPY_SIZE ? *count : COPY_SIZE;
  long size = from != NULL ? *from : tap_system(SYS_lseek, source, 0, SEEK_CUR, 0);
  if (size >= 0) size = tap_system(SYS_pread64, source, (long)bytes, (long)most, size);
  if (size > 0) {
    *count = (size_t)size;
    return tap_note_write(&writing, &(struct iovec){bytes, *count}, 1, *count);
  }
  // Bytes from a pipe cannot be read first.
  if (size == -ESPIPE) {
    tap_note(&(struct tap_change){.kind = BACKUP_TESTING_TAP_UNSEEN, .path = writing.place.path});
  }
  tap_unlock();
  return 0;
}

void tap_note_arrival(const char *path) {
  static char bytes[COPY_SIZE];
  struct stat status;
  int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  long file = tap_system(SYS_openat, AT_FDCWD, (long)path, flags, 0);
  if (!tap_is_recording) {
    tap_note_call(BACKUP_TESTING_TAP_CREATE, path);
  } else if (file < 0 || !tap_open_status((int)file, &status) || !S_ISREG(status.st_mode)) {
    tap_note(&(struct tap_change){.kind = BACKUP_TESTING_TAP_UNSEEN, .path = path});
  } else {
    tap_note(&(struct tap_change){.kind = BACKUP_TESTING_TAP_CREATE, .path = path});
    int64_t offset = 0;
    for (;;) {
      long size = tap_system(SYS_pread64, file, (long)bytes, sizeof bytes, offset);
      if (size <= 0) break;
      tap_note(&(struct tap_change){
          .kind = BACKUP_TESTING_TAP_COPY,
          .path = path,
          .offset = offset,
          .data = &(struct iovec){bytes, (size_t)size},
          .pieces = 1,
      });
      offset += size;
    }
  }
  if (file >= 0) tap_system(SYS_close, file, 0, 0, 0);
}

TAP_EXPORT ssize_t sendfile(int target, int source, off_t *from, size_t count) {
  size_t most = count;
  uint32_t number = tap_is_off() ? 0 : note_copy(source, from, target, -1, &most);
  if (number == 0) return tap_next.sendfile(target, source, from, count);
  if (number == TAP_IS_FULL) return tap_fail_full();
  return tap_end_write(number, most, tap_next.sendfile(target, source, from, most));
}
TAP_ALSO(sendfile64, sendfile);

/// Calls the next function of that name, or the system if an older C library has none.
static ssize_t copy_range(
    int source, off_t *from, int target, off_t *to, size_t count, unsigned flags) {
  if (tap_next.copy_file_range == NULL) {
    return tap_next.syscall(SYS_copy_file_range, source, from, target, to, count, flags);
  }
  return tap_next.copy_file_range(source, from, target, to, count, flags);
}

TAP_EXPORT ssize_t copy_file_range(
    int source, off_t *from, int target, off_t *to, size_t count, unsigned flags) {
  if (tap_is_off() || count == 0 || (to != NULL && *to < 0)) {
    return copy_range(source, from, target, to, count, flags);
  }
  size_t most = count;
  uint32_t number = note_copy(source, from, target, to == NULL ? -1 : *to, &most);
  if (number == TAP_IS_FULL) return tap_fail_full();
  ssize_t copied = copy_range(source, from, target, to, most, flags);
  return number == 0 ? copied : tap_end_write(number, most, copied);
}

/// Lets a file share blocks of another, and logs an unseen change, because the contents are not read.
static int take_over(int target, unsigned long request, void *argument) {
  struct stat status;
  struct tap_place place;
  if (!tap_find_open(&place, target, &status)) return tap_next.ioctl(target, request, argument);
  tap_lock();
  uint32_t number = tap_note(
      &(struct tap_change){.kind = BACKUP_TESTING_TAP_UNSEEN, .path = place.path});
  return tap_end(number, tap_next.ioctl(target, request, argument));
}

TAP_EXPORT int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (tap_is_off() || (request != FICLONE && request != FICLONERANGE)) {
    return tap_next.ioctl(descriptor, request, argument);
  }
  return take_over(descriptor, request, argument);
}

#endif
