#include "CArguments.h"

#include <stdlib.h>

/// What `main` was given.
static char **words;

#if defined(__GLIBC__) || defined(__APPLE__)

/// Is called with what `main` is given, by these loaders.
__attribute__((constructor)) static void note(int count, char **arguments) {
  if (count > 0) words = arguments;
}

#endif

char **cpr_arguments(void) {
  return words;
}
