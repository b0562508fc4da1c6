#define _GNU_SOURCE
#include "COpenFiles.h"
#include "CProcess.h"
#include "CProcessTable.h"
#include "CSignals.h"
#include "CStandardStreams.h"
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, STARTS = 5, LONG = 70000 };

/// A long variable.
static char filling[LONG] = "FILLING=";

/// Starts a shell with a script.
static struct cpr_child start(char *script) {
  char *arguments[] = {"sh", "-c", script, NULL};
  char *environment[] = {filling, NULL};
  struct cpr_command command = {"/bin/sh", arguments, environment, "/"};
  struct cpr_child child;
  EXPECT(cpr_start(&command, &child) == 0);
  return child;
}

/// Waits for a child, and says how it ended.
static struct cpr_end end_of(struct cpr_child child) {
  struct cpr_end end;
  EXPECT(cpr_wait(child) == 0 && cpr_reap(child, &end) == 0);
  EXPECT(cpr_wait(child) == ECHILD);
  close(child.output);
  return end;
}

/// Starts tools, as several threads do at once.
static void *start_some(void *context) {
  (void)context;
  for (int count = 0; count < STARTS; count++) {
    EXPECT(end_of(start("exit 7")).status == 7);
    struct cpr_child sleeper = start("sleep 600");
    cpr_kill(sleeper);
    EXPECT(end_of(sleeper).signal == SIGKILL);
  }
  return NULL;
}

/// Runs a part in a process of its own, and says how that ended.
static int end_in_fork(void (*part)(void)) {
  pid_t process = fork();
  int status = 0;
  EXPECT(process >= 0);
  if (process == 0) {
    part();
    _exit(0);
  }
  EXPECT(waitpid(process, &status, 0) == process);
  return status;
}

static void close_streams(void) {
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  cpr_occupy_standard_streams();
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) >= 0 || write(STDOUT_FILENO, &byte, 1) >= 0) _exit(1);
}

static void end_by_signal(void) {
  cpr_end_by_signal(SIGTERM);
}

/// Waits until a pipe is closed.
static void *read_to_end(void *context) {
  char byte;
  EXPECT(read(*(int *)context, &byte, 1) == 0);
  return NULL;
}

/// A signal that meets a thread which was there before it was caught, and another one.
static void try_signal(void) {
  int32_t ends[2];
  int32_t waiting[2];
  pthread_t thread;
  EXPECT(cpr_pipe(ends) == 0 && cpr_pipe(waiting) == 0);
  EXPECT(pthread_create(&thread, NULL, read_to_end, &waiting[0]) == 0);
  EXPECT(cpr_catch_signal(SIGUSR1, ends[1]) == 0 && cpr_catch_signal(SIGUSR2, ends[1]) == 0);
  EXPECT(pthread_kill(thread, SIGUSR1) == 0);
  unsigned char number = 0;
  EXPECT(read(ends[0], &number, 1) == 1 && number == SIGUSR1);
  close(waiting[1]);
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT(cpr_catch_signal(SIGKILL, ends[1]) == EINVAL);
  close(waiting[0]);
  close(ends[0]);
  close(ends[1]);
}

void try_processes(void) {
  uint64_t begin = 0;
  EXPECT(cpr_begin_of(getpid(), &begin) == 0 && begin != 0 && cpr_namespace() != 0);
  EXPECT(cpr_begin_of(INT_MAX, &begin) == ESRCH && cpr_begin_of(INT_MIN, &begin) == ESRCH);
  int status = end_in_fork(close_streams);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  status = end_in_fork(end_by_signal);
  EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT(cpr_raise_open_files(64) >= 64);
  memset(filling + strlen(filling), 'f', LONG - 1 - strlen(filling));
  pthread_t threads[THREADS];
  for (int at = 0; at < THREADS; at++) {
    EXPECT(pthread_create(&threads[at], NULL, start_some, NULL) == 0);
  }
  for (int at = 0; at < THREADS; at++) EXPECT(pthread_join(threads[at], NULL) == 0);
  EXPECT(end_of(start("sleep 600 & exit 7")).status == 7);
  try_signal();
}
