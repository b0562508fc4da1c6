#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CTreeWalk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __APPLE__
#define PREFIX ""
#define MODIFIED st_mtimespec
#else
#include <sys/syscall.h>
#define PREFIX "user."
#define MODIFIED st_mtim
#ifndef SYS_listxattrat
#if defined(__aarch64__) || (defined(__x86_64__) && !defined(__ILP32__))
#define SYS_listxattrat 465
#else
#define SYS_listxattrat -1
#endif
#endif
#endif

/// The bits of an item's marks.
enum mark { RESOURCE_VALUE = 1, EXTENDED_ATTRIBUTE = 2 };

/// One item of a directory.
struct item {
  const char *name;
  int64_t size;
  uint64_t inode;
  int64_t modified;
  struct ctw_directory *directory;
  mode_t mode;
  int marks;
};

struct ctw_directory {
  /// The items, sorted by name.
  struct item *items;
  size_t count;
  size_t capacity;
  /// The names, each ended by a NUL.
  char *names;
  size_t used;
  size_t size;
};

int ctw_has_listxattrat(void) {
#ifdef __APPLE__
  return 0;
#else
  static int known = -1;
  if (known < 0) {
    known = syscall(SYS_listxattrat, -1, "name", AT_SYMLINK_NOFOLLOW, NULL, 0) < 0 && errno == EBADF;
  }
  return known;
#endif
}

/// Lists the attributes of `name` in `directory`. If the kernel has no `listxattrat`, `directory`
/// has to be the working directory.
static ssize_t list_attributes(int directory, const char *name, char *names, size_t size) {
#ifdef __APPLE__
  (void)directory;
  return listxattr(name, names, size, XATTR_NOFOLLOW);
#else
  if (!ctw_has_listxattrat()) return llistxattr(name, names, size);
  return syscall(SYS_listxattrat, directory, name, AT_SYMLINK_NOFOLLOW, names, size);
#endif
}

/// Returns the marks in a list of attribute names.
static int marks_in(const char *names, ssize_t size) {
  int marks = 0;
  for (const char *name = names; name < names + size; name += strlen(name) + 1) {
    if (strcmp(name, PREFIX "com.apple.metadata:com_apple_backup_excludeItem") == 0) {
      marks |= RESOURCE_VALUE;
    } else if (strcmp(name, PREFIX "com.apple.MobileBackup") == 0) {
      marks |= EXTENDED_ATTRIBUTE;
    }
  }
  return marks;
}

/// Adds an item with a name. The item has the offset of its name until `read_names` has read all
/// names, because `realloc` can move them.
static int add_name(struct ctw_directory *directory, const char *name) {
  size_t length = strlen(name) + 1;
  if (directory->used + length > directory->size) {
    directory->size = directory->size == 0 ? 1024 : 2 * directory->size;
    directory->names = realloc(directory->names, directory->size);
  }
  if (directory->count == directory->capacity) {
    directory->capacity = directory->capacity == 0 ? 16 : 2 * directory->capacity;
    directory->items =
        realloc(directory->items, directory->capacity * sizeof *directory->items);
  }
  if (directory->names == NULL || directory->items == NULL) return -1;
  memcpy(directory->names + directory->used, name, length);
  struct item item = {.name = (const char *)directory->used};
  directory->items[directory->count++] = item;
  directory->used += length;
  return 0;
}

/// Orders items by their names.
static int compare(const void *left, const void *right) {
  return strcmp(((const struct item *)left)->name, ((const struct item *)right)->name);
}

/// Reads the names in an open directory.
static int read_names(DIR *stream, struct ctw_directory *directory) {
  struct dirent *entry;
  while (errno = 0, (entry = readdir(stream)) != NULL) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    if (add_name(directory, name) != 0) return -1;
  }
  if (errno != 0) return -1;
  for (size_t index = 0; index < directory->count; index++) {
    directory->items[index].name = directory->names + (size_t)directory->items[index].name;
  }
  qsort(directory->items, directory->count, sizeof *directory->items, compare);
  return 0;
}

static struct ctw_directory *scan_directory(int file);

/// Reads the status and the marks of an item, and the contents of a directory.
static int read_item(int directory, struct item *item) {
  struct stat status;
  if (fstatat(directory, item->name, &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  item->mode = status.st_mode;
  item->size = status.st_size;
  item->inode = status.st_ino;
  item->modified = status.MODIFIED.tv_sec * INT64_C(1000000000) + status.MODIFIED.tv_nsec;
  if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) return 0;
  char names[4096];
  ssize_t size = list_attributes(directory, item->name, names, sizeof names);
  if (size < 0) return -1;
  item->marks = marks_in(names, size);
  if (!S_ISDIR(status.st_mode)) return 0;
  int options = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  item->directory = scan_directory(openat(directory, item->name, options));
  if (item->directory == NULL) return -1;
  return ctw_has_listxattrat() ? 0 : fchdir(directory);
}

/// Reads an open directory and closes it.
static struct ctw_directory *scan_directory(int file) {
  DIR *stream = file < 0 ? NULL : fdopendir(file);
  if (stream == NULL) return NULL;
  struct ctw_directory *directory = calloc(1, sizeof *directory);
  if (directory == NULL) return NULL;
  int result = ctw_has_listxattrat() ? 0 : fchdir(file);
  if (result == 0) result = read_names(stream, directory);
  for (size_t index = 0; result == 0 && index < directory->count; index++) {
    result = read_item(file, &directory->items[index]);
  }
  closedir(stream);
  if (result == 0) return directory;
  ctw_free(directory);
  return NULL;
}

struct ctw_directory *ctw_scan(const char *root) {
  return scan_directory(open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

struct ctw_count ctw_count(const struct ctw_directory *directory) {
  struct ctw_count sum = {(int64_t)directory->count, 0};
  for (size_t index = 0; index < directory->count; index++) {
    const struct item *item = &directory->items[index];
    sum.marked += item->marks & RESOURCE_VALUE;
    if (item->directory == NULL) continue;
    struct ctw_count inner = ctw_count(item->directory);
    sum.items += inner.items;
    sum.marked += inner.marked;
  }
  return sum;
}

void ctw_free(struct ctw_directory *directory) {
  for (size_t index = 0; index < directory->count; index++) {
    if (directory->items[index].directory != NULL) ctw_free(directory->items[index].directory);
  }
  free(directory->items);
  free(directory->names);
  free(directory);
}
