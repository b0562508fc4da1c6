#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

/// A folder that is watched for the code that changes what is below it. None is freed, because another
/// thread may still read it.
struct watched {
  /// How many calls watch it.
  int uses;
  size_t length;
  char path[];
};

enum { MOST_WATCHED = 64 };
static struct watched *watched[MOST_WATCHED];
static int watched_count;

/// The index of a folder, or of an empty place if the path is NULL; -1 for none.
static int index_of(const char *path) {
  for (int index = 0; index < MOST_WATCHED; index++) {
    const struct watched *folder = watched[index];
    if (path == NULL ? folder == NULL : folder != NULL && strcmp(folder->path, path) == 0) return index;
  }
  return -1;
}

static void add(const char *path) {
  int index = index_of(NULL);
  size_t length = strlen(path);
  struct watched *folder = index < 0 ? NULL : malloc(sizeof *folder + length + 1);
  if (folder == NULL) return;
  folder->uses = 1;
  folder->length = length;
  memcpy(folder->path, path, length + 1);
  tap_see_changes();
  __atomic_store_n(&watched[index], folder, __ATOMIC_RELEASE);
  watched_count++;
  __atomic_store_n(&tap_state, TAP_ON, __ATOMIC_RELEASE);
}

static void take_away(int index) {
  __atomic_store_n(&watched[index], NULL, __ATOMIC_RELEASE);
  if (--watched_count == 0) __atomic_store_n(&tap_state, TAP_OFF, __ATOMIC_RELEASE);
}

void backup_testing_tap_note_calls(const char *folder, int is_on) {
  struct tap_place place;
  // The first call of all finds out what the environment says.
  tap_is_off();
  if (tap_is_told || !tap_find_missing(&place, AT_FDCWD, folder, 1)) return;
  tap_lock();
  int index = index_of(place.path);
  if (index >= 0) {
    watched[index]->uses += is_on ? 1 : -1;
    if (watched[index]->uses == 0) take_away(index);
  } else if (is_on) {
    add(place.path);
  }
  tap_unlock();
}

const char *tap_watched_folder(const char *path) {
  for (int index = 0; index < MOST_WATCHED; index++) {
    const struct watched *folder = __atomic_load_n(&watched[index], __ATOMIC_ACQUIRE);
    if (folder == NULL || strncmp(path, folder->path, folder->length) != 0) continue;
    if (path[folder->length] == '/') return folder->path;
  }
  return NULL;
}

#endif
