#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

// The C library creates these files without a call that this library defines. So below a root, this library
// finds their names itself.

/// The number of letters in a template that are replaced, and the number of names that are tried.
enum { LETTERS = 6, MOST_ATTEMPTS = 100 };

/// Returns the letters of a template that are replaced; NULL if it has none, or is not below a root.
static char *letters_of(char *template, int suffix) {
  struct tap_place place;
  size_t length = template == NULL ? 0 : strlen(template);
  if (suffix < 0 || length < (size_t)suffix + LETTERS) return NULL;
  char *letters = template + length - (size_t)suffix - LETTERS;
  if (strncmp(letters, "XXXXXX", LETTERS) != 0) return NULL;
  return tap_find_below_root(&place, AT_FDCWD, template, 0) ? letters : NULL;
}

/// Replaces the letters with random ones.
static void replace(char *letters) {
  static const char choice[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  uint64_t random = 0;
  tap_system(SYS_getrandom, (long)&random, sizeof random, 0, 0);
  for (int index = 0; index < LETTERS; index++) {
    letters[index] = choice[random % (sizeof choice - 1)];
    random /= sizeof choice - 1;
  }
}

/// Creates a file with a new name, and returns its descriptor.
static int make_file(char *template, char *letters, int flags) {
  int opened = -1;
  flags = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    replace(letters);
    opened = open(template, flags, 0600);
    if (opened >= 0 || errno != EEXIST) break;
  }
  return opened;
}

TAP_EXPORT int mkostemps(char *template, int suffix, int flags) {
  char *letters = tap_is_off() ? NULL : letters_of(template, suffix);
  if (letters == NULL) return tap_next.mkostemps(template, suffix, flags);
  return make_file(template, letters, flags);
}
TAP_ALSO(mkostemps64, mkostemps);

TAP_EXPORT int mkstemps(char *template, int suffix) {
  char *letters = tap_is_off() ? NULL : letters_of(template, suffix);
  return letters == NULL ? tap_next.mkstemps(template, suffix) : make_file(template, letters, 0);
}
TAP_ALSO(mkstemps64, mkstemps);

TAP_EXPORT int mkostemp(char *template, int flags) {
  char *letters = tap_is_off() ? NULL : letters_of(template, 0);
  return letters == NULL ? tap_next.mkostemp(template, flags) : make_file(template, letters, flags);
}
TAP_ALSO(mkostemp64, mkostemp);

TAP_EXPORT int mkstemp(char *template) {
  char *letters = tap_is_off() ? NULL : letters_of(template, 0);
  return letters == NULL ? tap_next.mkstemp(template) : make_file(template, letters, 0);
}
TAP_ALSO(mkstemp64, mkstemp);

TAP_EXPORT char *mkdtemp(char *template) {
  char *letters = tap_is_off() ? NULL : letters_of(template, 0);
  if (letters == NULL) return tap_next.mkdtemp(template);
  int result = -1;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    replace(letters);
    result = mkdir(template, 0700);
    if (result == 0 || errno != EEXIST) break;
  }
  return result == 0 ? template : NULL;
}

#endif
