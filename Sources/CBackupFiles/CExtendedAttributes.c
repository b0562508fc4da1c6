#include "CExtendedAttributes.h"

#include <errno.h>
#include <string.h>
#include <sys/xattr.h>

#ifdef __APPLE__

ssize_t cea_get(const char *path, const char *name, void *value, size_t capacity) {
  return getxattr(path, name, capacity == 0 ? NULL : value, capacity, 0, XATTR_NOFOLLOW);
}

int cea_set(const char *path, const char *name, const void *value, size_t size) {
  return setxattr(path, name, value, size, 0, XATTR_NOFOLLOW);
}

ssize_t cea_list(const char *path, char *names, size_t capacity) {
  return listxattr(path, names, capacity, XATTR_NOFOLLOW);
}

int cea_remove(const char *path, const char *name) {
  return removexattr(path, name, XATTR_NOFOLLOW);
}

int cea_is_missing_error(int error) {
  return error == ENOATTR;
}

#else

#define PREFIX "user."
#define PREFIX_SIZE (sizeof(PREFIX) - 1)
#define NAME_MAX_SIZE 256

/// Writes the prefixed name into `full`; a name the kernel could not hold is ERANGE.
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

ssize_t cea_get(const char *path, const char *name, void *value, size_t capacity) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  return lgetxattr(path, full, value, capacity);
}

int cea_set(const char *path, const char *name, const void *value, size_t size) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  return lsetxattr(path, full, value, size, 0);
}

ssize_t cea_list(const char *path, char *names, size_t capacity) {
  ssize_t size = llistxattr(path, names, capacity);
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

int cea_remove(const char *path, const char *name) {
  char full[NAME_MAX_SIZE];
  if (prefixed(name, full) != 0) return -1;
  return lremovexattr(path, full);
}

int cea_is_missing_error(int error) {
  return error == ENODATA;
}

#endif
