#ifndef FORK_MESSAGES_H
#define FORK_MESSAGES_H

#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/syscall.h>
#ifdef SYS_clone3
/// Whether there are fork servers.
#define HAS_FORK_SERVER 1
#endif
#endif

/// What goes between a fork server and whoever asks it for a copy: the copy's environment, with
/// descriptors beside it, and an answer.

/// The most bytes of a copy's environment.
enum { MOST_BYTES = 65536 };

/// The descriptors that come with a request, in this order.
struct descriptors {
  int directory;
  int output;
  int channel;
  /// A keeper's end of its line, and the descriptor by which the guardian knows of it, or the former again.
  int line;
  int guard;
};

/// What a server answers: the copy's keeper.
struct reply {
  int32_t error;
  int32_t keeper;
};

#endif
