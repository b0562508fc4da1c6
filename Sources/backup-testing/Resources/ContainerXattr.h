// Printed by `backup-testing linux-shim --c`: print it again rather than edit it.
//
// setxattr, getxattr, removexattr and listxattr, and those of open files, such as fsetxattr, with the
// parameters that Darwin gives them, for C code of an app that is tested on Linux: there they have
// others, and a name that an app may set begins with "user.". Include it wherever the calls are, or
// compile with `-include`. On Apple platforms it includes <sys/xattr.h> and nothing else.
//
// * The name in the app's code is Darwin's: com.apple.MobileBackup is user.com.apple.MobileBackup
//   on disk, where the kit looks for it.
// * options: XATTR_NOFOLLOW, XATTR_CREATE and XATTR_REPLACE. position has to be 0.
// * ENOATTR is what Linux calls ENODATA.
// * A mark that is set on a missing item of a test's container is noted for the kit, which finds it
//   though the code passes over the error.
// * Not here: functions that are called by a pointer.

#ifndef BACKUP_TESTING_CONTAINER_XATTR_H
#define BACKUP_TESTING_CONTAINER_XATTR_H

#include <sys/xattr.h>

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#undef XATTR_CREATE
#undef XATTR_REPLACE
#define XATTR_NOFOLLOW 0x0001
#define XATTR_CREATE 0x0002
#define XATTR_REPLACE 0x0004

#ifndef ENOATTR
#define ENOATTR ENODATA
#endif

// The C library hides its name where only standard C is asked for, as by -std=c99.
#ifdef O_NOFOLLOW
#define BACKUP_TESTING_NOFOLLOW O_NOFOLLOW
#else
#define BACKUP_TESTING_NOFOLLOW __O_NOFOLLOW
#endif

// The most bytes that Darwin takes for a name.
#define BACKUP_TESTING_LONGEST_NAME 127

// Writes the name that Linux has for an attribute. Returns 0, or -1 with errno.
static inline int backup_testing_name(
  const char *name, char linux_name[BACKUP_TESTING_LONGEST_NAME + 6]
) {
  if (name == NULL || name[0] == '\0') {
    errno = EINVAL;
    return -1;
  }
  if (strlen(name) > BACKUP_TESTING_LONGEST_NAME) {
    errno = ENAMETOOLONG;
    return -1;
  }
  snprintf(linux_name, BACKUP_TESTING_LONGEST_NAME + 6, "user.%s", name);
  return 0;
}

// What the kit leaves on an item while its mark of this name is taken off; NULL for no mark.
static inline const char *backup_testing_probe(const char *name) {
  if (strcmp(name, "com.apple.MobileBackup") == 0) {
    return "user.swift-backup-testing.probe.attribute";
  }
  if (strcmp(name, "com.apple.metadata:com_apple_backup_excludeItem") == 0) {
    return "user.swift-backup-testing.probe";
  }
  return NULL;
}

// The length of an absolute path up to the folder beside a test's container, as in
// /tmp/sbt-abcdefgh/UUID/Documents; 0 for a path that is in none.
static inline size_t backup_testing_folder(const char *path) {
  const size_t name = strlen("/sbt-abcdefgh"), identifier = 36;
  size_t length = 0;
  for (const char *at = strstr(path, "/sbt-"); at != NULL; at = strstr(at + 1, "/sbt-")) {
    if (strlen(at) <= name + identifier || at[name] != '/') continue;
    if (at[name + 9] != '-' || at[name + 14] != '-' || at[name + 19] != '-') continue;
    length = (size_t)(at - path) + name;
  }
  return length;
}

// Notes for the kit that a mark was set where nothing is.
static inline void backup_testing_note_missing(const char *path) {
  char absolute[8192] = "", device[8192];
  if (path[0] != '/' && getcwd(absolute, sizeof absolute / 2) == NULL) return;
  const size_t start = strlen(absolute);
  const size_t room = sizeof absolute - start;
  const int written = snprintf(absolute + start, room, "%s%s", start > 0 ? "/" : "", path);
  const size_t folder = backup_testing_folder(absolute);
  if (written < 0 || (size_t)written >= room || folder == 0) return;
  // Through no link, which the app may have put in the place of the file or of its folder.
  snprintf(device, sizeof device, "%.*s", (int)folder, absolute);
  const int opened = open(device, O_RDONLY | BACKUP_TESTING_NOFOLLOW);
  if (opened < 0) return;
  snprintf(device, sizeof device, "/proc/self/fd/%d/marks-on-missing-items", opened);
  const int flags = O_WRONLY | O_APPEND | O_CREAT | BACKUP_TESTING_NOFOLLOW;
  const int descriptor = open(device, flags, 0600);
  close(opened);
  if (descriptor < 0) return;
  const ssize_t noted = write(descriptor, absolute, strlen(absolute) + 1);
  (void)noted;
  close(descriptor);
}

// In what follows an item is named by its path, or where that is NULL by a descriptor.

