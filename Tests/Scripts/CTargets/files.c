#define _GNU_SOURCE
#include "CExtendedAttributes.h"
#include "CExtents.h"
#include "CFileStatus.h"
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 4, FILES = 2000 };

/// Text of a length that the caller frees, so that what reads beyond its end is seen.
static char *text_of(size_t length, char letter) {
  char *text = malloc(length + 1);
  EXPECT(text != NULL);
  memset(text, letter, length);
  text[length] = '\0';
  return text;
}

/// An attribute with a name of each length about the longest, and lists in buffers of each size.
static void try_attributes(struct cea_place place) {
  for (size_t length = 1; length <= NAME_MAX + 2; length += length < 240 ? 60 : 1) {
    char *name = text_of(length, 'n');
    char *value = text_of(64, 'v');
    int is_set = cea_set_in(&place, name, value, 64) == 0;
    EXPECT(is_set == (length <= 250));
    ssize_t size = cea_get_in(&place, name, NULL, 0);
    EXPECT(size == (is_set ? 64 : -1));
    EXPECT(!is_set || cea_get_in(&place, name, value, 64) == 64);
    EXPECT(!is_set || (cea_get_in(&place, name, value, 63) < 0 && errno == ERANGE));
    ssize_t whole = cea_list_in(&place, NULL, 0);
    EXPECT(!is_set || whole >= (ssize_t)length + 1);
    for (ssize_t capacity = 0; capacity <= whole; capacity++) {
      char *names = text_of((size_t)capacity, '-');
      ssize_t listed = cea_list_in(&place, names, (size_t)capacity);
      EXPECT(capacity == 0 || listed < 0 || listed == (ssize_t)length + 1);
      free(names);
    }
    EXPECT((cea_remove_in(&place, name) == 0) == is_set);
    EXPECT(cea_remove_in(&place, name) < 0);
    EXPECT(!is_set || cea_is_missing_error(errno));
    free(value);
    free(name);
  }
}

/// Paths and names of each length about the longest that the system takes.
static void try_long_paths(void) {
  char value;
  for (size_t length = PATH_MAX - 8; length <= PATH_MAX + 2; length++) {
    char *path = text_of(length, '/');
    path[0] = '.';
    struct cea_place place = {-1, path, "file"};
    EXPECT((cea_get_in(&place, "none", &value, 1)) < 0);
    EXPECT(cea_is_missing_error(errno) == (length + sizeof "/file" <= PATH_MAX));
    EXPECT(cfs_open_beneath(path, "") < 0 || length < PATH_MAX);
    free(path);
  }
  for (size_t length = NAME_MAX - 1; length <= NAME_MAX + 2; length++) {
    char *name = text_of(length, 'n');
    EXPECT(cfs_open_beneath(".", name) < 0);
    EXPECT(errno == (length <= NAME_MAX ? ENOENT : ENAMETOOLONG));
    free(name);
  }
}

/// Directories below others, with links between.
static void try_lookups(void) {
  EXPECT(mkdir("a", 0700) == 0 && mkdir("a/b", 0700) == 0 && symlink("a", "link") == 0);
  int directory = cfs_open_beneath(".", "a//b/");
  EXPECT(directory >= 0);
  struct cfs_status status;
  EXPECT(cfs_status_in(directory, "..", &status) == 0 && status.kind == CFS_DIRECTORY);
  EXPECT(cfs_status_in(directory, "none", &status) < 0 && errno == ENOENT);
  close(directory);
  EXPECT(cfs_open_beneath(".", "link/b") < 0 && errno == ENOTDIR);
  EXPECT(cfs_open_beneath(".", "file") < 0 && errno == ENOTDIR);
  EXPECT(cfs_set_permissions_in(AT_FDCWD, "file", 0640) == 0);
  EXPECT(cfs_set_permissions_in(AT_FDCWD, "link", 0640) < 0);
  EXPECT(cfs_status_in(AT_FDCWD, "file", &status) == 0 && status.permissions == 0640);
}

/// The first, the last and odd times.
static void try_times(void) {
  const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -1000000001, -1, 0, 1, 999999999, INT64_MAX};
  for (size_t at = 0; at < sizeof times / sizeof *times; at++) {
    struct cfs_status status;
    EXPECT(cfs_set_modified("file", times[at]) == 0);
    EXPECT(cfs_status_in(AT_FDCWD, "file", &status) == 0);
    int is_kept = times[at] > -2000000000 && times[at] < 2000000000;
    EXPECT(!is_kept || status.modified == times[at]);
  }
}

/// Counts names, and reads each to its end.
static void count_name(const char *name, void *context) {
  if (strlen(name) > 2) ++*(int *)context;
}

/// More names than one read of a directory brings, of many lengths.
static void try_names(void) {
  EXPECT(mkdir("many", 0700) == 0);
  for (int number = 0; number < FILES; number++) {
    char path[NAME_MAX + 8];
    snprintf(path, sizeof path, "many/%0*d", 4 + number % (NAME_MAX - 4), number);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    EXPECT(file >= 0);
    close(file);
  }
  int directory = open("many", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int count = 0;
  EXPECT(directory >= 0 && cfs_each_name(directory, count_name, &count) == 0 && count == FILES);
  close(directory);
  EXPECT(cfs_each_name(directory, count_name, &count) < 0 && errno == EBADF);
}

/// Asks for an attribute, as several threads do at once.
static void *ask(void *context) {
  struct cea_place place = {*(int *)context, NULL, "file"};
  char value;
  EXPECT(cea_get_in(&place, "none", &value, 1) < 0 && cea_is_missing_error(errno));
  return NULL;
}

void try_files(void) {
  int file = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT(file >= 0 && here >= 0 && ftruncate(file, 1 << 20) == 0);
  struct cfs_extent extent;
  EXPECT(cfs_next_extent(file, 0, 1 << 20, &extent) == 0);
  EXPECT(cfs_read_next_extent(file, 0, 1 << 20, &extent) == 0);
  EXPECT(pwrite(file, "a", 1, 70000) == 1);
  EXPECT(cfs_read_next_extent(file, 0, 1 << 20, &extent) == 1);
  EXPECT(extent.begin <= 70000 && extent.end > 70000);
  pthread_t threads[THREADS];
  for (int at = 0; at < THREADS; at++) {
    EXPECT(pthread_create(&threads[at], NULL, ask, &here) == 0);
  }
  for (int at = 0; at < THREADS; at++) EXPECT(pthread_join(threads[at], NULL) == 0);
  try_attributes((struct cea_place){here, NULL, "file"});
  try_attributes((struct cea_place){-1, ".", "file"});
  try_long_paths();
  try_lookups();
  try_times();
  try_names();
  close(here);
  close(file);
}
