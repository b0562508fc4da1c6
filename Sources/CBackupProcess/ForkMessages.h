#ifndef FORK_MESSAGES_H
#define FORK_MESSAGES_H

#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/syscall.h>
#ifdef SYS_clone3
/// Defined if this system has fork servers.
#define HAS_FORK_SERVER 1
#endif
#endif

/// The messages between a fork server and its parent: a request with a copy's environment and descriptors, and
/// a reply.

/// The most bytes in a copy's environment.
enum { MOST_BYTES = 65536 };

/// The descriptors in a request, in this order.
struct descriptors {
  int directory;
  int output;
  int channel;
  /// The keeper's end of its line, and its descriptor for the guardian, or the line again if there is none.
  int line;
  int guard;
};

/// A reply with the copy's keeper.
struct reply {
  int32_t error;
  int32_t keeper;
};

#endif
