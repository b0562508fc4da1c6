#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "ProcessStart.h"

#ifdef CAN_START

#include "CAppProcess.h"
#include "Keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include "SystemCall.h"
#include <sys/prctl.h>
#else
#include <libproc.h>
#endif

#ifdef __linux__
/// The most descriptors that are closed one by one, if the kernel cannot close all at once.
enum { MOST_DESCRIPTORS = 65536 };
#endif
/// The number of milliseconds for which the keeper tries to end the last descendants, which may wait for a
/// disk.
enum { LONGEST_END = 5000 };

static void pause_for(long nanoseconds) {
  const struct timespec pause = {.tv_nsec = nanoseconds};
  nanosleep(&pause, NULL);
}

void cpr_be_apart(void) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

void cpr_end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

#ifdef __APPLE__

static int is_in(const int *kept, int count, int file) {
  for (int index = 0; index < count; index++) {
    if (kept[index] == file) return 1;
  }
  return 0;
}

/// Closes the descriptors that the system lists, until it lists only those that are kept. Few descriptors are
/// open, but many are possible.
void cpr_close_all_but(const int *kept, int count) {
  struct proc_fdinfo files[1024];
  int closed;
  do {
    int size = proc_pidinfo(getpid(), PROC_PIDLISTFDS, 0, files, sizeof files);
    closed = 0;
    for (int at = 0; at < size / (int)sizeof *files; at++) {
      int file = files[at].proc_fd;
      if (file <= STDERR_FILENO || is_in(kept, count, file)) continue;
      if (close(file) == 0) closed++;
    }
  } while (closed > 0);
}

#else

/// Closes a range of descriptors, without its end.
static void close_between(int first, int end) {
  if (first >= end) return;
#ifdef SYS_close_range
  if (call_system(SYS_close_range, first, (long)end - 1, 0) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > MOST_DESCRIPTORS) most = MOST_DESCRIPTORS;
  for (int file = first; file < end && file < most; file++) close(file);
}

void cpr_close_all_but(const int *kept, int count) {
  int first = STDERR_FILENO + 1;
  for (;;) {
    int next = INT32_MAX;
    for (int index = 0; index < count; index++) {
      if (kept[index] >= first && kept[index] < next) next = kept[index];
    }
    close_between(first, next);
    if (next == INT32_MAX) return;
    first = next + 1;
  }
}

#endif

/// Only interrupts a system call.
static void interrupt(int signal) {
  (void)signal;
}

void cpr_withdraw(int first, int second) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child, NULL);
  static const int ended_by[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN,
                                 SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ};
  struct sigaction action = {.sa_handler = SIG_IGN};
  sigemptyset(&action.sa_mask);
  for (size_t at = 0; at < sizeof ended_by / sizeof *ended_by; at++) {
    sigaction(ended_by[at], &action, NULL);
  }
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  action.sa_handler = SIG_DFL;
  for (size_t at = 0; at < sizeof faults / sizeof *faults; at++) {
    sigaction(faults[at], &action, NULL);
  }
  action.sa_handler = interrupt;
  sigaction(SIGCHLD, &action, NULL);
  const int kept[] = {first, second};
  cpr_close_all_but(kept, 2);
#ifdef __linux__
  prctl(PR_SET_NAME, "backup-keeper");
#endif
#ifdef __linux__
  int nothing = (int)call_system(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR);
#else
  int nothing = open("/dev/null", O_RDWR);
#endif
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (nothing < 0) close(stream);
    else dup2(nothing, stream);
  }
  if (nothing > STDERR_FILENO) close(nothing);
}

