#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CFileStatus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#if defined(SYS_openat2) && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAS_OPENAT2
#endif
#endif

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#define CHANGED st_ctimespec
#else
#define MODIFIED st_mtim
#define CHANGED st_ctim
#endif

/// Returns the kind of an item with a mode.
static int32_t kind_of(mode_t mode) {
  if (S_ISREG(mode)) return CFS_FILE;
  if (S_ISDIR(mode)) return CFS_DIRECTORY;
  if (S_ISLNK(mode)) return CFS_LINK;
  return CFS_SPECIAL;
}

/// Returns the nanoseconds since 1970; the first or last number if the time does not fit into 64 bits.
static int64_t nanoseconds_of(struct timespec time) {
  int64_t nanoseconds;
  if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000000), &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, (int64_t)time.tv_nsec, &nanoseconds)) {
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
  }
  return nanoseconds;
}

int cfs_status_in(int directory, const char *name, struct cfs_status *status) {
  struct stat found;
  if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  status->kind = kind_of(found.st_mode);
  status->permissions = found.st_mode & 07777;
  status->size = found.st_size;
  status->inode = found.st_ino;
  status->modified = nanoseconds_of(found.MODIFIED);
  status->changed = nanoseconds_of(found.CHANGED);
  return 0;
}

#ifdef O_PATH
#define LOOK_UP (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH)
#define LOOK_UP (O_SEARCH | O_CLOEXEC)
#else
#define LOOK_UP (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/// Closes a descriptor, and keeps `errno`.
static void close_quietly(int descriptor) {
  int error = errno;
  close(descriptor);
  errno = error;
}

#ifndef __APPLE__

/// Opens `path` relative to an open directory, one component after another.
static int walk_beneath(int root, const char *path) {
  int directory = root;
  while (*path != '\0') {
    char name[NAME_MAX + 1];
    size_t length = strcspn(path, "/");
    int next = -1;
    if (length > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(name, path, length);
      name[length] = '\0';
      next = openat(directory, name, LOOK_UP | O_NOFOLLOW);
    }
    if (directory != root) close_quietly(directory);
    if (next < 0) return -1;
    directory = next;
    path += length;
    while (*path == '/') path++;
  }
  return directory;
}

#endif

/// Opens `path`, which is not empty, relative to an open directory, following no link.
static int open_relative(int root, const char *path) {
#ifdef __APPLE__
  return openat(root, path, LOOK_UP | O_NOFOLLOW_ANY);
#elif defined(HAS_OPENAT2)
  struct open_how how = {
      .flags = LOOK_UP | O_NOFOLLOW, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
  long opened = syscall(SYS_openat2, root, path, &how, sizeof how);
  // An older kernel does not have the call, and a sandbox may forbid unknown calls.
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)opened;
  return walk_beneath(root, path);
#else
  return walk_beneath(root, path);
#endif
}

int cfs_open_in(int root, const char *path) {
  int opened = open_relative(root, path);
  if (opened < 0 && errno == ELOOP) errno = ENOTDIR;
  return opened;
}

int cfs_open_beneath(const char *root, const char *path) {
  int directory = open(*root == '\0' ? "/" : root, LOOK_UP);
  if (directory < 0 || *path == '\0') return directory;
  int opened = cfs_open_in(directory, path);
  close_quietly(directory);
  return opened;
}

int cfs_path_of(int directory, char *path, size_t size) {
#ifdef __APPLE__
  char found[PATH_MAX];
  if (fcntl(directory, F_GETPATH, found) != 0) return -1;
  size_t length = strlen(found);
#else
  char link[32], found[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  ssize_t length = readlink(link, found, sizeof found - 1);
  if (length < 0) return -1;
  found[length] = '\0';
#endif
  if ((size_t)length >= size) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(path, found, (size_t)length + 1);
  return 0;
}

#ifdef __linux__

/// Sets the permissions of an item that is not a link, for C libraries that cannot do so without following
/// links, such as glibc before 2.32.
static int set_permissions_by_descriptor(int directory, const char *name, mode_t permissions) {
  int item = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (item < 0) return -1;
  struct stat found;
  int result = fstat(item, &found);
  if (result == 0 && S_ISLNK(found.st_mode)) {
    errno = ENOTSUP;
    result = -1;
  }
  if (result == 0) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", item);
    result = chmod(path, permissions);
  }
  close_quietly(item);
  return result;
}

#endif

int cfs_set_permissions_in(int directory, const char *name, uint32_t permissions) {
  int result = fchmodat(directory, name, (mode_t)permissions, AT_SYMLINK_NOFOLLOW);
#ifdef __linux__
  if (result != 0 && errno == ENOTSUP) {
    return set_permissions_by_descriptor(directory, name, (mode_t)permissions);
  }
#endif
  return result;
}

#ifdef __linux__

/// An entry of a directory as the kernel writes it.
struct kernel_entry {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

int cfs_each_name(int directory, void (*visit)(const char *name, void *context), void *context) {
  _Alignas(struct kernel_entry) char entries[32768];
  for (;;) {
    long count = syscall(SYS_getdents64, directory, entries, sizeof entries);
    if (count <= 0) return (int)count;
    for (long position = 0; position < count;) {
      const struct kernel_entry *entry = (const struct kernel_entry *)(entries + position);
      visit(entry->name, context);
      position += entry->length;
    }
  }
}

#else

int cfs_each_name(int directory, void (*visit)(const char *name, void *context), void *context) {
  int own = fcntl(directory, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return -1;
  DIR *stream = fdopendir(own);
  if (stream == NULL) {
    close(own);
    return -1;
  }
  const struct dirent *entry;
  errno = 0;
  while ((entry = readdir(stream)) != NULL) {
    visit(entry->d_name, context);
    errno = 0;
  }
  int error = errno;
  closedir(stream);
  errno = error;
  return error == 0 ? 0 : -1;
}

#endif

int cfs_set_modified(const char *path, int64_t modified) {
  int64_t seconds = modified / 1000000000;
  int64_t nanoseconds = modified % 1000000000;
  if (nanoseconds < 0) {
    seconds -= 1;
    nanoseconds += 1000000000;
  }
  struct timespec times[2];
  times[0].tv_sec = 0;
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = (time_t)seconds;
  times[1].tv_nsec = (long)nanoseconds;
  return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}
