#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <stdarg.h>

/// The opening of a file, or the making of one.
struct opening {
  struct tap_place place;
  /// The change that is noted; 0 where nothing is.
  uint32_t number;
  /// Whether the file is made.
  int is_making;
};

/// Notes what opening a file changes, under the lock: it is made, or becomes empty.
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

/// Takes the lock and notes what opening a file changes. Returns 0, without the lock, where that is
/// nothing: opening may then block, as that of a pipe does.
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

/// Notes a failure, and gives the lock back. An opening may fail after it has made the file.
static void end(const struct opening *opening, int is_open) {
  struct stat status;
  int is_made = opening->is_making && tap_status(opening->place.path, &status);
  if (!is_open && !is_made) tap_note_failure(opening->number, errno);
  tap_unlock();
}

/// Whether the opening of a file is refused; where it looks for one, that is noted.
static int is_refused(int directory, const char *path, int flags) {
  int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
  int use = (flags & O_CREAT ? TAP_MAKES : 0) | (writes ? TAP_WRITES : 0);
  int follows = !(flags & O_NOFOLLOW) && !((flags & O_CREAT) && (flags & O_EXCL));
  tap_look(directory, path, follows);
  return use != 0 && !(flags & O_PATH) && tap_refuses(directory, path, follows, use);
}

/// Notes which code opens an item below a root, or below one that was moved, that is not there.
static void note_missing(int directory, const char *path) {
  struct tap_place place;
  int error = errno;
  if (tap_sees_changes && tap_find_missing(&place, directory, path, 1) &&
      (tap_is_observed(place.path) || tap_rest(&tap_former, place.path) != NULL)) {
    tap_note_vain_call(BACKUP_TESTING_TAP_LOOK, place.path);
  }
  errno = error;
}

/// Opens a file, and notes it.
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

/// The permissions that a call gives a new file, behind its flags; 0 where there are none.
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

// By these a program opens files that was compiled with checks, without the permissions of a new
// file.

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

/// The flags by which a stream's file is opened; 0 for a mode that there is not.
static int flags_of(const char *mode) {
  if (mode == NULL || mode[0] == '\0' || strchr("rwa", mode[0]) == NULL) return 0;
  int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  int access = mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  // Behind a comma is a name of characters' encoding.
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
    // What the stream has open is opened anew.
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
