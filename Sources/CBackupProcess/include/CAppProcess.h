#ifndef C_APP_PROCESS_H
#define C_APP_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Functions for processes of an app, with the same signatures on Linux and Darwin.

/// The command with which this process was started.
struct cpr_own_start {
  /// The absolute path of its executable.
  char *executable;
  /// Its arguments, each ended by a NUL.
  char *arguments;
  /// The number of bytes in the arguments.
  size_t arguments_size;
  /// The environment at the start of the process, without later changes. Each variable is ended by
  /// a NUL.
  char *environment;
  /// The number of bytes in the environment.
  size_t environment_size;
};

/// Finds the command with which this process was started. The caller frees it with
/// `cpr_free_start`. Returns 0 or an error number.
int cpr_find_start(struct cpr_own_start *start);

/// Frees the result of `cpr_find_start`.
void cpr_free_start(struct cpr_own_start *start);

/// What the threads of a process do.
struct cpr_activity {
  /// How often its threads have left a processor so far.
  uint64_t switches;
  /// The number of threads that run or wait for a processor.
  int32_t running;
};

/// Reads the activity of a process. Returns 0 or an error number.
int cpr_look_at(int32_t process, struct cpr_activity *activity);

/// Creates two connected sockets that no child inherits. Returns 0 or an error number.
int cpr_channel(int32_t ends[2]);

/// Sends all bytes through a channel. The other end may be closed. Returns 0 or an error number.
int cpr_send(int32_t channel, const void *bytes, size_t count);

/// Closes a channel at both ends, for all processes that have it open. Bytes that were already sent
/// can still be read.
void cpr_hang_up(int32_t channel);

/// Waits until another thread has read all bytes in a channel, at most about 100 ms.
void cpr_wait_until_read(int32_t channel);

/// Makes a descriptor one that children of this process do not inherit.
void cpr_keep_from_children(int32_t descriptor);

/// Returns 1 if this process was built with the thread sanitizer.
int cpr_has_thread_sanitizer(void);

/// If the build measures code coverage, writes its counts. In any other build, it does nothing.
void cpr_write_coverage(void);

#endif
