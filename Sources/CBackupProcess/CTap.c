#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CTap.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "CAppProcess.h"
#include "CProcess.h"
#include "ProcessStart.h"

#ifdef CAN_START
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

enum { LONGEST_RUN = 60, LONGEST_ANSWER = 600, MILLISECONDS = 1000 };

static const size_t LARGEST_ANSWER = (size_t)2 << 30;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * MILLISECONDS + time.tv_nsec / 1000000;
}

/// Reads to the end, at most `largest` bytes and within this number of seconds. Returns the bytes, ended by a
/// NUL, or NULL if memory is missing, a read fails or a limit is exceeded.
static char *read_all(int descriptor, size_t largest, int seconds, size_t *length) {
  int64_t end = now() + (int64_t)seconds * MILLISECONDS;
  size_t size = 1 << 16;
  char *text = malloc(size);
  *length = 0;
  while (text != NULL && *length <= largest) {
    int64_t left = end - now();
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&polled, 1, left > 0 ? (int)left : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    ssize_t count = read(descriptor, text + *length, size - *length - 1);
    if (count == 0) {
      text[*length] = '\0';
      return text;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    *length += (size_t)count;
    if (size - *length > 1) continue;
    size *= 2;
    char *larger = realloc(text, size);
    if (larger == NULL) break;
    text = larger;
  }
  free(text);
  return NULL;
}

/// Starts a program with only its standard output connected, to a pipe. Returns 0 or an error number.
static int start_program(
    const char *path, char *const arguments[], char *const environment[], pid_t *process,
    int *output) {
  int32_t ends[2];
  posix_spawn_file_actions_t actions;
  int error = cpr_pipe(ends);
  if (error != 0) return error;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  error = posix_spawn(process, path, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) close(ends[0]);
  *output = ends[0];
  return error;
}

/// Reads the output of a program, and waits for its end. Returns NULL if the output cannot be read, and then
/// kills the program.
static char *finish_program(
    pid_t process, int output, size_t largest, int seconds, size_t *length, int *status) {
  char *text = read_all(output, largest, seconds, length);
  close(output);
  if (text == NULL) kill(process, SIGKILL);
  while (waitpid(process, status, 0) < 0 && errno == EINTR) continue;
  return text;
}

/// Finds a tool in the absolute folders of PATH, because the working directory may have files of others.
/// Returns its path, which the caller frees; NULL if there is none.
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
  char *path = find_tool(arguments[0]);
  if (path == NULL) return NULL;
  pid_t process;
  int output;
  int error = start_program(path, arguments, environ, &process, &output);
  free(path);
  if (error != 0) return NULL;
  size_t length;
  int status = 0;
  char *text = finish_program(process, output, SIZE_MAX, LONGEST_RUN, &length, &status);
  if (status == 0) return text;
  free(text);
  return NULL;
}

int cpr_run_itself(char *const arguments[], struct cpr_answer *answer) {
  static char no_backtrace[] = "SWIFT_BACKTRACE=enable=no";
  memset(answer, 0, sizeof *answer);
  struct cpr_own_start start;
  int error = cpr_find_start(&start);
  if (error != 0) return error;
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **environment = calloc(count + 2, sizeof *environment);
  if (environment == NULL) {
    cpr_free_start(&start);
    return ENOMEM;
  }
  // Of two variables with one name, the program may read the first.
  size_t kept = 0;
  for (size_t at = 0; at < count; at++) {
    if (strncmp(environ[at], "SWIFT_BACKTRACE=", 16) != 0) environment[kept++] = environ[at];
  }
  environment[kept] = no_backtrace;
  pid_t process;
  int output;
  error = start_program(start.executable, arguments, environment, &process, &output);
  free(environment);
  cpr_free_start(&start);
  if (error != 0) return error;
  int status = 0;
  answer->bytes = finish_program(
      process, output, LARGEST_ANSWER, LONGEST_ANSWER, &answer->length, &status);
  answer->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 0;
}

#else

char *cpr_run_tool(char *const arguments[]) {
  (void)arguments;
  return NULL;
}

int cpr_run_itself(char *const arguments[], struct cpr_answer *answer) {
  (void)arguments;
  memset(answer, 0, sizeof *answer);
  return ENOTSUP;
}

#endif
