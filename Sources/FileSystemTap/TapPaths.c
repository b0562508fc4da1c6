#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

/// The number of links in a path that are followed, as by the kernel.
enum { MOST_LINKS = 40 };

struct tap_folders tap_roots;

int tap_status(const char *path, struct stat *status) {
  return tap_system(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, AT_SYMLINK_NOFOLLOW) == 0;
}

int tap_open_status(int descriptor, struct stat *status) {
  return tap_system(SYS_fstat, descriptor, (long)status, 0, 0) == 0;
}

const char *tap_rest(const struct tap_folders *folders, const char *path) {
  for (size_t index = 0; index < folders->count; index++) {
    size_t length = strlen(folders->paths[index]);
    if (strncmp(path, folders->paths[index], length) != 0) continue;
    if (path[length] == '/' && path[length + 1] != '\0') return path + length + 1;
  }
  return NULL;
}

int tap_is_observed(const char *path) {
  return tap_rest(&tap_roots, path) != NULL || tap_watched_folder(path) != NULL;
}

/// Reads the target of a link. Returns its length, or a negative error number.
static long read_link(const char *link, char path[PATH_MAX]) {
  long length = tap_system(SYS_readlinkat, AT_FDCWD, (long)link, (long)path, PATH_MAX - 1);
  if (length >= 0) path[length] = '\0';
  return length;
}

/// Reads the system's path of an open file. Returns 0 if it has none.
static int read_open_path(int descriptor, char path[PATH_MAX]) {
  char link[32] = "/proc/self/fd/";
  char digits[12];
  size_t end = strlen(link);
  int count = 0;
  if (descriptor < 0) return 0;
  do {
    digits[count++] = (char)('0' + descriptor % 10);
    descriptor /= 10;
  } while (descriptor > 0);
  while (count > 0) link[end++] = digits[--count];
  link[end] = '\0';
  return read_link(link, path) > 0 && path[0] == '/';
}

/// A path that is resolved component by component.
struct walk {
  /// The resolved part: an absolute path without a slash at its end.
  char *done;
  /// The remaining part.
  char rest[PATH_MAX];
  /// The number of links that were followed.
  int links;
  /// True if a directory in the path may be missing.
  int may_be_missing;
};

/// Removes the last name of the resolved part.
static void go_up(struct walk *walk) {
  char *slash = strrchr(walk->done, '/');
  if (slash != NULL) *slash = '\0';
}

/// Appends a name to the resolved part. Returns 0 if the path gets too long.
static int go_down(struct walk *walk, const char *name, size_t length) {
  size_t end = strlen(walk->done);
  if (end + 1 + length >= PATH_MAX) return 0;
  walk->done[end] = '/';
  memcpy(walk->done + end + 1, name, length);
  walk->done[end + 1 + length] = '\0';
  return 1;
}

/// Continues with the target of a link and the rest of the path. Returns 0 if that is too long, or for too many
/// links.
static int follow(struct walk *walk, char target[PATH_MAX], const char *rest) {
  size_t length = strlen(target);
  size_t more = strlen(rest);
  if (++walk->links > MOST_LINKS || length + 1 + more >= PATH_MAX) return 0;
  if (more > 0) {
    target[length] = '/';
    memcpy(target + length + 1, rest, more + 1);
  }
  if (target[0] == '/') walk->done[0] = '\0'; else go_up(walk);
  strcpy(walk->rest, target);
  return 1;
}

/// Resolves the remaining part. Its last item may be missing. Returns 0 if the path leads nowhere.
static int resolve(struct walk *walk, int follows_last) {
  char target[PATH_MAX];
  const char *next = walk->rest;
  for (;;) {
    next += strspn(next, "/");
    size_t length = strcspn(next, "/");
    if (length == 0) return 1;
    const char *name = next;
    next += length;
    next += strspn(next, "/");
    int is_last = *next == '\0';
    if (length == 1 && name[0] == '.') continue;
    if (length == 2 && name[0] == '.' && name[1] == '.') {
      go_up(walk);
      continue;
    }
    if (!go_down(walk, name, length)) return 0;
    if (is_last && !follows_last) return 1;
    long result = read_link(walk->done, target);
    if (result == -ENOENT && walk->may_be_missing) continue;
    if (result == -ENOENT) return is_last;
    if (result < 0 && result != -EINVAL) return 0;
    if (result < 0) continue;
    if (!follow(walk, target, next)) return 0;
    next = walk->rest;
  }
}

