#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CFileStatus.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The number of items that may be added to a directory while it is emptied. If a directory in it is not empty
/// after it was emptied, the number of its new items is unknown, and the round counts as so many.
enum { MOST_NEWCOMERS = 1000, UNKNOWN_NEWCOMERS = 250 };

/// The names in directories at one moment, each ended by a NUL. Items that are added later are left to the next
/// round, because they may be added faster than they are removed.
struct names {
  char *bytes;
  size_t used;
  size_t capacity;
  int error;
};

/// The removal of all items in the topmost directory.
///
/// Directories in it may be nested more deeply than the longest path, or than a process has descriptors for. So
/// nested directories are moved up into the topmost one, and three descriptors are enough.
struct removal {
  int top;
  /// The number of items that were moved up so far, which is in the name of the next.
  long moved;
  /// The names in the topmost directory, and then those in the directory that is emptied in it.
  struct names names;
};

/// Appends a name. The memory comes from the system, because `malloc` may take a lock.
static void append_name(const char *name, void *context) {
  struct names *names = context;
  if (names->error != 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
  size_t size = strlen(name) + 1;
  if (names->capacity - names->used < size) {
    size_t capacity = names->capacity == 0 ? 65536 : 2 * names->capacity;
    void *bytes = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) {
      names->error = errno;
      return;
    }
    if (names->capacity > 0) {
      memcpy(bytes, names->bytes, names->used);
      munmap(names->bytes, names->capacity);
    }
    names->bytes = bytes;
    names->capacity = capacity;
  }
  memcpy(names->bytes + names->used, name, size);
  names->used += size;
}

/// Appends the names in an open directory. Returns 0 or -1.
static int append_names(struct names *names, int directory) {
  if (cfs_each_name(directory, append_name, names) != 0) return -1;
  if (names->error == 0) return 0;
  errno = names->error;
  return -1;
}

/// Removes a file, a link or an empty directory. Returns 1, 0 for a directory that is not empty, or -1.
static int remove_empty(int directory, const char *name) {
  // An empty directory costs one call, which removes no other item.
  if (unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 1;
  if (errno == ENOTEMPTY || errno == EEXIST) return 0;
  if (errno != ENOTDIR) return -1;
  if (unlinkat(directory, name, 0) == 0 || errno == ENOENT) return 1;
  // A directory has taken the item's place meanwhile.
  return errno == EISDIR ? 0 : -1;
}

/// Opens a directory in another, and gives its owner all permissions. Returns -1 on failure.
static int open_directory(int directory, const char *name) {
  struct cfs_status status;
  if (cfs_status_in(directory, name, &status) != 0) return -1;
  if ((status.permissions & 0700) != 0700) cfs_set_permissions_in(directory, name, 0700);
  return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Moves a directory into the topmost one, under a name that is free there. Returns 0 or -1.
static int move_up(struct removal *removal, int directory, const char *name) {
  for (int is_writable = 0;;) {
    char free_name[64];
    snprintf(free_name, sizeof free_name, "moved-up-%ld", ++removal->moved);
    if (renameat(directory, name, removal->top, free_name) == 0 || errno == ENOENT) return 0;
    switch (errno) {
    case EEXIST: case ENOTEMPTY: case ENOTDIR: case EISDIR:
      break;
    case EACCES:
      if (is_writable || cfs_set_permissions_in(directory, name, 0700) != 0) return -1;
      is_writable = 1;
      break;
    default:
      return -1;
    }
  }
}

/// Removes the items of a directory in the topmost one, or moves them up. Returns 0 or -1.
static int empty_below(struct removal *removal, int directory) {
  size_t begin = removal->names.used;
  int result = append_names(&removal->names, directory);
  size_t end = removal->names.used;
  for (size_t at = begin; at < end && result >= 0;) {
    const char *name = removal->names.bytes + at;
    result = remove_empty(directory, name);
    if (result == 0) result = move_up(removal, directory, name);
    at += strlen(name) + 1;
  }
  removal->names.used = begin;
  return result < 0 ? -1 : 0;
}

/// Removes the item in the topmost directory whose name is at an offset, or the items in it. Returns 1, 0 for a
/// directory that is not empty, or -1.
static int remove_top(struct removal *removal, size_t at) {
  int result = remove_empty(removal->top, removal->names.bytes + at);
  if (result != 0) return result;
  int directory = open_directory(removal->top, removal->names.bytes + at);
  if (directory < 0) {
    // Another item has taken the directory's place meanwhile.
    if (errno == ENOTDIR || errno == ELOOP) return 0;
    return errno == ENOENT ? 1 : -1;
  }
  result = empty_below(removal, directory);
  int error = errno;
  close(directory);
  errno = error;
  if (result < 0) return errno == ENOENT ? 1 : -1;
  // The memory of the name may have moved, because more names were read.
  return remove_empty(removal->top, removal->names.bytes + at);
}

/// Empties a directory in rounds, until `left` items were added to it meanwhile. Returns 0 or an error number.
static int empty_in_rounds(struct removal *removal, long *left) {
  long expected = LONG_MAX;
  for (;;) {
    removal->names.used = 0;
    lseek(removal->top, 0, SEEK_SET);
    // The directory itself may be gone.
    if (append_names(&removal->names, removal->top) != 0) {
      return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    }
    long found = 0, kept = 0, moved = removal->moved;
    size_t end = removal->names.used;
    for (size_t at = 0; at < end; found++) {
      int result = remove_top(removal, at);
      if (result < 0) return errno;
      if (result == 0) kept++;
      at += strlen(removal->names.bytes + at) + 1;
    }
    if (found == 0) return 0;
    if (found > expected) *left -= found - expected;
    if (kept > 0) *left -= UNKNOWN_NEWCOMERS;
    if (*left <= 0) return ENOTEMPTY;
    expected = kept + removal->moved - moved;
  }
}

static int empty(int directory, long *left) {
  struct removal removal = {.top = directory};
  int error = empty_in_rounds(&removal, left);
  if (removal.names.capacity > 0) munmap(removal.names.bytes, removal.names.capacity);
  return error;
}

int cfs_remove_items(int directory) {
  long left = MOST_NEWCOMERS;
  int error = empty(directory, &left);
  return error == ENOTEMPTY ? 0 : error;
}

int cfs_remove_item(int directory, const char *name) {
  for (long left = MOST_NEWCOMERS; left > 0;) {
    int result = remove_empty(directory, name);
    if (result != 0) return result > 0 ? 0 : errno;
    int top = open_directory(directory, name);
    if (top < 0) return errno == ENOENT ? 0 : errno;
    left--;
    int error = empty(top, &left);
    close(top);
    if (error != 0 && error != ENOTEMPTY) return error;
  }
  int result = remove_empty(directory, name);
  return result > 0 ? 0 : result < 0 ? errno : ENOTEMPTY;
}
