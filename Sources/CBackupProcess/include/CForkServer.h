#ifndef C_FORK_SERVER_H
#define C_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "CProcess.h"

/// A fork server starts processes that need not load their libraries. Darwin has the same
/// functions, but no fork servers.
///
/// A fork server starts like any other process of its executable. It stops when the loader has
/// loaded the libraries, before any initializer runs, even those of the C library. So it has only
/// one thread.
///
/// For each request, the server forks a keeper, which becomes a child of the server's parent. The
/// keeper forks the *copy*: a new process with its own directory, standard streams, channel and
/// environment.

/// Returns an environment variable as `NAME=value`; NULL if this system has no fork servers. If
/// this is the first variable of a process of this executable, the process becomes a fork server.
///
/// The server receives requests through CPR_CHANNEL. It ends when the other end is closed. In
/// memory, a copy's environment replaces the server's. So the server needs at least as many
/// variables as the copy, and as many bytes in them.
const char *cpr_fork_server_variable(void);

/// Creates a connection to a fork server. No child inherits it. Returns 0 or an error number.
int cpr_fork_channel(int32_t ends[2]);

/// Returns 1 if a fork server can copy processes with this process's libraries. With a sanitizer,
/// it cannot.
int cpr_can_fork_from_server(void);

/// The number of bytes that `cpr_find_inheritance` writes.
enum { CPR_INHERITANCE_SIZE = 512 };

/// Writes bytes that describe the resource limits and the permission mask of this process, which
/// its children inherit. If the bytes are the same as before, neither has changed. A copy has the
/// limits and the mask that the server had at its start.
void cpr_find_inheritance(uint8_t bytes[CPR_INHERITANCE_SIZE]);

/// Waits until a fork server has ended, and reaps it. If something stops the server, kills it,
/// because it would not answer.
void cpr_follow_fork_server(int32_t process);

/// The properties of a copy.
struct cpr_fork {
  /// The whole environment: each variable as `NAME=value`, ended by a NUL.
  const char *environment;
  /// The number of bytes in the environment.
  size_t environment_size;
  /// The working directory.
  const char *directory;
  /// The descriptor of the file for the standard output and error.
  int32_t output;
  /// The descriptor that becomes CPR_CHANNEL.
  int32_t channel;
};

/// Asks a fork server for a copy with a keeper. The server must be a child of this process. Returns
/// 0 or an error number: EPIPE if the server is gone.
int cpr_fork_from(int32_t server, const struct cpr_fork *fork, struct cpr_child *child);

#endif