/// Returns 1 if the child has ended, and does not reap it. Reaps other processes that have ended.
static int has_ended(pid_t child) {
  for (;;) {
    siginfo_t found;
    memset(&found, 0, sizeof found);
    if (waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
    if (found.si_pid == 0) return 0;
    if (found.si_pid == child) return 1;
    waitpid(found.si_pid, NULL, 0);
  }
}

/// Stops the child's group, and waits until the child has stopped or ended. Returns 0 or an error number.
static int32_t suspend(pid_t child, int32_t seconds) {
  struct timespec start;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (kill(-child, SIGSTOP) != 0) return errno;
  do {
    siginfo_t found;
    memset(&found, 0, sizeof found);
    int result = waitid(P_PID, (id_t)child, &found, WSTOPPED | WEXITED | WNOWAIT | WNOHANG);
    if (result == 0 && found.si_pid != 0) return 0;
    if (result != 0 && errno != EINTR) return errno;
    pause_for(100000);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec <= seconds);
  return ETIMEDOUT;
}

/// The state of a child that the kit has ordered.
struct wishes {
  /// True if the kit has suspended the child.
  int is_suspended;
  int ends_if_stopped;
};

/// Returns the signal by which another process has stopped a child that must then end; 0 for none.
static int32_t unwanted_stop(pid_t child, const struct wishes *wishes) {
  if (wishes->is_suspended || !wishes->ends_if_stopped) return 0;
  siginfo_t found;
  memset(&found, 0, sizeof found);
  int result = waitid(P_PID, (id_t)child, &found, WSTOPPED | WNOWAIT | WNOHANG);
  return result == 0 && found.si_pid == child && found.si_code == CLD_STOPPED ? found.si_status : 0;
}

/// Follows an order on the line. Returns 0 if the child must end.
static int take_order(pid_t child, int line, struct wishes *wishes) {
  struct order order;
  ssize_t size = recv(line, &order, sizeof order, MSG_DONTWAIT);
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size != sizeof order) return 0;
  switch (order.kind) {
  case ORDER_SUSPEND: {
    wishes->is_suspended = 1;
    int32_t error = suspend(child, order.seconds);
    return send(line, &error, sizeof error, 0) == sizeof error;
  }
  case ORDER_RESUME:
    kill(-child, SIGCONT);
    wishes->is_suspended = 0;
    return 1;
  case ORDER_END_IF_STOPPED:
    wishes->ends_if_stopped = 1;
    return 1;
  default:
    return 0;
  }
}

/// Kills the children of this process with their groups. Returns their number, -1 if the list of children
/// cannot be read, or 0 if the system has no such list.
static int kill_children(void) {
  int count = 0;
#ifdef __linux__
  int file = (int)call_system(
      SYS_openat, AT_FDCWD, (long)"/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return file == -ENOENT ? 0 : -1;
  pid_t child = 0;
  char text[1024];
  ssize_t size;
  while ((size = call_system(SYS_read, file, (long)text, sizeof text)) > 0) {
    for (ssize_t at = 0; at < size; at++) {
      if (text[at] >= '0' && text[at] <= '9') {
        child = child * 10 + text[at] - '0';
      } else if (child > 0) {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        child = 0;
        count++;
      }
    }
  }
  close(file);
  if (size < 0) return -1;
#endif
  return count;
}

/// Ends this process in the same way as a child.
static _Noreturn void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(WTERMSIG(status), &action, NULL);
    kill(getpid(), WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

_Noreturn void cpr_keep(pid_t child, int line) {
  sigset_t none;
  sigemptyset(&none);
  // An fd_set has room only for small descriptors, which are free now.
  int small = dup(line);
  if (small >= 0) {
    close(line);
    line = small;
  }
  struct wishes wishes = {0, 0};
  int32_t stop = 0;
  while (line < FD_SETSIZE && !has_ended(child)) {
    stop = unwanted_stop(child, &wishes);
    if (stop != 0) break;
    fd_set lines;
    FD_ZERO(&lines);
    FD_SET(line, &lines);
    int count = pselect(line + 1, &lines, NULL, NULL, NULL, &none);
    if (count > 0 && !take_order(child, line, &wishes)) break;
  }
  int status = 0;
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  for (int left = LONGEST_END; left > 0; left--) {
    pid_t ended;
    do ended = waitpid(-1, NULL, WNOHANG);
    while (ended > 0);
    if (ended < 0 || kill_children() == 0) break;
    pause_for(1000000);
  }
  struct stop said = {-stop};
  if (stop != 0) cpr_send(line, &said, sizeof said);
  end_as(status);
}

#endif
