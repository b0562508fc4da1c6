#ifndef C_APP_PROCESS_H
#define C_APP_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// What a process of an app's needs beside that of any child, with one signature on Linux and Darwin.

/// How this process was started.
struct cpr_own_start {
  /// The absolute path of its executable.
  char *executable;
  /// Its arguments, each ended by a NUL.
  char *arguments;
  /// How many bytes these are.
  size_t arguments_size;
  /// The environment that it was started with, likewise; what it has changed since is not in it.
  char *environment;
  /// How many bytes that is.
  size_t environment_size;
};

/// Finds out how this process was started; `cpr_free_start` frees what it writes. Returns 0 or an
/// error number.
int cpr_find_start(struct cpr_own_start *start);

/// Frees what `cpr_find_start` has written.
void cpr_free_start(struct cpr_own_start *start);

/// How busy a process is.
struct cpr_activity {
  /// How often its threads have given up a processor, or had to.
  uint64_t switches;
  /// How many threads run, or wait for a processor.
  int32_t running;
};

/// Looks how busy a process is. Returns 0 or an error number.
int cpr_look_at(int32_t process, struct cpr_activity *activity);

/// Makes two connected sockets that no child inherits. Returns 0 or an error number.
int cpr_channel(int32_t ends[2]);

/// Sends bytes, all of them, into a channel whose other end may be gone. Returns 0 or an error
/// number.
int cpr_send(int32_t channel, const void *bytes, size_t count);

/// Ends a channel at both ends, whoever has them open: reading from it gives what was sent, then
/// nothing.
void cpr_hang_up(int32_t channel);

/// Waits until all that has come by a channel is read by another thread, at most some 100 ms.
void cpr_wait_until_read(int32_t channel);

/// Has no child of this process inherit a descriptor.
void cpr_keep_from_children(int32_t descriptor);

/// Whether this process was built with the thread sanitizer.
int cpr_has_thread_sanitizer(void);

/// Writes what a build with coverage has counted so far, in any other build nothing.
void cpr_write_coverage(void);

#endif
