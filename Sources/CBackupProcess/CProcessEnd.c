#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include "Keeper.h"
#include "ProcessStart.h"

#include <errno.h>

#ifdef CAN_START

#include "CAppProcess.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/// The number of milliseconds that a keeper may take longer than its child.
enum { KEEPER_PATIENCE = 5000 };

/// Sends an order to a child's keeper. Returns 0 if the keeper is gone.
static int tell(struct cpr_child child, struct order order) {
  if (cpr_send(child.line, &order, sizeof order) != 0) return 0;
  // The child may have stopped its keeper.
  kill(child.keeper, SIGCONT);
  return 1;
}

int cpr_suspend(struct cpr_child child, int32_t seconds) {
  if (!tell(child, (struct order){ORDER_SUSPEND, seconds})) return 0;
  int failed = cpr_wait_for_keeper(child.line, child.keeper, seconds * 1000 + KEEPER_PATIENCE);
  if (failed != 0) return failed;
  int32_t error = 0;
  ssize_t size = recv(child.line, &error, sizeof error, MSG_PEEK);
  // 'cpr_reap' reads the message of a keeper that ends.
  if (size != sizeof error || error < 0) return 0;
  recv(child.line, &error, sizeof error, 0);
  return error;
}

void cpr_end_if_stopped(struct cpr_child child) {
  tell(child, (struct order){ORDER_END_IF_STOPPED, 0});
}

void cpr_resume(struct cpr_child child) {
  tell(child, (struct order){ORDER_RESUME, 0});
}

int cpr_wait(struct cpr_child child) {
  siginfo_t found;
  for (;;) {
    memset(&found, 0, sizeof found);
    if (waitid(P_PID, (id_t)child.keeper, &found, WEXITED | WSTOPPED | WNOWAIT) != 0) {
      if (errno != EINTR) return errno;
    } else if (found.si_code != CLD_STOPPED) {
      return 0;
    } else {
      // Only its own descendants can have stopped the keeper.
      waitid(P_PID, (id_t)child.keeper, &found, WSTOPPED | WNOHANG);
      kill(child.keeper, SIGCONT);
    }
  }
}

void cpr_kill(struct cpr_child child) {
  tell(child, (struct order){ORDER_KILL, 0});
}

int cpr_reap(struct cpr_child child, struct cpr_end *end) {
  int status = 0;
  pid_t reaped;
  do {
    reaped = waitpid(child.keeper, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  int error = reaped < 0 ? errno : 0;
  struct stop said = {0};
  if (recv(child.line, &said, sizeof said, MSG_DONTWAIT) != sizeof said) said.negative_signal = 0;
  close(child.line);
  if (error != 0) return error;
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->stop = said.negative_signal < 0 ? -said.negative_signal : 0;
  return 0;
}

#else

int cpr_suspend(struct cpr_child child, int32_t seconds) {
  (void)child;
  (void)seconds;
  return ENOTSUP;
}

void cpr_resume(struct cpr_child child) {
  (void)child;
}

void cpr_end_if_stopped(struct cpr_child child) {
  (void)child;
}

int cpr_wait(struct cpr_child child) {
  (void)child;
  return ENOTSUP;
}

void cpr_kill(struct cpr_child child) {
  (void)child;
}

int cpr_reap(struct cpr_child child, struct cpr_end *end) {
  (void)child;
  (void)end;
  return ENOTSUP;
}

#endif
