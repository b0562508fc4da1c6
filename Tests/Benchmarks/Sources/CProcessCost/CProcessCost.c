#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcessCost.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

/// Returns the peak memory in bytes. Linux gives ru_maxrss in units of 1024 bytes.
static int64_t peak(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss;
#else
  return (int64_t)usage->ru_maxrss * 1024;
#endif
}

/// Starts the tool. Its standard output and its errors go to one file. Returns 0 or an error
/// number.
static int start(const char *path, char *const words[], const char *output, pid_t *process) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (error == 0) {
    error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  if (error == 0) error = posix_spawn(process, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int cpc_run(const char *path, char *const words[], const char *output, struct cpc_cost *cost) {
  pid_t process;
  int error = start(path, words, output, &process);
  if (error != 0) return error;
  int status;
  struct rusage usage;
  while (wait4(process, &status, 0, &usage) < 0) {
    if (errno != EINTR) return errno;
  }
  cost->seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost->bytes = peak(&usage);
  cost->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 0;
}
