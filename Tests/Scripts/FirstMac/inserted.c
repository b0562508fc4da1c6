/// A library that writes into which program it was loaded.

#include <stdio.h>
#include <stdlib.h>

#ifdef __APPLE__
#define NAME getprogname()
#else
extern char *program_invocation_short_name;
#define NAME program_invocation_short_name
#endif

__attribute__((constructor)) static void note(void) {
  const char *path = getenv("FIRST_MAC_INSERTED");
  FILE *file = path == NULL ? NULL : fopen(path, "a");
  if (file == NULL) return;
  fprintf(file, "%s\n", NAME);
  fclose(file);
}
