#include "CArguments.h"

#include <stdlib.h>

/// The arguments of `main`.
static char **words;

#if defined(__GLIBC__) || defined(__APPLE__)

/// Called by these loaders with the arguments of `main`.
__attribute__((constructor)) static void note(int count, char **arguments) {
  if (count > 0) words = arguments;
}

#endif

char **cpr_arguments(void) {
  return words;
}
