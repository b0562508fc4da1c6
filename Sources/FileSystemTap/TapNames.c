#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

// Calls that certainly fail are not logged, because apps create each folder of a path again and again.

/// A flag of `renameat2`, which an older C library does not define.
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

/// Logs a change of one or two items. Called under the lock.
static uint32_t note(uint32_t kind, const char *path, const char *other, int64_t argument) {
  return tap_note(&(struct tap_change){
      .kind = kind, .path = path, .other = other, .argument = argument});
}

/// An item, by a name that a call adds or changes.
struct item {
  struct tap_place place;
  int is_below;
  struct stat status;
};

/// Finds an item. Returns 1 if it is below a root.
static int find(struct item *item, int directory, const char *path, int follows_last) {
  item->is_below = tap_find(&item->place, directory, path, follows_last);
  return item->is_below;
}

/// Reads the status of an item. Returns 1 if it exists. Called under the lock.
static int is_there(struct item *item) {
  return tap_status(item->place.path, &item->status);
}

/// Returns 1 if a file from elsewhere is renamed to a path below a root where nothing exists.
static int arrives(struct item *from, struct item *to) {
  return to->is_below && !from->is_below && !is_there(to) && S_ISREG(from->status.st_mode);
}

/// Logs a renaming, except that of a file from elsewhere, which is logged afterwards.
static uint32_t note_rename(struct item *from, struct item *to, unsigned flags) {
  if (!is_there(from)) return 0;
  if (is_there(to)) {
    // Renaming between two names of one file changes nothing.
    int is_same = from->status.st_ino == to->status.st_ino &&
        from->status.st_dev == to->status.st_dev;
    if ((flags & RENAME_NOREPLACE) || is_same) return 0;
  } else if (flags & RENAME_EXCHANGE) {
    return 0;
  }
  const char *old = from->place.path;
  const char *new = to->place.path;
  if (from->is_below && to->is_below) return note(BACKUP_TESTING_TAP_RENAME, old, new, flags);
  if (arrives(from, to)) return 0;
  if (to->is_below) return note(BACKUP_TESTING_TAP_UNSEEN, new, NULL, 0);
  int is_told = !S_ISDIR(from->status.st_mode) && !(flags & RENAME_EXCHANGE);
  return note(is_told ? BACKUP_TESTING_TAP_UNLINK : BACKUP_TESTING_TAP_UNSEEN, old, NULL, 0);
}

/// Calls the next function of that name, or the system if an older C library has none.
static int rename_next(
    int directory, const char *old, int new_directory, const char *new, unsigned flags) {
  if (flags == 0) return tap_next.renameat(directory, old, new_directory, new);
  if (tap_next.renameat2 == NULL) {
    return (int)tap_next.syscall(SYS_renameat2, directory, old, new_directory, new, flags);
  }
  return tap_next.renameat2(directory, old, new_directory, new, flags);
}

