#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include "CAppProcess.h"
#include "Keeper.h"
#include "ProcessStart.h"
#include "StandardStreams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

/// Creates a pipe that no child inherits. Returns -1 on failure.
static int make_pipe(int ends[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return pipe2(ends, O_CLOEXEC);
#endif
}

int cpr_pipe(int32_t ends[2]) {
  int made[2];
  if (make_pipe(made) != 0) return errno;
  return cpr_above_standard_streams(made, ends);
}

#ifdef CAN_START

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

/// The number of attempts to start an executable that another process still has open for writing, and the pause
/// between them in milliseconds. A child that another thread starts has copies of all descriptors for a moment.
enum { BUSY_ATTEMPTS = 50, BUSY_PAUSE = 10 };

// A process that only executes another program shares the memory of its parent until then. To copy the page
// tables of a large test process takes milliseconds. Apple has deprecated `vfork`.
#ifdef __APPLE__
#define fork_to_execute fork
#else
#define fork_to_execute vfork
#endif

/// Makes this process, which was just forked, run a command. If that fails, writes the error number to
/// `report`.
static _Noreturn void become(
    const struct cpr_command *command, int output, int channel, int report) {
  setpgid(0, 0);
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int error = 0;
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) error = errno;
  if (nothing > STDERR_FILENO) close(nothing);
  if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) error = errno;
  if (channel == CPR_CHANNEL) fcntl(channel, F_SETFD, 0);
  else if (channel >= 0 && dup2(channel, CPR_CHANNEL) < 0) error = errno;
  if (error == 0 && chdir(command->directory) != 0) error = errno;
  for (int attempt = 0; error == 0 && attempt < BUSY_ATTEMPTS; attempt++) {
    execve(command->executable, command->arguments, command->environment);
    if (errno != ETXTBSY || attempt + 1 == BUSY_ATTEMPTS) error = errno;
    else poll(NULL, 0, BUSY_PAUSE);
  }
  ssize_t written = write(report, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

/// Forks a process that runs a command, and waits until the command has started. Children must not inherit
/// other descriptors. Returns its id, or a negative error number.
static pid_t start(const struct cpr_command *command, int output, int channel, int ends_with_parent) {
  int report[2];
  if (make_pipe(report) != 0) return -errno;
  pid_t process = fork_to_execute();
  if (process == 0) {
    if (ends_with_parent) cpr_end_with_parent();
    become(command, output, channel, report[1]);
  }
  int error = process < 0 ? errno : 0;
  close(report[1]);
  if (process > 0) {
    setpgid(process, process);
    ssize_t size;
    do size = read(report[0], &error, sizeof error);
    while (size < 0 && errno == EINTR);
    if (error != 0) waitpid(process, NULL, 0);
  }
  close(report[0]);
  return error == 0 ? process : -error;
}

/// Makes children not inherit descriptors.
static void close_in_children(const int *descriptors, int count) {
  for (int at = 0; at < count; at++) {
    if (descriptors[at] >= 0) fcntl(descriptors[at], F_SETFD, FD_CLOEXEC);
  }
}

/// Makes this process, which was just forked, a keeper, and starts its child.
static _Noreturn void begin_keeping(
    const struct cpr_command *command, int output, int channel, int line) {
  cpr_be_apart();
  int guard = cpr_guard_line();
  const int kept[] = {output, channel, line, guard};
  cpr_close_all_but(kept, 4);
  close_in_children(kept, 4);
  pid_t child = start(command, output, channel, 1);
  struct kept begun = {.error = child < 0 ? -child : 0, .process = child};
  // If the kit's process has ended meanwhile, 'cpr_keep' sees it on the line, and kills what the child may have
  // started.
  if (cpr_send(line, &begun, sizeof begun) != 0) shutdown(line, SHUT_RDWR);
  if (child < 0) _exit(127);
  cpr_withdraw(line, guard);
  cpr_keep(child, line);
}

/// Blocks all signals in this thread and in what it forks, where the handlers of this process must not run.
static void block_signals(sigset_t *former) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, former);
}

/// Forks with all signals blocked in the copy.
static pid_t fork_quietly(void) {
  sigset_t former;
  block_signals(&former);
  pid_t process = fork();
  int error = errno;
  if (process != 0) pthread_sigmask(SIG_SETMASK, &former, NULL);
  errno = error;
  return process;
}

int cpr_wait_for_keeper(int32_t line, int32_t keeper, int milliseconds) {
  enum { TURN = 50 };
  struct pollfd answer = {.fd = line, .events = POLLIN};
  for (int left = milliseconds; left > 0; left -= TURN) {
    int count = poll(&answer, 1, TURN);
    if (count > 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    kill(keeper, SIGCONT);
  }
  return ETIMEDOUT;
}

int cpr_take_child(int32_t line, struct cpr_child *child) {
  struct kept begun;
  ssize_t size;
  while (cpr_wait_for_keeper(line, child->keeper, INT_MAX) == ETIMEDOUT) {}
  do size = recv(line, &begun, sizeof begun, MSG_WAITALL);
  while (size < 0 && errno == EINTR);
  // A keeper that ended without a message was killed by its child, and its end shows that.
  if (size != sizeof begun) begun = (struct kept){0, 0};
  int error = begun.error;
  if (error == 0) {
    child->line = line;
    child->process = begun.process;
    return 0;
  }
  close(line);
  while (waitpid(child->keeper, NULL, 0) < 0 && errno == EINTR) {}
  return error;
}

int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, struct cpr_child *child) {
  int32_t line[2];
  int error = cpr_channel(line);
  if (error != 0) return error;
  // If this process has no standard streams, the output may have the descriptor of one.
  int file = fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  pid_t keeper = file < 0 ? -1 : fork_quietly();
  if (keeper == 0) begin_keeping(command, file, channel, line[1]);
  error = errno;
  if (file >= 0) close(file);
  close(line[1]);
  if (keeper < 0) {
    close(line[0]);
    return error;
  }
  *child = (struct cpr_child){.keeper = keeper, .output = -1};
  return cpr_take_child(line[0], child);
}

int cpr_start(const struct cpr_command *command, struct cpr_child *child) {
  int32_t ends[2];
  int error = cpr_pipe(ends);
  if (error != 0) return error;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) error = errno;
  if (error == 0) error = cpr_start_app(command, ends[1], -1, child);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return error;
  }
  child->output = ends[0];
  return 0;
}

int cpr_start_alone(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process) {
  // A process that the server starts is a child of the server's parent, which must be this process.
  int report[2];
  if (make_pipe(report) != 0) return errno;
  sigset_t former;
  block_signals(&former);
  pid_t started = fork_to_execute();
  if (started == 0) {
    const int kept[] = {output, channel, report[1]};
    cpr_close_all_but(kept, 3);
    close_in_children(kept, 3);
    become(command, output, channel, report[1]);
  }
  int error = started < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(report[1]);
  ssize_t size;
  do size = read(report[0], &error, sizeof error);
  while (size < 0 && errno == EINTR);
  close(report[0]);
  if (started > 0 && error != 0) waitpid(started, NULL, 0);
  *process = started;
  return error;
}

#else

int cpr_start(const struct cpr_command *command, struct cpr_child *child) {
  (void)command;
  (void)child;
  return ENOTSUP;
}

int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, struct cpr_child *child) {
  (void)command;
  (void)output;
  (void)channel;
  (void)child;
  return ENOTSUP;
}

int cpr_start_alone(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process) {
  (void)command;
  (void)output;
  (void)channel;
  (void)process;
  return ENOTSUP;
}

#endif
