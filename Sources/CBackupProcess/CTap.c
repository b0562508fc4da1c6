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
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
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

void cpr_note_calls(const char *folder, int is_on) {
  void (*note)(const char *, int) =
      (void (*)(const char *, int))dlsym(RTLD_DEFAULT, "backup_testing_tap_note_calls");
  if (note != NULL) note(folder, is_on);
}

#ifdef CAN_START

enum { LONGEST_RUN = 60, MILLISECONDS = 1000 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * MILLISECONDS + time.tv_nsec / 1000000;
}

/// Reads to the end; returns the bytes with a NUL behind them, or NULL if memory, a read or the time
/// fails.
static char *read_all(int descriptor) {
  int64_t end = now() + (int64_t)LONGEST_RUN * MILLISECONDS;
  size_t length = 0;
  size_t size = 1 << 16;
  char *text = malloc(size);
  while (text != NULL) {
    int64_t left = end - now();
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&polled, 1, left > 0 ? (int)left : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
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

/// Finds a tool in those folders of PATH that are absolute, since the working directory may have files
/// of others. Returns its path, to be freed; NULL if there is none.
static char *find_tool(const char *name) {
  const char *folders = getenv("PATH");
  while (folders != NULL && *folders != '\0') {
    size_t length = strcspn(folders, ":");
    size_t size = length + strlen(name) + 2;
    char *path = *folders == '/' ? malloc(size) : NULL;
    if (path != NULL) {
      snprintf(path, size, "%.*s/%s", (int)length, folders, name);
      if (access(path, X_OK) == 0) return path;
      free(path);
    }
    folders += length + (folders[length] == ':');
  }
  return NULL;
}

char *cpr_run_tool(char *const arguments[]) {
  int32_t ends[2];
  pid_t process;
  posix_spawn_file_actions_t actions;
  char *path = find_tool(arguments[0]);
  if (path == NULL || cpr_pipe(ends) != 0) {
    free(path);
    return NULL;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawn(&process, path, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(path);
  close(ends[1]);
  char *text = error == 0 ? read_all(ends[0]) : NULL;
  close(ends[0]);
  if (error != 0) return NULL;
  // Without its text nobody waits for it.
  if (text == NULL) kill(process, SIGKILL);
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
