#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <stdio_ext.h>

// No library can replace the calls by which the C library's streams write. So for a file below a root, this
// library opens a stream with functions of its own.

/// The number of descriptors that logged streams may have. Writes of streams with higher ones are not seen.
enum { MOST_DESCRIPTORS = 1 << 16 };
/// The logged streams, by their descriptors.
static FILE *streams[MOST_DESCRIPTORS];

static int descriptor_of(void *cookie) { return (int)(intptr_t)cookie; }

static ssize_t read_file(void *cookie, char *bytes, size_t count) {
  return read(descriptor_of(cookie), bytes, count);
}

/// Writes, and returns 0 on failure, as `fopencookie` requires.
static ssize_t write_file(void *cookie, const char *bytes, size_t count) {
  ssize_t written = write(descriptor_of(cookie), bytes, count);
  return written < 0 ? 0 : written;
}

static int seek_file(void *cookie, off64_t *offset, int whence) {
  *offset = lseek(descriptor_of(cookie), *offset, whence);
  return *offset < 0 ? -1 : 0;
}

static int close_file(void *cookie) {
  streams[descriptor_of(cookie)] = NULL;
  return close(descriptor_of(cookie));
}

/// Returns 1 if writes to an open file are logged: if it is a regular file below a root.
static int is_noted(int descriptor) {
  struct tap_place place;
  struct stat status;
  return tap_is_recording && descriptor < MOST_DESCRIPTORS &&
      tap_find_open(&place, descriptor, &status) && S_ISREG(status.st_mode);
}

/// Returns 1 if a stream with this mode can write bytes, and not wide characters.
static int writes(const char *mode) {
  return mode != NULL && strchr("rwa", mode[0]) != NULL && mode[0] != '\0' &&
      (mode[0] != 'r' || strchr(mode, '+') != NULL) && strchr(mode, ',') == NULL;
}

TAP_EXPORT FILE *fdopen(int descriptor, const char *mode) {
  if (tap_is_off() || !writes(mode) || !is_noted(descriptor)) {
    return tap_next.fdopen(descriptor, mode);
  }
  long flags = tap_system(SYS_fcntl, descriptor, F_GETFL, 0, 0);
  int lacks = (flags & O_ACCMODE) == O_RDONLY ||
      (strchr(mode, '+') != NULL && (flags & O_ACCMODE) != O_RDWR) ||
      (mode[0] == 'r' && (flags & O_ACCMODE) == O_WRONLY);
  if (lacks) return tap_next.fdopen(descriptor, mode);
  if (mode[0] == 'a' && !(flags & O_APPEND)) {
    tap_system(SYS_fcntl, descriptor, F_SETFL, flags | O_APPEND, 0);
    if (strchr(mode, '+') == NULL) tap_system(SYS_lseek, descriptor, 0, SEEK_END, 0);
  }
  char plain[3] = {mode[0], strchr(mode, '+') != NULL ? '+' : '\0', '\0'};
  cookie_io_functions_t functions = {read_file, write_file, seek_file, close_file};
  FILE *stream = fopencookie((void *)(intptr_t)descriptor, plain, functions);
  // `fileno` returns this field.
  if (stream != NULL) {
    stream->_fileno = descriptor;
    streams[descriptor] = stream;
  }
  return stream;
}

/// Bits of the flags of a stream in the C library.
enum { CANNOT_READ = 4, CANNOT_WRITE = 8, IS_AT_END = 0x10, HAS_FAILED = 0x20 };

int tap_has_stream(FILE *stream) {
  int descriptor = stream == NULL ? -1 : fileno(stream);
  return descriptor >= 0 && descriptor < MOST_DESCRIPTORS && streams[descriptor] == stream;
}

FILE *tap_reopen_stream(const char *path, int flags, FILE *stream) {
  fflush(stream);
  __fpurge(stream);
  int descriptor = openat(AT_FDCWD, path, flags, 0666);
  if (descriptor < 0) {
    int error = errno;
    fclose(stream);
    errno = error;
    return NULL;
  }
  dup3(descriptor, fileno(stream), flags & O_CLOEXEC);
  close(descriptor);
  int access = flags & O_ACCMODE;
  stream->_flags &= ~(CANNOT_READ | CANNOT_WRITE | IS_AT_END | HAS_FAILED);
  stream->_flags |= access == O_RDONLY ? CANNOT_WRITE : access == O_WRONLY ? CANNOT_READ : 0;
  return stream;
}

FILE *tap_open_stream(const char *path, const char *mode, int flags) {
  int descriptor = openat(AT_FDCWD, path, flags, 0666);
  if (descriptor < 0) return NULL;
  if (mode[0] == 'a' && strchr(mode, '+') == NULL) {
    tap_system(SYS_lseek, descriptor, 0, SEEK_END, 0);
  }
  FILE *stream = fdopen(descriptor, mode);
  if (stream == NULL) close(descriptor);
  return stream;
}

int tap_writes_stream(const char *path, const char *mode) {
  struct tap_place place;
  if (!writes(mode) || !tap_find(&place, AT_FDCWD, path, 1)) return 0;
  if (tap_is_recording) return 1;
  tap_lock();
  tap_note_call(BACKUP_TESTING_TAP_WRITE, place.path);
  tap_unlock();
  return 0;
}

#endif
