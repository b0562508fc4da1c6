#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <stdarg.h>

/// Returns 1 if changes of an attribute are logged: those of Apple's attributes, but not of the kit's.
static int is_noted(const char *name) {
  static const char prefix[] = "user.com.apple.";
  return tap_text(name).iov_len >= sizeof prefix && memcmp(name, prefix, sizeof prefix - 1) == 0;
}

/// Locks, and logs that an attribute is set, or removed if the value is NULL.
static uint32_t begin(
    const struct tap_place *place, const char *name, const struct iovec *value, int flags) {
  struct tap_change change = {
    .kind = value == NULL ? BACKUP_TESTING_TAP_REMOVE_ATTRIBUTE : BACKUP_TESTING_TAP_SET_ATTRIBUTE,
    .path = place->path,
    .other = name,
    .argument = flags,
    .data = value,
    .pieces = value != NULL,
  };
  if (place->is_renamed) {
    change = (struct tap_change){.kind = BACKUP_TESTING_TAP_UNSEEN, .path = place->path};
  }
  tap_lock();
  return tap_note(&change);
}

/// Finds the item at a path. Returns 1 if changes of its attribute are logged.
static int is_seen(struct tap_place *place, const char *path, const char *name, int follows_last) {
  if (tap_is_off() || !is_noted(name)) return 0;
  if (tap_find(place, AT_FDCWD, path, follows_last)) return 1;
  // The item's directory may be missing too.
  if (tap_find_missing(place, AT_FDCWD, path, follows_last) &&
      tap_is_observed(place->path)) {
    tap_note_vain_call(BACKUP_TESTING_TAP_SET_ATTRIBUTE, place->path);
  }
  return 0;
}

/// Finds an open item. Returns 1 if changes of its attribute are logged.
static int is_seen_open(struct tap_place *place, int descriptor, const char *name) {
  struct stat status;
  return !tap_is_off() && is_noted(name) && tap_find_open(place, descriptor, &status);
}

TAP_EXPORT int setxattr(
    const char *path, const char *name, const void *value, size_t size, int flags) {
  struct tap_place place;
  if (!is_seen(&place, path, name, 1)) return tap_next.setxattr(path, name, value, size, flags);
  uint32_t number = begin(&place, name, &(struct iovec){(void *)value, size}, flags);
  return tap_end(number, tap_next.setxattr(path, name, value, size, flags));
}

TAP_EXPORT int lsetxattr(
    const char *path, const char *name, const void *value, size_t size, int flags) {
  struct tap_place place;
  if (!is_seen(&place, path, name, 0)) return tap_next.lsetxattr(path, name, value, size, flags);
  uint32_t number = begin(&place, name, &(struct iovec){(void *)value, size}, flags);
  return tap_end(number, tap_next.lsetxattr(path, name, value, size, flags));
}

TAP_EXPORT int fsetxattr(
    int descriptor, const char *name, const void *value, size_t size, int flags) {
  struct tap_place place;
  if (!is_seen_open(&place, descriptor, name)) {
    return tap_next.fsetxattr(descriptor, name, value, size, flags);
  }
  uint32_t number = begin(&place, name, &(struct iovec){(void *)value, size}, flags);
  return tap_end(number, tap_next.fsetxattr(descriptor, name, value, size, flags));
}

TAP_EXPORT int removexattr(const char *path, const char *name) {
  struct tap_place place;
  if (!is_seen(&place, path, name, 1)) return tap_next.removexattr(path, name);
  uint32_t number = begin(&place, name, NULL, 0);
  return tap_end(number, tap_next.removexattr(path, name));
}

TAP_EXPORT int lremovexattr(const char *path, const char *name) {
  struct tap_place place;
  if (!is_seen(&place, path, name, 0)) return tap_next.lremovexattr(path, name);
  uint32_t number = begin(&place, name, NULL, 0);
  return tap_end(number, tap_next.lremovexattr(path, name));
}

TAP_EXPORT int fremovexattr(int descriptor, const char *name) {
  struct tap_place place;
  if (!is_seen_open(&place, descriptor, name)) return tap_next.fremovexattr(descriptor, name);
  uint32_t number = begin(&place, name, NULL, 0);
  return tap_end(number, tap_next.fremovexattr(descriptor, name));
}

// Linux has these calls since 6.13. C libraries have no functions for them, so they are called by their
// numbers.
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#endif
#ifndef SYS_removexattrat
#define SYS_removexattrat 466
#endif

/// The argument of `setxattrat` that has the value.
struct value {
  uint64_t bytes;
  uint32_t size;
  uint32_t flags;
};

/// Forwards a system call.
static long pass(long number, const long *arguments) {
  return tap_next.syscall(
      number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

/// Logs and forwards a system call that changes an attribute of an item in a directory.
static long change_at(long number, const long *arguments) {
  struct tap_place place;
  struct stat status;
  int directory = (int)arguments[0];
  const char *path = (const char *)arguments[1];
  const char *name = (const char *)arguments[3];
  const struct value *given = (const struct value *)arguments[4];
  int is_seen = is_noted(name) &&
      ((arguments[2] & AT_EMPTY_PATH) && tap_text(path).iov_len == 0
           ? tap_find_open(&place, directory, &status)
           : tap_find(&place, directory, path, !(arguments[2] & AT_SYMLINK_NOFOLLOW)));
  int is_set = number == SYS_setxattrat;
  if (!is_seen || (is_set && given == NULL)) return pass(number, arguments);
  struct iovec value;
  if (is_set) value = (struct iovec){(void *)(uintptr_t)given->bytes, given->size};
  uint32_t change = begin(&place, name, is_set ? &value : NULL, is_set ? (int)given->flags : 0);
  return tap_end(change, (int)pass(number, arguments));
}

TAP_EXPORT long syscall(long number, ...) {
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (int index = 0; index < 6; index++) arguments[index] = va_arg(list, long);
  va_end(list);
  int changes = number == SYS_setxattrat || number == SYS_removexattrat;
  if (tap_is_off() || !changes) return pass(number, arguments);
  return change_at(number, arguments);
}

#endif
