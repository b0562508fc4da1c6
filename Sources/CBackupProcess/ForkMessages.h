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

/// The messages between a fork server and its parent. A request has the environment and the
/// descriptors of the process to fork (the *copy*). A reply has the copy's keeper.

/// The largest environment of a copy, in bytes.
enum { MOST_BYTES = 65536 };

/// The descriptors that a request passes, in this order.
struct descriptors {
  int directory;
  int output;
  int channel;
  /// The keeper's end of its line (see `struct cpr_child`).
  int line;
  /// The keeper's descriptor for the guardian. If there is none, this is the line again.
  int guard;
};

/// The reply to a request: an error number, or 0 and the copy's keeper.
struct reply {
  int32_t error;
  int32_t keeper;
};

#endif
