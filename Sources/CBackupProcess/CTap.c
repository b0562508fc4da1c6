#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CTap.h"

#include <dlfcn.h>
#include <string.h>

#include "CProcess.h"
#include "ProcessStart.h"

#ifdef CAN_START
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
#endif

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

#ifdef CAN_START

/// Reads to the end; returns the bytes with a NUL behind them, or NULL where memory or a read fails.
static char *read_all(int descriptor) {
  size_t length = 0;
  size_t size = 1 << 16;
  char *text = malloc(size);
  while (text != NULL) {
    ssize_t count = read(descriptor, text + length, size - length - 1);
    if (count == 0) {
      text[length] = '\0';
      return text;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    length += (size_t)count;
    if (size - length > 1) continue;
    size *= 2;
    char *larger = realloc(text, size);
    if (larger == NULL) break;
    text = larger;
  }
  free(text);
  return NULL;
}

char *cpr_run_tool(char *const arguments[]) {
  int32_t ends[2];
  pid_t process;
  posix_spawn_file_actions_t actions;
  if (cpr_pipe(ends) != 0) return NULL;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char *text = error == 0 ? read_all(ends[0]) : NULL;
  close(ends[0]);
  if (error != 0) return NULL;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (status == 0) return text;
  free(text);
  return NULL;
}

#else

char *cpr_run_tool(char *const arguments[]) {
  (void)arguments;
  return NULL;
}

#endif
