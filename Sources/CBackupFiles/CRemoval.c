#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CFileStatus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// In how many rounds of emptying a directory something may come into it: who makes more than is removed
/// meanwhile doubles the work of each.
enum { MOST_DISTURBANCES = 4 };

/// What the name of what was moved up begins with; a number follows.
static const char moved_prefix[] = "moved-up-";

/// A directory that is emptied. Directories in it may be nested deeper than any path reaches, or than a
/// process has descriptors for. So what stands in the way is moved up into it, and three descriptors are
/// enough.
struct removal {
  int top;
  /// The directory whose items are removed now: the top itself, or one in it.
  int directory;
  /// How many items were moved up so far, which names the next, and how many before this round.
  long moved;
  long moved_before;
  /// How many names this round has found, and whether one was not moved up in the one before.
  int has_names;
  int is_disturbed;
  int error;
};

/// Removes a file, a link or an empty directory. Returns 1, 0 for a directory that is not empty, or -1.
static int remove_empty(int directory, const char *name) {
  // An empty directory costs one call, and no other item is taken for one.
  if (unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 1;
  if (errno == ENOTEMPTY || errno == EEXIST) return 0;
  if (errno != ENOTDIR) return -1;
  return unlinkat(directory, name, 0) == 0 || errno == ENOENT ? 1 : -1;
}

/// Opens a directory of another, whose owner may do everything in it then; -1 on failure.
static int open_directory(int directory, const char *name) {
  struct cfs_status status;
  if (cfs_status_in(directory, name, &status) != 0) return -1;
  if ((status.permissions & 0700) != 0700) cfs_set_permissions_in(directory, name, 0700);
  return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Moves a directory into the topmost one, under a name that is free there. Returns 0 or -1.
static int move_up(struct removal *removal, int directory, const char *name) {
  for (;;) {
    char free_name[64];
    snprintf(free_name, sizeof free_name, "%s%ld", moved_prefix, ++removal->moved);
    if (renameat(directory, name, removal->top, free_name) == 0 || errno == ENOENT) return 0;
    switch (errno) {
    case EEXIST: case ENOTEMPTY: case ENOTDIR: case EISDIR:
      break;
    case EACCES:
      if (cfs_set_permissions_in(directory, name, 0700) != 0) return -1;
      return renameat(directory, name, removal->top, free_name);
    default:
      return -1;
    }
  }
}

/// Removes an item of a directory in the topmost one, or moves it up.
static void visit_below(const char *name, void *context) {
  struct removal *removal = context;
  if (removal->error != 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
  int result = remove_empty(removal->directory, name);
  if (result == 0) result = move_up(removal, removal->directory, name);
  if (result < 0) removal->error = errno;
}

/// Removes an item of the topmost directory, or what is in it.
static void visit(const char *name, void *context) {
  struct removal *removal = context;
  if (removal->error != 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return;
  removal->has_names = 1;
  size_t length = strlen(moved_prefix);
  int is_moved = strncmp(name, moved_prefix, length) == 0 &&
      strtol(name + length, NULL, 10) > removal->moved_before;
  if (!is_moved) removal->is_disturbed = 1;
  int result = remove_empty(removal->top, name);
  if (result == 0) {
    removal->directory = open_directory(removal->top, name);
    if (removal->directory >= 0) {
      result = cfs_each_name(removal->directory, visit_below, removal);
      int error = errno;
      close(removal->directory);
      errno = error;
      if (result == 0) result = remove_empty(removal->top, name);
    } else {
      result = -1;
    }
  }
  if (result < 0 && removal->error == 0 && errno != ENOENT) removal->error = errno;
}

/// Empties a directory, unless something comes into it in more than so many rounds, which are counted down.
static int empty(int directory, int *left) {
  struct removal removal = {.top = directory};
  do {
    long moved = removal.moved;
    removal.has_names = 0;
    removal.is_disturbed = 0;
    lseek(directory, 0, SEEK_SET);
    if (cfs_each_name(directory, visit, &removal) != 0 && removal.error == 0) removal.error = errno;
    // The directory itself is gone.
    if (removal.error == ENOENT || removal.error == ENOTDIR) return 0;
    if (removal.error != 0) return removal.error;
    if (removal.is_disturbed) --*left;
    removal.moved_before = moved;
  } while (removal.has_names && *left > 0);
  return removal.has_names ? ENOTEMPTY : 0;
}

int cfs_remove_items(int directory) {
  int left = MOST_DISTURBANCES;
  int error = empty(directory, &left);
  return error == ENOTEMPTY ? 0 : error;
}

int cfs_remove_item(int directory, const char *name) {
  for (int left = MOST_DISTURBANCES; left > 0;) {
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
