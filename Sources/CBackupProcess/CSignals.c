#include "CSignals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/// The descriptor to which the numbers of signals are written.
static volatile sig_atomic_t signal_descriptor = -1;

/// Writes a signal's number, and does nothing else, because the state of the interrupted code is unknown.
static void write_number(int signal) {
  int error = errno;
  unsigned char number = (unsigned char)signal;
  ssize_t count = write(signal_descriptor, &number, 1);
  (void)count;
  errno = error;
}

int cpr_catch_signal(int32_t signal, int32_t descriptor) {
  struct sigaction former;
  if (sigaction(signal, NULL, &former) != 0) return errno;
  if (former.sa_handler == SIG_IGN) return 0;
  signal_descriptor = descriptor;
  struct sigaction action = {.sa_handler = write_number, .sa_flags = SA_RESTART | SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, NULL) == 0 ? 0 : errno;
}

_Noreturn void cpr_end_by_signal(int32_t signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal);
  _exit(128 + signal);
}
