#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <stdarg.h>

/// A call that opens or creates a file.
struct opening {
  struct tap_place place;
  /// The number of the logged change; 0 for none.
  uint32_t number;
  /// True if the call creates the file.
  int is_making;
};

/// Logs the change that opening a file makes: the file is created or becomes empty. Called under the lock.
static void note(struct opening *opening, int flags) {
  struct stat status;
  struct tap_change change = {.path = opening->place.path};
  opening->is_making = !tap_status(change.path, &status);
  if (opening->is_making) {
    if (!(flags & O_CREAT)) return;
    change.kind = BACKUP_TESTING_TAP_CREATE;
  } else {
    int is_emptied = (flags & O_TRUNC) && S_ISREG(status.st_mode) && status.st_size > 0;
    if (!is_emptied || ((flags & O_CREAT) && (flags & O_EXCL))) return;
    change.kind = BACKUP_TESTING_TAP_TRUNCATE;
  }
  opening->number = tap_note(&change);
}

/// Locks, and logs the change that opening a file makes. Returns 0, without the lock, if there is none, because
/// the call may then block, as for a pipe.
static int begin(struct opening *opening, int directory, const char *path, int flags) {
  opening->number = 0;
  if (!(flags & (O_CREAT | O_TRUNC)) || (flags & O_PATH)) return 0;
  int follows = !(flags & O_NOFOLLOW) && !((flags & O_CREAT) && (flags & O_EXCL));
  if (!tap_find(&opening->place, directory, path, follows)) return 0;
  tap_lock();
  note(opening, flags);
  if (opening->number == 0) tap_unlock();
  return opening->number != 0;
}

/// Logs a failure, and unlocks. A call may fail after it has created the file.
static void end(const struct opening *opening, int is_open) {
  struct stat status;
  int is_made = opening->is_making && tap_status(opening->place.path, &status);
  if (!is_open && !is_made) tap_note_failure(opening->number, errno);
  tap_unlock();
}

/// Returns 1 if a device refuses to open a file. Also notes the lookup.
static int is_refused(int directory, const char *path, int flags) {
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
  int use = (flags & O_CREAT ? TAP_MAKES : 0) | (writes ? TAP_WRITES : 0);
  int follows = !(flags & O_NOFOLLOW) && !((flags & O_CREAT) && (flags & O_EXCL));
  tap_look(directory, path, follows);
  return use != 0 && !(flags & O_PATH) && tap_refuses(directory, path, follows, use);
}

/// Notes which code opens a missing item below a root or a moved folder.
static void note_missing(int directory, const char *path) {
  struct tap_place place;
  int error = errno;
  if (tap_sees_changes && tap_find_missing(&place, directory, path, 1) &&
      (tap_is_observed(place.path) || tap_rest(&tap_former, place.path) != NULL)) {
    tap_note_vain_call(BACKUP_TESTING_TAP_LOOK, place.path);
  }
  errno = error;
}

/// Logs and forwards a call that opens a file.
static int open_file(int directory, const char *path, int flags, mode_t mode) {
  struct opening opening;
  if (is_refused(directory, path, flags)) return -1;
  if (!begin(&opening, directory, path, flags)) {
    int opened = tap_next.openat(directory, path, flags, mode);
    if (opened < 0 && errno == ENOENT) note_missing(directory, path);
    return opened;
  }
  int descriptor = tap_next.openat(directory, path, flags, mode);
  end(&opening, descriptor >= 0);
  return descriptor;
}

/// Reads the permissions of a new file from the argument after the flags; 0 if there is none.
#define TAKE_MODE(mode, flags)                                      \
  mode_t mode = 0;                                                  \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {  \
    va_list arguments;                                              \
    va_start(arguments, flags);                                     \
    mode = va_arg(arguments, mode_t);                               \
    va_end(arguments);                                              \
  }

TAP_EXPORT int open(const char *path, int flags, ...) {
  TAKE_MODE(mode, flags)
  if (tap_is_off()) return tap_next.open(path, flags, mode);
  return open_file(AT_FDCWD, path, flags, mode);
}
TAP_ALSO(open64, open);

TAP_EXPORT int openat(int directory, const char *path, int flags, ...) {
  TAKE_MODE(mode, flags)
  if (tap_is_off()) return tap_next.openat(directory, path, flags, mode);
  return open_file(directory, path, flags, mode);
}
TAP_ALSO(openat64, openat);

TAP_EXPORT int creat(const char *path, mode_t mode) {
  if (tap_is_off()) return tap_next.creat(path, mode);
  return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
TAP_ALSO(creat64, creat);

// Programs that were compiled with checks call these functions, without the permissions of a new file.

TAP_EXPORT int __open_2(const char *path, int flags) {
  if (tap_is_off() || (flags & O_CREAT)) return tap_next.__open_2(path, flags);
  return open_file(AT_FDCWD, path, flags, 0);
}
TAP_ALSO(__open64_2, __open_2);

TAP_EXPORT int __openat_2(int directory, const char *path, int flags) {
  if (tap_is_off() || (flags & O_CREAT)) return tap_next.__openat_2(directory, path, flags);
  return open_file(directory, path, flags, 0);
}
TAP_ALSO(__openat64_2, __openat_2);

/// Returns the flags with which the file of a stream is opened; 0 for an invalid mode.
static int flags_of(const char *mode) {
  if (mode == NULL || mode[0] == '\0' || strchr("rwa", mode[0]) == NULL) return 0;
  int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  int access = mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  // A comma begins the name of an encoding.
  for (; *mode != '\0' && *mode != ','; mode++) {
    if (*mode == '+') access = O_RDWR;
    if (*mode == 'x' && (flags & O_CREAT)) flags |= O_EXCL;
    if (*mode == 'e') flags |= O_CLOEXEC;
  }
  return flags | access;
}

TAP_EXPORT FILE *fopen(const char *path, const char *mode) {
  struct opening opening;
  if (tap_is_off()) return tap_next.fopen(path, mode);
  if (tap_writes_stream(path, mode)) return tap_open_stream(path, mode, flags_of(mode));
  if (is_refused(AT_FDCWD, path, flags_of(mode))) return NULL;
  if (!begin(&opening, AT_FDCWD, path, flags_of(mode))) {
    FILE *opened = tap_next.fopen(path, mode);
    if (opened == NULL && errno == ENOENT) note_missing(AT_FDCWD, path);
    return opened;
  }
  FILE *stream = tap_next.fopen(path, mode);
  end(&opening, stream != NULL);
  return stream;
}
TAP_ALSO(fopen64, fopen);

TAP_EXPORT FILE *freopen(const char *path, const char *mode, FILE *stream) {
  struct opening opening;
  char own[32];
  const char *name = path;
  if (!tap_is_off() && name == NULL) {
    // The stream's own file is opened again.
    snprintf(own, sizeof own, "/proc/self/fd/%d", fileno(stream));
    name = own;
  }
  if (tap_is_off()) return tap_next.freopen(path, mode, stream);
  if (tap_has_stream(stream)) return tap_reopen_stream(name, flags_of(mode), stream);
  if (is_refused(AT_FDCWD, name, flags_of(mode))) {
    int error = errno;
    fclose(stream);
    errno = error;
    return NULL;
  }
  if (!begin(&opening, AT_FDCWD, name, flags_of(mode))) {
    return tap_next.freopen(path, mode, stream);
  }
  FILE *opened = tap_next.freopen(path, mode, stream);
  end(&opening, opened != NULL);
  return opened;
}
TAP_ALSO(freopen64, freopen);

#endif
