#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

struct tap_folders tap_former;

/// The folder for notes.
static char notes[PATH_MAX];
/// The file that says which write fails.
static char growths_left[PATH_MAX];

void tap_read_notes(void) {
  const char *path = secure_getenv("BACKUP_TESTING_TAP_NOTES");
  if (path != NULL && path[0] == '/' && strlen(path) < sizeof notes) strcpy(notes, path);
  path = secure_getenv("BACKUP_TESTING_TAP_GROWTHS");
  if (path != NULL && path[0] == '/' && strlen(path) < sizeof growths_left) strcpy(growths_left, path);
}

const char *tap_notes_folder(const char *path) {
  return notes[0] != '\0' ? notes : tap_watched_folder(path);
}

void tap_note_path(const char *file, const char *path) {
  if (notes[0] != '\0') tap_note_text(notes, file, path);
}

void tap_note_text(const char *folder, const char *file, const char *text) {
  long opened = tap_open_to_append(folder, file);
  if (opened < 0) return;
  // One call, so that notes of several processes do not mix.
  tap_system(SYS_write, opened, (long)text, (long)strlen(text) + 1, 0);
  tap_system(SYS_close, opened, 0, 0, 0);
}

int tap_is_full(void) {
  struct stat status;
  if (growths_left[0] == '\0' || !tap_status(growths_left, &status) || !S_ISREG(status.st_mode)) {
    return 0;
  }
  if (status.st_size == 0) {
    tap_system(SYS_unlinkat, AT_FDCWD, (long)growths_left, 0, 0);
    return 1;
  }
  tap_system(SYS_truncate, (long)growths_left, status.st_size - 1, 0, 0);
  return 0;
}

/// The number of names that are kept of items that were looked up in moved folders.
enum { KEPT_NAMES = 64 };
/// The hashes of these names. The newest replaces the oldest.
static uint64_t names[KEPT_NAMES];
static unsigned name_count;

uint64_t tap_sum(const char *text) {
  uint64_t sum = 0xcbf29ce484222325;
  for (; *text != '\0'; text++) sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
  return sum | 1;
}

/// Returns 1 if an item with the same hash of its name was looked up in a moved folder.
static int was_looked_for(uint64_t sum) {
  for (unsigned index = 0; index < KEPT_NAMES; index++) {
    if (__atomic_load_n(&names[index], __ATOMIC_RELAXED) == sum) return 1;
  }
  return 0;
}

void tap_note_look(int directory, const char *path, int follows_last) {
  struct tap_place place;
  if (!tap_find_missing(&place, directory, path, follows_last)) return;
  int is_former = tap_rest(&tap_former, place.path) != NULL;
  if (!is_former && !tap_is_observed(place.path)) return;
  const char *slash = strrchr(place.path, '/');
  uint64_t sum = tap_sum(slash == NULL ? place.path : slash + 1);
  if (is_former) {
    unsigned index = __atomic_fetch_add(&name_count, 1, __ATOMIC_RELAXED) % KEPT_NAMES;
    __atomic_store_n(&names[index], sum, __ATOMIC_RELAXED);
  } else if (!was_looked_for(sum)) {
    return;
  }
  tap_note_path("former-paths", place.path);
  tap_note_vain_call(BACKUP_TESTING_TAP_LOOK, place.path);
}

/// Notes a lookup of a missing item below a root, and returns the call's result. Calls that do not follow a
/// link at the end do not count, because Foundation makes one for each URL.
static int end_look(int result, int directory, const char *path, int follows_last) {
  struct tap_place place;
  int error = errno;
  if (result >= 0 || error != ENOENT || !follows_last || notes[0] == '\0') return result;
  if (tap_find_missing(&place, directory, path, follows_last) &&
      tap_is_observed(place.path)) {
    tap_note_path("missing-items", place.path);
    tap_note_vain_call(BACKUP_TESTING_TAP_LOOK, place.path);
  }
  errno = error;
  return result;
}

TAP_EXPORT int stat(const char *path, struct stat *status) {
  if (tap_is_off()) return tap_next.stat(path, status);
  tap_look(AT_FDCWD, path, 1);
  return end_look(tap_next.stat(path, status), AT_FDCWD, path, 1);
}
TAP_EXPORT int stat64(const char *path, struct stat64 *status) {
  return stat(path, (struct stat *)status);
}

TAP_EXPORT int lstat(const char *path, struct stat *status) {
  if (!tap_is_off()) tap_look(AT_FDCWD, path, 0);
  return tap_next.lstat(path, status);
}
TAP_EXPORT int lstat64(const char *path, struct stat64 *status) {
  return lstat(path, (struct stat *)status);
}

TAP_EXPORT int fstatat(int directory, const char *path, struct stat *status, int flags) {
  if (tap_is_off()) return tap_next.fstatat(directory, path, status, flags);
  int follows = !(flags & AT_SYMLINK_NOFOLLOW);
  tap_look(directory, path, follows);
  return end_look(
      tap_next.fstatat(directory, path, status, flags), directory, path, follows);
}
TAP_EXPORT int fstatat64(
    int directory, const char *path, struct stat64 *status, int flags) {
  return fstatat(directory, path, (struct stat *)status, flags);
}

TAP_EXPORT int statx(
    int directory, const char *path, int flags, unsigned mask, struct statx *status) {
  if (tap_is_off()) return tap_next.statx(directory, path, flags, mask, status);
  int follows = !(flags & AT_SYMLINK_NOFOLLOW);
  tap_look(directory, path, follows);
  return end_look(
      tap_next.statx(directory, path, flags, mask, status), directory, path, follows);
}

TAP_EXPORT int access(const char *path, int mode) {
  if (tap_is_off()) return tap_next.access(path, mode);
  tap_look(AT_FDCWD, path, 1);
  return end_look(tap_next.access(path, mode), AT_FDCWD, path, 1);
}

TAP_EXPORT int faccessat(int directory, const char *path, int mode, int flags) {
  if (tap_is_off()) return tap_next.faccessat(directory, path, mode, flags);
  int follows = !(flags & AT_SYMLINK_NOFOLLOW);
  tap_look(directory, path, follows);
  return end_look(
      tap_next.faccessat(directory, path, mode, flags), directory, path, follows);
}

TAP_EXPORT DIR *opendir(const char *path) {
  if (!tap_is_off()) tap_look(AT_FDCWD, path, 1);
  return tap_next.opendir(path);
}

#endif
