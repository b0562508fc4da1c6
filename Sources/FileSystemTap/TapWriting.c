#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

int tap_begin_write(struct tap_write *writing, int descriptor, int64_t offset, int appends) {
  struct stat status;
  writing->is_copy = 0;
  if (!tap_sees_changes) return 0;
  long flags = tap_system(SYS_fcntl, descriptor, F_GETFL, 0, 0);
  if (flags < 0 || (flags & O_PATH) || (flags & O_ACCMODE) == O_RDONLY) return 0;
  if (!tap_find_open(&writing->place, descriptor, &status) || !S_ISREG(status.st_mode)) return 0;
  tap_lock();
  writing->size = tap_open_status(descriptor, &status) ? status.st_size : 0;
  if (!appends && !(flags & O_APPEND)) {
    writing->offset = offset >= 0 ? offset : tap_system(SYS_lseek, descriptor, 0, SEEK_CUR, 0);
  } else {
    writing->offset = writing->size;
  }
  return 1;
}

/// Returns 1 if all bytes of the pieces are zeros.
static int is_zero(const struct iovec *data, int pieces) {
  for (int index = 0; index < pieces; index++) {
    const char *bytes = data[index].iov_base;
    size_t count = data[index].iov_len;
    if (count > 0 && (bytes[0] != 0 || memcmp(bytes, bytes + 1, count - 1) != 0)) return 0;
  }
  return 1;
}

uint32_t tap_note_write(
    const struct tap_write *writing, const struct iovec *data, int pieces, size_t count) {
  struct tap_change change = {
    .kind = writing->is_copy ? BACKUP_TESTING_TAP_COPY : BACKUP_TESTING_TAP_WRITE,
    .path = writing->place.path,
    .offset = writing->offset,
    .data = data,
    .pieces = pieces,
  };
  if (writing->place.is_renamed) {
    change = (struct tap_change){.kind = BACKUP_TESTING_TAP_UNSEEN, .path = writing->place.path};
  } else if (tap_is_recording && is_zero(data, pieces)) {
    change.argument = (int64_t)count;
    change.pieces = 0;
  }
  if (tap_is_recording && !writing->place.is_renamed &&
      writing->offset + (int64_t)count > writing->size) {
    if (tap_is_full()) return TAP_IS_FULL;
    change.kind |= BACKUP_TESTING_TAP_GROWS;
  }
  return tap_note(&change);
}

ssize_t tap_fail_full(void) {
  tap_unlock();
  errno = ENOSPC;
  return -1;
}

ssize_t tap_end_write(uint32_t number, size_t count, ssize_t written) {
  if (written < 0) {
    tap_note_failure(number, errno);
  } else if ((size_t)written < count) {
    tap_note_short(number, written);
  }
  tap_unlock();
  return written;
}

/// Logs a write of a piece, and shortens it to the most bytes that a record may have.
static uint32_t note_piece(const struct tap_write *writing, const void *bytes, size_t *count) {
  if (*count > TAP_MOST_BYTES) *count = TAP_MOST_BYTES;
  return tap_note_write(writing, &(struct iovec){(void *)bytes, *count}, 1, *count);
}

/// Returns 1 if there are bytes to write. Without an address, the call itself fails.
static int is_some(const void *bytes, size_t count) {
  return bytes != NULL && count > 0;
}

TAP_EXPORT ssize_t write(int descriptor, const void *bytes, size_t count) {
  struct tap_write writing;
  if (tap_is_off() || !is_some(bytes, count) || !tap_begin_write(&writing, descriptor, -1, 0)) {
    return tap_next.write(descriptor, bytes, count);
  }
  uint32_t number = note_piece(&writing, bytes, &count);
  if (number == TAP_IS_FULL) return tap_fail_full();
  return tap_end_write(number, count, tap_next.write(descriptor, bytes, count));
}

TAP_EXPORT ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  struct tap_write writing;
  int is_off = tap_is_off() || offset < 0 || !is_some(bytes, count);
  if (is_off || !tap_begin_write(&writing, descriptor, offset, 0)) {
    return tap_next.pwrite(descriptor, bytes, count, offset);
  }
  uint32_t number = note_piece(&writing, bytes, &count);
  if (number == TAP_IS_FULL) return tap_fail_full();
  return tap_end_write(number, count, tap_next.pwrite(descriptor, bytes, count, offset));
}
TAP_ALSO(pwrite64, pwrite);

/// Copies as many pieces as fit into a record, or a part of the first, and returns the number of their bytes.
/// Returns 0 if there are none, or if one has no address.
static size_t take_pieces(struct iovec *taken, const struct iovec *pieces, int *count) {
  size_t sum = 0;
  if (pieces == NULL || *count < 0) return 0;
  if (*count > TAP_MOST_PIECES) *count = TAP_MOST_PIECES;
  for (int index = 0; index < *count; index++) {
    taken[index] = pieces[index];
    if (taken[index].iov_base == NULL && taken[index].iov_len > 0) return 0;
    if (index == 0 && taken[0].iov_len > TAP_MOST_BYTES) taken[0].iov_len = TAP_MOST_BYTES;
    if (taken[index].iov_len > TAP_MOST_BYTES - sum) {
      *count = index;
    } else {
      sum += taken[index].iov_len;
    }
  }
  return sum;
}

/// Forwards a write of pieces at `offset`, or at the file's position if that is -1.
static ssize_t pass(
    int descriptor, const struct iovec *pieces, int count, off_t offset, int flags) {
  if (flags != 0) return tap_next.pwritev2(descriptor, pieces, count, offset, flags);
  if (offset == -1) return tap_next.writev(descriptor, pieces, count);
  return tap_next.pwritev(descriptor, pieces, count, offset);
}

/// Logs and forwards a write of pieces.
static ssize_t write_pieces(
    int descriptor, const struct iovec *pieces, int count, off_t offset, int flags) {
  struct tap_write writing;
  struct iovec taken[TAP_MOST_PIECES];
  int most = count;
  size_t sum = take_pieces(taken, pieces, &most);
  if (sum == 0 || offset < -1 ||
      !tap_begin_write(&writing, descriptor, offset, flags & RWF_APPEND)) {
    return pass(descriptor, pieces, count, offset, flags);
  }
  uint32_t number = tap_note_write(&writing, taken, most, sum);
  if (number == TAP_IS_FULL) return tap_fail_full();
  return tap_end_write(number, sum, pass(descriptor, taken, most, offset, flags));
}

TAP_EXPORT ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  if (tap_is_off()) return tap_next.writev(descriptor, pieces, count);
  return write_pieces(descriptor, pieces, count, -1, 0);
}

TAP_EXPORT ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
  if (tap_is_off() || offset < 0) return tap_next.pwritev(descriptor, pieces, count, offset);
  return write_pieces(descriptor, pieces, count, offset, 0);
}
TAP_ALSO(pwritev64, pwritev);

TAP_EXPORT ssize_t pwritev2(
    int descriptor, const struct iovec *pieces, int count, off_t offset, int flags) {
  if (tap_is_off()) return tap_next.pwritev2(descriptor, pieces, count, offset, flags);
  return write_pieces(descriptor, pieces, count, offset, flags);
}
TAP_ALSO(pwritev64v2, pwritev2);

#endif
