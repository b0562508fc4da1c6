#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include "ProcessStart.h"

#include <errno.h>

#ifdef CAN_START

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

int cpr_suspend(int32_t process, int32_t seconds) {
  const struct timespec pause = {.tv_nsec = 100000};
  struct timespec start;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (kill(-process, SIGSTOP) != 0) return errno;
  do {
    siginfo_t information = {.si_pid = 0};
    int options = WSTOPPED | WEXITED | WNOWAIT | WNOHANG;
    int result = waitid(P_PID, (id_t)process, &information, options);
    if (result == 0 && information.si_pid != 0) return 0;
    if (result != 0 && errno != EINTR) return errno;
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec <= seconds);
  return ETIMEDOUT;
}

void cpr_resume(int32_t process) {
  kill(-process, SIGCONT);
}

int cpr_wait(int32_t process) {
  siginfo_t information;
  while (waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

void cpr_kill(int32_t process) {
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
}

int cpr_reap(int32_t process, struct cpr_end *end) {
  int status = 0;
  pid_t reaped;
  do {
    reaped = waitpid(process, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  if (reaped < 0) return errno;
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 0;
}

#else

int cpr_suspend(int32_t process, int32_t seconds) {
  (void)process;
  (void)seconds;
  return ENOTSUP;
}

void cpr_resume(int32_t process) {
  (void)process;
}

int cpr_wait(int32_t process) {
  (void)process;
  return ENOTSUP;
}

void cpr_kill(int32_t process) {
  (void)process;
}

int cpr_reap(int32_t process, struct cpr_end *end) {
  (void)process;
  (void)end;
  return ENOTSUP;
}

#endif
