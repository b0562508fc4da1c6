#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CExtendedAttributes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/xattr.h>

#include <unistd.h>

#ifndef __APPLE__
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#endif

/// Writes the path of an open directory into `path`.
static int path_of_descriptor(int directory, char path[PATH_MAX]) {
#ifdef __APPLE__
  if (fcntl(directory, F_GETPATH, path) == 0) return 0;
  if (errno == ENOSPC) errno = ENAMETOOLONG;
  return -1;
#else
  snprintf(path, PATH_MAX, "/proc/self/fd/%d", directory);
  return 0;
#endif
}

/// Returns 1 if a path can begin with a descriptor, which leads to the directory's present place at the cost of
/// a path.
static int leads_by_descriptor(void) {
#ifdef __APPLE__
  return 0;
#else
  static atomic_int known;
  int found = atomic_load(&known);
  if (found == 0) {
    found = access("/proc/self/fd", X_OK) == 0 ? 1 : -1;
    atomic_store(&known, found);
  }
  return found > 0;
#endif
}

/// Writes the path of an item into `path`. It is ENAMETOOLONG if it is too long even with the open directory's
/// path. An empty name is ENOENT, as for calls with a descriptor.
static int path_of(const struct cea_place *place, char path[PATH_MAX]) {
  if (*place->name == '\0') {
    errno = ENOENT;
    return -1;
  }
  int is_open = place->directory >= 0 && leads_by_descriptor();
  const char *directory_path = is_open ? NULL : place->directory_path;
  size_t name = strlen(place->name);
  size_t directory = directory_path == NULL ? PATH_MAX : strlen(directory_path);
  if (directory + 1 + name + 1 <= PATH_MAX) {
    memcpy(path, directory_path, directory);
  } else if (place->directory >= 0) {
    if (path_of_descriptor(place->directory, path) != 0) return -1;
    directory = strlen(path);
  }
  if (directory + 1 + name + 1 > PATH_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  path[directory] = '/';
  memcpy(path + directory + 1, place->name, name + 1);
  return 0;
}

#ifdef __APPLE__

/// Returns 1 if the item is opened by the directory's descriptor: for a change, or if the path is unknown.
static int is_opened(const struct cea_place *place, int is_change) {
  return place->directory >= 0 && (is_change || place->directory_path == NULL);
}

/// Opens an item in an open directory for its attributes. Opens a link itself, and does not wait for a pipe. An
/// item that cannot be read is opened for writing.
static int open_item(const struct cea_place *place) {
  int flags = O_SYMLINK | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  int item = openat(place->directory, place->name, O_RDONLY | flags);
  if (item >= 0 || errno != EACCES) return item;
  item = openat(place->directory, place->name, O_WRONLY | flags);
  if (item < 0 && errno == EISDIR) errno = EACCES;
  return item;
}

/// Closes an open item, and keeps `errno`.
static void close_item(int item) {
  int error = errno;
  close(item);
  errno = error;
}

ssize_t cea_get_in(const struct cea_place *place, const char *name, void *value, size_t capacity) {
  void *buffer = capacity == 0 ? NULL : value;
  if (is_opened(place, 0)) {
    int item = open_item(place);
    if (item < 0) return -1;
    ssize_t size = fgetxattr(item, name, buffer, capacity, 0, 0);
    close_item(item);
    return size;
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return getxattr(path, name, buffer, capacity, 0, XATTR_NOFOLLOW);
}

int cea_set_in(const struct cea_place *place, const char *name, const void *value, size_t size) {
  if (is_opened(place, 1)) {
    int item = open_item(place);
    if (item < 0) return -1;
    int result = fsetxattr(item, name, value, size, 0, 0);
    close_item(item);
    return result;
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return setxattr(path, name, value, size, 0, XATTR_NOFOLLOW);
}

int cea_remove_in(const struct cea_place *place, const char *name) {
  if (is_opened(place, 1)) {
    int item = open_item(place);
    if (item < 0) return -1;
    int result = fremovexattr(item, name, 0);
    close_item(item);
    return result;
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return removexattr(path, name, XATTR_NOFOLLOW);
}

ssize_t cea_list_in(const struct cea_place *place, char *names, size_t capacity) {
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return listxattr(path, names, capacity, XATTR_NOFOLLOW);
}

int cea_is_missing_error(int error) {
  return error == ENOATTR;
}

int cea_uses_descriptors(void) {
  return 0;
}

int cea_foundation_stores_marks(void) {
  return 1;
}

#else

#define PREFIX "user."
#define PREFIX_SIZE (sizeof(PREFIX) - 1)
#define NAME_MAX_SIZE 256

/// Writes the name with the prefix into `full`. A name that is too long for the kernel is ERANGE.
static int prefixed(const char *name, char full[NAME_MAX_SIZE]) {
  size_t size = strlen(name);
  if (size + PREFIX_SIZE + 1 > NAME_MAX_SIZE) {
    errno = ERANGE;
    return -1;
  }
  memcpy(full, PREFIX, PREFIX_SIZE);
  memcpy(full + PREFIX_SIZE, name, size + 1);
  return 0;
}

/// Removes the prefix of the names in a list of `size` bytes, and all names of other namespaces. Returns the
/// number of bytes left.
static ssize_t unprefixed(char *names, ssize_t size, size_t capacity) {
  if (size <= 0 || capacity == 0) return size;
  size_t kept = 0;
  for (size_t at = 0; at < (size_t)size;) {
    size_t length = strlen(names + at) + 1;
    if (length > PREFIX_SIZE && memcmp(names + at, PREFIX, PREFIX_SIZE) == 0) {
      memmove(names + kept, names + at + PREFIX_SIZE, length - PREFIX_SIZE);
      kept += length - PREFIX_SIZE;
    }
    at += length;
  }
  return (ssize_t)kept;
}

int cea_is_missing_error(int error) {
  return error == ENODATA;
}

int cea_foundation_stores_marks(void) {
  return 0;
}

// The numbers of calls in Linux 6.13 and later, which the C library's headers may lack.
#ifndef SYS_listxattrat
#if defined(__aarch64__) || (defined(__x86_64__) && !defined(__ILP32__))
#define SYS_setxattrat 463
#define SYS_getxattrat 464
#define SYS_listxattrat 465
#define SYS_removexattrat 466
#else
#define SYS_setxattrat -1
#define SYS_getxattrat -1
#define SYS_listxattrat -1
#define SYS_removexattrat -1
#endif
#endif

/// The argument of `getxattrat` and `setxattrat` that has the buffer of a value.
struct xattr_buffer {
  uint64_t value;
  uint32_t size;
  uint32_t flags;
};

/// Returns 1 if the kernel has the call: then it reports that the descriptor is bad. An older kernel, or a
/// sandbox, reports another error.
static int is_supported(void) {
  int error = errno;
  long size = syscall(SYS_listxattrat, -1, "name", AT_SYMLINK_NOFOLLOW, NULL, 0);
  int supported = size < 0 && errno == EBADF;
  errno = error;
  return supported;
}

int cea_uses_descriptors(void) {
  static atomic_int known = -1;
  int supported = atomic_load_explicit(&known, memory_order_relaxed);
  if (supported < 0) {
    supported = is_supported();
    atomic_store_explicit(&known, supported, memory_order_relaxed);
  }
  return supported;
}

/// Returns 1 if the item is looked up by the directory's descriptor.
static int has_descriptor(const struct cea_place *place) {
  return place->directory >= 0 && cea_uses_descriptors();
}

ssize_t cea_get_in(const struct cea_place *place, const char *name, void *value, size_t capacity) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  if (has_descriptor(place)) {
    struct xattr_buffer buffer = {(uint64_t)(uintptr_t)value, (uint32_t)capacity, 0};
    return syscall(
        SYS_getxattrat, place->directory, place->name, AT_SYMLINK_NOFOLLOW, full, &buffer,
        sizeof buffer);
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return lgetxattr(path, full, value, capacity);
}

int cea_set_in(const struct cea_place *place, const char *name, const void *value, size_t size) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  if (has_descriptor(place)) {
    struct xattr_buffer buffer = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
    return (int)syscall(
        SYS_setxattrat, place->directory, place->name, AT_SYMLINK_NOFOLLOW, full, &buffer,
        sizeof buffer);
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return lsetxattr(path, full, value, size, 0);
}

int cea_remove_in(const struct cea_place *place, const char *name) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  if (has_descriptor(place)) {
    return (int)syscall(
        SYS_removexattrat, place->directory, place->name, AT_SYMLINK_NOFOLLOW, full);
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return lremovexattr(path, full);
}

ssize_t cea_list_in(const struct cea_place *place, char *names, size_t capacity) {
  if (has_descriptor(place)) {
    long size = syscall(
        SYS_listxattrat, place->directory, place->name, AT_SYMLINK_NOFOLLOW, names, capacity);
    return unprefixed(names, size, capacity);
  }
  char path[PATH_MAX];
  if (path_of(place, path) != 0) return -1;
  return unprefixed(names, llistxattr(path, names, capacity), capacity);
}

#endif
