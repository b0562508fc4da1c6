#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

/// A folder in which the library notes the code that changes items below it. Folders are never freed, because
/// another thread may still read one. A folder that is not watched is used again for the same path.
struct watched {
  /// The folder that was added before this one.
  struct watched *former;
  /// The number of calls that watch it.
  int uses;
  size_t length;
  char path[];
};

enum { MOST_WATCHED = 256 };
static struct watched *watched[MOST_WATCHED];
static int watched_count;
/// The folder that was added last, from which all others can be reached.
static struct watched *newest;

static int is_watched(const struct watched *folder) {
  return folder != NULL && __atomic_load_n(&folder->uses, __ATOMIC_ACQUIRE) > 0;
}

/// Returns a folder, watched or not; NULL if it is not in the list.
static struct watched *find(const char *path) {
  for (int index = 0; index < MOST_WATCHED; index++) {
    if (watched[index] != NULL && strcmp(watched[index]->path, path) == 0) return watched[index];
  }
  return NULL;
}

/// Adds a folder in the place of one that is not watched. Returns NULL if there is no room.
static struct watched *add(const char *path) {
  int index = 0;
  while (index < MOST_WATCHED && is_watched(watched[index])) index++;
  size_t length = strlen(path);
  struct watched *folder = index == MOST_WATCHED ? NULL : malloc(sizeof *folder + length + 1);
  if (folder == NULL) return NULL;
  folder->former = newest;
  newest = folder;
  folder->uses = 0;
  folder->length = length;
  memcpy(folder->path, path, length + 1);
  __atomic_store_n(&watched[index], folder, __ATOMIC_RELEASE);
  return folder;
}

/// Changes the number of calls that watch a folder by one.
static void count(struct watched *folder, int is_on) {
  int uses = folder->uses + (is_on ? 1 : -1);
  if (uses < 0) return;
  if (is_on && uses == 1) watched_count++;
  if (uses == 0) watched_count--;
  __atomic_store_n(&folder->uses, uses, __ATOMIC_RELEASE);
  __atomic_store_n(&tap_state, watched_count > 0 ? TAP_ON : TAP_OFF, __ATOMIC_RELEASE);
}

void backup_testing_tap_note_calls(const char *folder, int is_on) {
  struct tap_place place;
  // The first call reads the environment.
  tap_is_off();
  if (tap_is_configured || !tap_find_missing(&place, AT_FDCWD, folder, 1)) return;
  tap_lock();
  struct watched *found = find(place.path);
  if (found == NULL && is_on) found = add(place.path);
  if (is_on) tap_observe_changes();
  if (found != NULL) count(found, is_on);
  tap_unlock();
}

const char *tap_watched_folder(const char *path) {
  for (int index = 0; index < MOST_WATCHED; index++) {
    const struct watched *folder = __atomic_load_n(&watched[index], __ATOMIC_ACQUIRE);
    if (!is_watched(folder) || strncmp(path, folder->path, folder->length) != 0) continue;
    if (path[folder->length] == '/') return folder->path;
  }
  return NULL;
}

#endif
