#ifndef C_FORK_SERVER_H
#define C_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "CProcess.h"

/// Processes that need not load their libraries. Darwin has the same signatures, but no such processes.
///
/// A fork server is started as any other process of its executable. It stops after the loader has loaded the
/// libraries and before any initializer has run, even those of the C library, so it has one thread. For each
/// request, it forks a keeper, which is a child of the server's parent. The keeper forks the copy, which
/// continues as a new process with its own directory, standard streams, channel and environment.

/// Returns the environment variable, as `NAME=value`, that makes a process of this executable a fork server if
/// it is the first variable; NULL if there are no fork servers.
///
/// The server receives requests by CPR_CHANNEL, and ends when the other end is closed. The environment of a
/// copy replaces the server's in memory, so the server needs as many variables, and as many bytes in them.
const char *cpr_fork_server_variable(void);

/// Creates a connection to a fork server, which no child inherits. Returns 0 or an error number.
int cpr_fork_channel(int32_t ends[2]);

/// Returns 1 if processes with the libraries of this one can be copied. With a sanitizer, they cannot.
int cpr_can_fork_from_server(void);

/// The number of bytes that describe the properties that a process passes to its children.
enum { CPR_INHERITANCE_SIZE = 512 };

/// Describes the resource limits and the permission mask that this process passes to its children. Equal bytes
/// mean that neither has changed. Copies of a fork server get those from the server's start.
void cpr_find_inheritance(uint8_t bytes[CPR_INHERITANCE_SIZE]);

/// Waits until a fork server has ended, and reaps it. Kills a server that was stopped, because it would not
/// answer.
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

/// Asks a fork server, which is a child of this process, for a copy with a keeper. Returns 0 or an error
/// number, EPIPE if the server is gone.
int cpr_fork_from(int32_t server, const struct cpr_fork *fork, struct cpr_child *child);

#endif
