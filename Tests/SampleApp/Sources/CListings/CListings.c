#include "CListings.h"

#include <sys/types.h>
#include <sys/xattr.h>

// On Linux, the functions have other parameters than on Apple platforms, which this header hides.
#include "ContainerXattr.h"

static const char *const attribute = "com.apple.MobileBackup";

bool keep_out_by_attribute(const char *path) {
  const u_int8_t on = 1;
  return setxattr(path, attribute, &on, sizeof on, 0, 0) == 0;
}

bool put_back_by_attribute(const char *path) {
  return removexattr(path, attribute, 0) == 0;
}
