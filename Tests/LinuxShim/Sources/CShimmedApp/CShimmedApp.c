#include "CShimmedApp.h"

#include <errno.h>
#include <sys/xattr.h>

#include "ContainerXattr.h"

const int option_nofollow = XATTR_NOFOLLOW;
const int option_create = XATTR_CREATE;
const int option_replace = XATTR_REPLACE;
const int error_no_attribute = ENOATTR;

int set_attribute(
  const char *path, const char *name, const void *value, size_t size, uint32_t position,
  int options
) {
  const int result = setxattr(path, name, value, size, position, options);
  return result < 0 ? -errno : result;
}

long get_attribute(
  const char *path, const char *name, void *value, size_t size, uint32_t position, int options
) {
  const ssize_t result = getxattr(path, name, value, size, position, options);
  return result < 0 ? -errno : result;
}

int remove_attribute(const char *path, const char *name, int options) {
  const int result = removexattr(path, name, options);
  return result < 0 ? -errno : result;
}

long list_attributes(const char *path, char *names, size_t size, int options) {
  const ssize_t result = listxattr(path, names, size, options);
  return result < 0 ? -errno : result;
}

int round_trip(int file, const char *name, long results[4]) {
  results[0] = fsetxattr(file, name, "kit", 3, 0, XATTR_CREATE);
  results[1] = fgetxattr(file, name, NULL, 0, 0, 0);
  results[2] = flistxattr(file, NULL, 0, 0);
  results[3] = fremovexattr(file, name, 0);
  return fremovexattr(file, name, 0) == 0 ? 0 : -errno;
}
