#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

/// The folders directly in which no item may be created.
static struct tap_folders refused;
/// The names of items that may be created there, joined by colons; NULL for none.
static const char *allowed;
/// The folders below which no item may be created or written to.
static struct tap_folders read_only;

int tap_read_refusals(void) {
  allowed = secure_getenv("BACKUP_TESTING_TAP_ALLOWED");
  int has_refused = tap_read_folders(&refused, "BACKUP_TESTING_TAP_REFUSED");
  return tap_read_folders(&read_only, "BACKUP_TESTING_TAP_READ_ONLY") || has_refused;
}

/// Returns 1 if items of this name may be created.
static int is_allowed(const char *name) {
  size_t length = strlen(name);
  for (const char *next = allowed; next != NULL; next = strchr(next, ':')) {
    if (*next == ':') next++;
    if (strncmp(next, name, length) == 0 && (next[length] == ':' || next[length] == '\0')) return 1;
  }
  return 0;
}

/// Returns 1 if a device refuses a call with this effect on an item.
static int is_refused(const char *path, int use) {
  struct stat status;
  int is_there = tap_status(path, &status);
  if (tap_rest(&read_only, path) != NULL) {
    return (use & TAP_PLACES) || (use & (is_there ? TAP_WRITES : TAP_MAKES));
  }
  const char *name = tap_rest(&refused, path);
  if (name == NULL || strchr(name, '/') != NULL || is_allowed(name)) return 0;
  return (use & TAP_PLACES) || (!is_there && (use & TAP_MAKES));
}

int tap_refuses(int directory, const char *path, int follows_last, int use) {
  struct tap_place place;
  if (refused.count == 0 && read_only.count == 0) return 0;
  int error = errno;
  int is_one = tap_find_below_root(&place, directory, path, follows_last) &&
      is_refused(place.path, use);
  if (is_one) {
    tap_note_path("refused-places", place.path);
    tap_note_vain_call(BACKUP_TESTING_TAP_REFUSED, place.path);
  }
  errno = is_one ? EPERM : error;
  return is_one;
}

#endif
