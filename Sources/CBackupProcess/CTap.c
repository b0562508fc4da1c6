#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CTap.h"

#include <dlfcn.h>
#include <string.h>

const char *cpr_tap_name(void) {
#ifdef __linux__
  return "libFileSystemTap.so";
#else
  return NULL;
#endif
}

int cpr_find_linked_tap(char *path, size_t size) {
  Dl_info library;
  const void *function = dlsym(RTLD_DEFAULT, "backup_testing_tap_version");
  if (function == NULL || dladdr(function, &library) == 0) return 0;
  size_t length = strlen(library.dli_fname);
  if (length >= size) return 0;
  memcpy(path, library.dli_fname, length + 1);
  return 1;
}

void cpr_finish_tap(void) {
  void (*finish)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "backup_testing_tap_finish");
  if (finish != NULL) finish();
}

void cpr_call_before_changes(void (*function)(void)) {
  void (*take)(void (*)(void)) =
      (void (*)(void (*)(void)))dlsym(RTLD_DEFAULT, "backup_testing_tap_before_changes");
  if (take != NULL) take(function);
}