// Darwin's setxattr and fsetxattr.
static inline int backup_testing_setxattr(
  const char *path, int file, const char *name, const void *value, size_t size, uint32_t position,
  int options
) {
  const int known = XATTR_NOFOLLOW | XATTR_CREATE | XATTR_REPLACE;
  const int both = XATTR_CREATE | XATTR_REPLACE;
  char linux_name[BACKUP_TESTING_LONGEST_NAME + 6];
  if (position != 0 || (options & ~known) != 0 || (options & both) == both) {
    errno = EINVAL;
    return -1;
  }
  if (backup_testing_name(name, linux_name) != 0) return -1;
  // Linux has 1 for an attribute that must be new, and 2 for one that must be there.
  const int flags = (options & XATTR_CREATE ? 1 : 0) | (options & XATTR_REPLACE ? 2 : 0);
  const int result = path == NULL ? fsetxattr(file, linux_name, value, size, flags)
    : options & XATTR_NOFOLLOW ? lsetxattr(path, linux_name, value, size, flags)
                               : setxattr(path, linux_name, value, size, flags);
  const int error = errno;
  const int is_missing = path != NULL && (error == ENOENT || error == ENOTDIR);
  if (result != 0 && is_missing && backup_testing_probe(name) != NULL) {
    backup_testing_note_missing(path);
  }
  errno = error;
  return result;
}

// Darwin's getxattr and fgetxattr.
static inline ssize_t backup_testing_getxattr(
  const char *path, int file, const char *name, void *value, size_t size, uint32_t position,
  int options
) {
  char linux_name[BACKUP_TESTING_LONGEST_NAME + 6];
  if (position != 0 || (options & ~XATTR_NOFOLLOW) != 0) {
    errno = EINVAL;
    return -1;
  }
  if (backup_testing_name(name, linux_name) != 0) return -1;
  if (path == NULL) return fgetxattr(file, linux_name, value, size);
  return options & XATTR_NOFOLLOW ? lgetxattr(path, linux_name, value, size)
                                  : getxattr(path, linux_name, value, size);
}

// Removes an attribute that has a name of Linux's.
static inline int backup_testing_remove(
  const char *path, int file, const char *linux_name, int options
) {
  if (path == NULL) return fremovexattr(file, linux_name);
  return options & XATTR_NOFOLLOW ? lremovexattr(path, linux_name) : removexattr(path, linux_name);
}

// Darwin's removexattr and fremovexattr; a mark is removed though the kit has taken it off for the
// time being.
static inline int backup_testing_removexattr(
  const char *path, int file, const char *name, int options
) {
  char linux_name[BACKUP_TESTING_LONGEST_NAME + 6];
  if ((options & ~XATTR_NOFOLLOW) != 0) {
    errno = EINVAL;
    return -1;
  }
  if (backup_testing_name(name, linux_name) != 0) return -1;
  const char *probe = backup_testing_probe(name);
  const int had_probe = probe != NULL && backup_testing_remove(path, file, probe, options) == 0;
  const int result = backup_testing_remove(path, file, linux_name, options);
  return result != 0 && errno == ENODATA && had_probe ? 0 : result;
}

// The names that Linux lists, or with a size of 0 how many bytes they take.
static inline ssize_t backup_testing_list(
  const char *path, int file, char *names, size_t size, int options
) {
  if (path == NULL) return flistxattr(file, names, size);
  return options & XATTR_NOFOLLOW ? llistxattr(path, names, size) : listxattr(path, names, size);
}

// Darwin's listxattr and flistxattr: the names that an app may have set, without what Linux puts
// before them.
static inline ssize_t backup_testing_listxattr(
  const char *path, int file, char *names, size_t size, int options
) {
  const char *kit = "user.swift-backup-testing.";
  const size_t prefix = strlen("user.");
  if ((options & ~XATTR_NOFOLLOW) != 0) {
    errno = EINVAL;
    return -1;
  }
  ssize_t total = backup_testing_list(path, file, NULL, 0, options);
  if (total <= 0) return total;
  char *all = (char *)malloc((size_t)total);
  if (all == NULL) return -1;
  total = backup_testing_list(path, file, all, (size_t)total, options);
  size_t kept = 0;
  for (ssize_t at = 0; at < total; at += (ssize_t)strlen(all + at) + 1) {
    const char *name = all + at;
    if (strncmp(name, "user.", prefix) != 0 || strncmp(name, kit, strlen(kit)) == 0) continue;
    const size_t length = strlen(name) + 1 - prefix;
    if (names != NULL && kept + length <= size) memcpy(names + kept, name + prefix, length);
    kept += length;
  }
  free(all);
  if (total < 0) return -1;
  if (names == NULL || kept <= size) return (ssize_t)kept;
  errno = ERANGE;
  return -1;
}

#define setxattr(path, name, value, size, position, options) \
  backup_testing_setxattr(path, -1, name, value, size, position, options)
#define getxattr(path, name, value, size, position, options) \
  backup_testing_getxattr(path, -1, name, value, size, position, options)
#define removexattr(path, name, options) backup_testing_removexattr(path, -1, name, options)
#define listxattr(path, names, size, options) \
  backup_testing_listxattr(path, -1, names, size, options)
#define fsetxattr(file, name, value, size, position, options) \
  backup_testing_setxattr(NULL, file, name, value, size, position, options)
#define fgetxattr(file, name, value, size, position, options) \
  backup_testing_getxattr(NULL, file, name, value, size, position, options)
#define fremovexattr(file, name, options) backup_testing_removexattr(NULL, file, name, options)
#define flistxattr(file, names, size, options) \
  backup_testing_listxattr(NULL, file, names, size, options)

#endif
#endif
