#ifndef C_FORK_SERVER_H
#define C_FORK_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "CProcess.h"

/// Processes that need not load their libraries, with one signature on Linux and Darwin, where there
/// are none.
///
/// A fork server is a process that was started as any other of its executable, and halts when the
/// loader has done its work: before any initializer, of the C library's too, has run, and with one
/// thread. For each request it forks a keeper, which is a child of the server's parent, and that a copy, which
/// goes on as one that was just started, with its own directory, standard streams, channel and environment.

/// The environment variable, as `NAME=value`, that has a process of this one's executable be a fork
/// server, where it is the first of all; NULL where there are none. The server takes requests by
/// CPR_CHANNEL, and ends when nobody has the other end of that open any more. Its copies' environments
/// lie where its own does, so that it has to have as many variables, and as many bytes of them.
const char *cpr_fork_server_variable(void);

/// Makes the connection by which a fork server is asked; no child inherits it. Returns 0 or an error
/// number.
int cpr_fork_channel(int32_t ends[2]);

/// Whether the libraries of this process let one like it be copied: a sanitizer's would not.
int cpr_can_fork_from_server(void);

/// How many bytes say what a process hands down.
enum { CPR_INHERITANCE_SIZE = 512 };

/// Finds what this process hands down to those that it starts now, and a fork server's copies have from
/// when that was started: the limits of resources and the mask of permissions. Equal bytes say that
/// neither has changed.
void cpr_find_inheritance(uint8_t bytes[CPR_INHERITANCE_SIZE]);

/// Reaps a fork server when it has ended; one that was stopped, and would answer nobody, is ended.
void cpr_follow_fork_server(int32_t process);

/// What a copy is to be.
struct cpr_fork {
  /// Its whole environment: each variable as `NAME=value` with a NUL behind it.
  const char *environment;
  /// How many bytes that is.
  size_t environment_size;
  /// Its working directory.
  const char *directory;
  /// The descriptor of the file that takes its standard output and error.
  int32_t output;
  /// What it has as CPR_CHANNEL.
  int32_t channel;
};

/// Asks a fork server for a copy, with a keeper. Whoever asks is the server's parent. Returns 0 or an error
/// number, EPIPE if the server is gone.
int cpr_fork_from(int32_t server, const struct cpr_fork *fork, struct cpr_child *child);

#endif
