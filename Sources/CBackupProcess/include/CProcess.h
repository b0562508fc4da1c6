#ifndef C_PROCESS_H
#define C_PROCESS_H

#include <stdint.h>

/// Child processes with one signature on Linux and macOS.
///
/// Foundation's `Process` is missing on iOS, tvOS and watchOS, where nothing can be started; there
/// `cpr_start` returns ENOTSUP. A child has a process group of its own, default signal handling,
/// nothing on its standard input, and none of this process's descriptors.

/// What to start.
struct cpr_command {
  /// The absolute path of the executable.
  const char *executable;
  /// Its arguments, its name first, ended by NULL.
  char *const *arguments;
  /// Its whole environment as `NAME=value`, ended by NULL.
  char *const *environment;
  /// Its working directory.
  const char *directory;
};

/// A child that was started.
struct cpr_child {
  /// Its process id, which is its group's too.
  int32_t process;
  /// The end of a pipe with its standard output and error; reads do not block.
  int32_t output;
};

/// How a child ended.
struct cpr_end {
  /// The exit status; 0 where a signal ended it.
  int32_t status;
  /// The signal that ended it; 0 where it exited.
  int32_t signal;
};

/// Starts a child; returns 0 or an error number.
int cpr_start(const struct cpr_command *command, struct cpr_child *child);

/// The descriptor that a started app has its end of a channel at: far above those of any library's
/// that it was started with before.
enum { CPR_CHANNEL = 200 };

/// Starts a child with its standard output and error in the file `output`, and with `channel` at
/// CPR_CHANNEL; both stay the caller's. Returns 0 or an error number.
int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process);

/// Suspends a child that is not reaped, with all in its process group, and waits until it stands
/// still or has ended, for so many seconds at most: a debugger may keep the signal from it, and a
/// thread that waits for a disk does not stop. Returns 0 or an error number.
int cpr_suspend(int32_t process, int32_t seconds);

/// Lets a suspended child, and all in its process group, go on.
void cpr_resume(int32_t process);

/// Waits until a child has ended, and leaves it unreaped, so that its id stays its own. Returns 0,
/// or an error number where there is no such child (any more).
int cpr_wait(int32_t process);

/// Kills a child that is not reaped, and all in its process group.
void cpr_kill(int32_t process);

/// Reaps a child that has ended; returns 0 or an error number.
int cpr_reap(int32_t process, struct cpr_end *end);

/// Makes a pipe that no child inherits; `ends` is the one to read from, then the one to write to.
/// Returns 0 or an error number.
int cpr_pipe(int32_t ends[2]);

#endif