/// Writes the directory at which relative paths begin. Returns 0 if it is unknown.
static int find_directory(int directory, char path[PATH_MAX]) {
  if (directory != AT_FDCWD) {
    if (!read_open_path(directory, path)) return 0;
  } else if (tap_system(SYS_getcwd, (long)path, PATH_MAX, 0, 0) <= 0 || path[0] != '/') {
    return 0;
  }
  if (path[1] == '\0') path[0] = '\0';
  return 1;
}

/// Finds a place, below a root or not. Returns 0 if there is none.
static int find(
    char place[PATH_MAX], int directory, const char *path, int follows_last, int may_be_missing) {
  struct walk walk;
  walk.done = place;
  walk.links = 0;
  walk.may_be_missing = may_be_missing;
  place[0] = '\0';
  size_t length = path == NULL ? 0 : strnlen(path, PATH_MAX);
  if (length == 0 || length == PATH_MAX) return 0;
  memcpy(walk.rest, path, length + 1);
  if (path[0] != '/' && !find_directory(directory, place)) return 0;
  return resolve(&walk, follows_last);
}

int tap_find_below_root(
    struct tap_place *place, int directory, const char *path, int follows_last) {
  place->is_renamed = 0;
  return find(place->path, directory, path, follows_last, 0) &&
      tap_is_observed(place->path);
}

int tap_find(struct tap_place *place, int directory, const char *path, int follows_last) {
  if (!tap_sees_changes || !tap_find_below_root(place, directory, path, follows_last)) return 0;
  if (tap_is_recording) tap_prepare_change(place->path);
  return 1;
}

int tap_find_missing(struct tap_place *place, int directory, const char *path, int follows_last) {
  place->is_renamed = 0;
  return find(place->path, directory, path, follows_last, 1);
}

int tap_find_open(struct tap_place *place, int descriptor, struct stat *status) {
  static const char gone[] = " (deleted)";
  place->is_renamed = 0;
  if (!tap_sees_changes) return 0;
  if (!tap_open_status(descriptor, status) || status->st_nlink == 0) return 0;
  if (!read_open_path(descriptor, place->path)) return 0;
  if (!tap_is_observed(place->path)) return 0;
  if (tap_is_recording) tap_prepare_change(place->path);
  size_t length = strlen(place->path);
  size_t end = length < sizeof gone ? 0 : length - (sizeof gone - 1);
  struct stat named;
  if (end == 0 || strcmp(place->path + end, gone) != 0) return 1;
  if (tap_status(place->path, &named) && named.st_ino == status->st_ino) return 1;
  place->path[end] = '\0';
  place->is_renamed = 1;
  return 1;
}

int tap_read_folders(struct tap_folders *folders, const char *variable) {
  const char *list = secure_getenv(variable);
  if (list == NULL) return 0;
  size_t most = 1;
  for (const char *colon = list; (colon = strchr(colon, ':')) != NULL; colon++) most++;
  int use = PROT_READ | PROT_WRITE;
  char (*paths)[PATH_MAX] = tap_next.mmap(
      NULL, most * sizeof *paths, use, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (paths == MAP_FAILED) return 0;
  size_t count = 0;
  for (size_t index = 0; index < most; index++) {
    char path[PATH_MAX];
    size_t length = strcspn(list, ":");
    if (length < sizeof path && list[0] == '/') {
      memcpy(path, list, length);
      path[length] = '\0';
      if (find(paths[count], AT_FDCWD, path, 1, 1)) count++;
    }
    list += length + (list[length] == ':');
  }
  folders->paths = paths;
  folders->count = count;
  return count > 0;
}

#endif
