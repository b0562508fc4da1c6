#ifndef C_PROCESS_H
#define C_PROCESS_H

#include <stdint.h>

/// Child processes with one signature on Linux and macOS.
///
/// Each has a keeper: a process of this one's that is its parent. When the child has ended, or this process
/// has, the keeper ends what is left of the child's group and, on Linux, all else that stems from it, and
/// then ends as the child did.
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
  /// The process id of its keeper, which is this process's child.
  int32_t keeper;
  /// The child's own, which is its group's too.
  int32_t process;
  /// The end of the line by which the keeper is told something.
  int32_t line;
  /// The end of a pipe with its standard output and error, for `cpr_start`; reads do not block.
  int32_t output;
};

/// How a child ended.
struct cpr_end {
  /// The exit status; 0 where a signal ended it.
  int32_t status;
  /// The signal that ended it; 0 where it exited.
  int32_t signal;
  /// The signal that stopped it before, for which it was ended; 0 for none.
  int32_t stop;
};

/// Starts a child; returns 0 or an error number.
int cpr_start(const struct cpr_command *command, struct cpr_child *child);

/// The descriptor that a started app has its end of a channel at: far above those of any library's
/// that it was started with before.
enum { CPR_CHANNEL = 200 };

/// Starts a child with its standard output and error in the file `output`, and with `channel` at
/// CPR_CHANNEL; both stay the caller's. Returns 0 or an error number.
int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, struct cpr_child *child);

/// Starts likewise what has no keeper, but is this process's own child.
int cpr_start_alone(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process);

/// Suspends a child that is not reaped, with all in its process group, and waits until it stands
/// still or has ended, for so many seconds at most: a debugger may keep the signal from it, and a
/// thread that waits for a disk does not stop. Returns 0 or an error number.
int cpr_suspend(struct cpr_child child, int32_t seconds);

/// Lets a suspended child, and all in its process group, go on.
void cpr_resume(struct cpr_child child);

/// Has a child end as soon as something else stops it than `cpr_suspend`: nobody would have it go on.
void cpr_end_if_stopped(struct cpr_child child);

/// Waits until a child has ended with all that it left, and leaves it unreaped. Returns 0, or an error
/// number if there is no such child (any more).
int cpr_wait(struct cpr_child child);

/// Kills a child that is not reaped, with all that stems from it.
void cpr_kill(struct cpr_child child);

/// Reaps a child that has ended, and closes its line; returns 0 or an error number.
int cpr_reap(struct cpr_child child, struct cpr_end *end);

/// Makes a pipe that no child inherits; `ends` is the one to read from, then the one to write to.
/// Returns 0 or an error number.
int cpr_pipe(int32_t ends[2]);

#endif
