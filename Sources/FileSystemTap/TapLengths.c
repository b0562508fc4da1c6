#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

/// Logs a change of a file, as unseen if the file's name is unknown. Called under the lock.
static uint32_t note(
    const struct tap_place *place, uint32_t kind, int64_t offset, int64_t argument) {
  if (place->is_renamed) kind = BACKUP_TESTING_TAP_UNSEEN;
  return tap_note(&(struct tap_change){
      .kind = kind, .path = place->path, .offset = offset, .argument = argument});
}

/// Logs a new length of a file.
static uint32_t note_length(
    const struct tap_place *place, const struct stat *status, off_t length) {
  if (!S_ISREG(status->st_mode) || length < 0 || status->st_size == length) return 0;
  return note(place, BACKUP_TESTING_TAP_TRUNCATE, 0, length);
}

TAP_EXPORT int ftruncate(int descriptor, off_t length) {
  struct tap_place place;
  struct stat status;
  if (tap_is_off() || !tap_find_open(&place, descriptor, &status)) {
    return tap_next.ftruncate(descriptor, length);
  }
  tap_lock();
  uint32_t number = 0;
  if (tap_open_status(descriptor, &status)) number = note_length(&place, &status, length);
  return tap_end(number, tap_next.ftruncate(descriptor, length));
}
TAP_ALSO(ftruncate64, ftruncate);

TAP_EXPORT int truncate(const char *path, off_t length) {
  struct tap_place place;
  struct stat status;
  if (tap_is_off()) return tap_next.truncate(path, length);
  if (tap_refuses(AT_FDCWD, path, 1, TAP_WRITES)) return -1;
  if (!tap_find(&place, AT_FDCWD, path, 1)) return tap_next.truncate(path, length);
  tap_lock();
  uint32_t number = 0;
  if (tap_status(place.path, &status)) number = note_length(&place, &status, length);
  return tap_end(number, tap_next.truncate(path, length));
}
TAP_ALSO(truncate64, truncate);

/// Logs the effect of `fallocate` on a file: a new length, zeros in the place of bytes, or an unseen change.
static uint32_t note_allocation(
    const struct tap_place *place, off_t size, int mode, off_t offset, off_t length) {
  const int zeros = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE;
  off_t last;
  if (offset < 0 || length <= 0 || __builtin_add_overflow(offset, length, &last)) return 0;
  if (mode & (FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE)) {
    return note(place, BACKUP_TESTING_TAP_UNSEEN, 0, 0);
  }
  int is_longer = last > size && !(mode & FALLOC_FL_KEEP_SIZE);
  if (mode & zeros) {
    if (!is_longer && offset >= size) return 0;
    off_t end = is_longer || last < size ? last : size;
    return note(place, BACKUP_TESTING_TAP_WRITE, offset, end - offset);
  }
  return is_longer ? note(place, BACKUP_TESTING_TAP_ALLOCATE, offset, length) : 0;
}

/// Locks, and logs the effect of `fallocate`. Returns 0, without the lock, if the file is not below a root.
static int begin_allocation(
    uint32_t *number, int descriptor, int mode, off_t offset, off_t length) {
  struct tap_place place;
  struct stat status;
  if (!tap_find_open(&place, descriptor, &status) || !S_ISREG(status.st_mode)) return 0;
  tap_lock();
  tap_open_status(descriptor, &status);
  *number = note_allocation(&place, status.st_size, mode, offset, length);
  return 1;
}

TAP_EXPORT int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  uint32_t number;
  if (tap_is_off() || !begin_allocation(&number, descriptor, mode, offset, length)) {
    return tap_next.fallocate(descriptor, mode, offset, length);
  }
  return tap_end(number, tap_next.fallocate(descriptor, mode, offset, length));
}
TAP_ALSO(fallocate64, fallocate);

TAP_EXPORT int posix_fallocate(int descriptor, off_t offset, off_t length) {
  uint32_t number;
  if (tap_is_off() || !begin_allocation(&number, descriptor, 0, offset, length)) {
    return tap_next.posix_fallocate(descriptor, offset, length);
  }
  int error = tap_next.posix_fallocate(descriptor, offset, length);
  if (error != 0) tap_note_failure(number, error);
  tap_unlock();
  return error;
}
TAP_ALSO(posix_fallocate64, posix_fallocate);

#endif