/// Returns 1 if an item exists. A call that moves a missing item fails by itself.
static int is_named(int directory, const char *path) {
  struct stat status;
  return tap_system(
             SYS_newfstatat, directory, (long)path, (long)&status, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Logs and forwards a renaming.
static int rename_item(
    int directory, const char *old, int new_directory, const char *new, unsigned flags) {
  struct item from;
  struct item to;
  if (is_named(directory, old) && tap_refuses(new_directory, new, 0, TAP_PLACES)) return -1;
  int is_seen = find(&from, directory, old, 0);
  is_seen |= find(&to, new_directory, new, 0);
  if (!is_seen) return rename_next(directory, old, new_directory, new, flags);
  tap_lock();
  uint32_t number = note_rename(&from, &to, flags);
  int is_arrival = is_there(&from) && arrives(&from, &to);
  int result = rename_next(directory, old, new_directory, new, flags);
  if (is_arrival && result == 0) tap_note_arrival(to.place.path);
  return tap_end(number, result);
}

TAP_EXPORT int rename(const char *old, const char *new) {
  if (tap_is_off()) return tap_next.rename(old, new);
  return rename_item(AT_FDCWD, old, AT_FDCWD, new, 0);
}

TAP_EXPORT int renameat(int directory, const char *old, int new_directory, const char *new) {
  if (tap_is_off()) return tap_next.renameat(directory, old, new_directory, new);
  return rename_item(directory, old, new_directory, new, 0);
}

TAP_EXPORT int renameat2(
    int directory, const char *old, int new_directory, const char *new, unsigned flags) {
  if (tap_is_off()) return rename_next(directory, old, new_directory, new, flags);
  return rename_item(directory, old, new_directory, new, flags);
}

TAP_EXPORT int linkat(
    int directory, const char *old, int new_directory, const char *new, int flags) {
  struct item to;
  if (tap_is_off()) return tap_next.linkat(directory, old, new_directory, new, flags);
  if (tap_refuses(new_directory, new, 0, TAP_MAKES)) return -1;
  if (!find(&to, new_directory, new, 0)) {
    return tap_next.linkat(directory, old, new_directory, new, flags);
  }
  struct item from;
  find(&from, directory, old, flags & AT_SYMLINK_FOLLOW);
  tap_lock();
  uint32_t number = 0;
  // A file without a name has no path.
  int is_arrival = !is_there(&to) && !(from.is_below && is_there(&from));
  if (!is_there(&to) && !is_arrival) {
    number = note(BACKUP_TESTING_TAP_HARD_LINK, from.place.path, to.place.path, 0);
  }
  int result = tap_next.linkat(directory, old, new_directory, new, flags);
  if (is_arrival && result == 0) tap_note_arrival(to.place.path);
  return tap_end(number, result);
}

TAP_EXPORT int link(const char *old, const char *new) {
  if (tap_is_off()) return tap_next.link(old, new);
  return linkat(AT_FDCWD, old, AT_FDCWD, new, 0);
}

TAP_EXPORT int symlinkat(const char *target, int directory, const char *path) {
  struct item item;
  if (tap_is_off()) return tap_next.symlinkat(target, directory, path);
  if (tap_refuses(directory, path, 0, TAP_MAKES)) return -1;
  if (!find(&item, directory, path, 0)) return tap_next.symlinkat(target, directory, path);
  tap_lock();
  uint32_t number = 0;
  if (!is_there(&item)) {
    struct iovec data = tap_text(target);
    number = tap_note(&(struct tap_change){
        .kind = BACKUP_TESTING_TAP_SYMBOLIC_LINK,
        .path = item.place.path,
        .data = &data,
        .pieces = 1,
    });
  }
  return tap_end(number, tap_next.symlinkat(target, directory, path));
}

TAP_EXPORT int symlink(const char *target, const char *path) {
  if (tap_is_off()) return tap_next.symlink(target, path);
  return symlinkat(target, AT_FDCWD, path);
}

/// Logs the removal of a name, if the item is of the kind that the call removes: a directory, or any other
/// item.
static uint32_t note_removal(struct item *item, int is_directory) {
  if (!is_there(item) || S_ISDIR(item->status.st_mode) != is_directory) return 0;
  int kind = is_directory ? BACKUP_TESTING_TAP_REMOVE_DIRECTORY : BACKUP_TESTING_TAP_UNLINK;
  return note((uint32_t)kind, item->place.path, NULL, 0);
}

TAP_EXPORT int unlinkat(int directory, const char *path, int flags) {
  struct item item;
  if (tap_is_off() || !find(&item, directory, path, 0)) {
    return tap_next.unlinkat(directory, path, flags);
  }
  tap_lock();
  uint32_t number = note_removal(&item, (flags & AT_REMOVEDIR) != 0);
  return tap_end(number, tap_next.unlinkat(directory, path, flags));
}

TAP_EXPORT int unlink(const char *path) {
  return tap_is_off() ? tap_next.unlink(path) : unlinkat(AT_FDCWD, path, 0);
}

TAP_EXPORT int rmdir(const char *path) {
  return tap_is_off() ? tap_next.rmdir(path) : unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

TAP_EXPORT int remove(const char *path) {
  struct item item;
  if (tap_is_off() || !find(&item, AT_FDCWD, path, 0)) return tap_next.remove(path);
  tap_lock();
  int is_directory = is_there(&item) && S_ISDIR(item.status.st_mode);
  uint32_t number = note_removal(&item, is_directory);
  return tap_end(number, tap_next.remove(path));
}

TAP_EXPORT int mkdirat(int directory, const char *path, mode_t mode) {
  struct item item;
  if (tap_is_off()) return tap_next.mkdirat(directory, path, mode);
  if (tap_refuses(directory, path, 0, TAP_MAKES)) return -1;
  if (!find(&item, directory, path, 0)) return tap_next.mkdirat(directory, path, mode);
  tap_lock();
  uint32_t number = 0;
  if (!is_there(&item)) number = note(BACKUP_TESTING_TAP_MAKE_DIRECTORY, item.place.path, NULL, 0);
  return tap_end(number, tap_next.mkdirat(directory, path, mode));
}

TAP_EXPORT int mkdir(const char *path, mode_t mode) {
  return tap_is_off() ? tap_next.mkdir(path, mode) : mkdirat(AT_FDCWD, path, mode);
}

#endif
