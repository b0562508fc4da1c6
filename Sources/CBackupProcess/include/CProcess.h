#ifndef C_PROCESS_H
#define C_PROCESS_H

#include <stdint.h>

/// Functions for child processes, with the same signatures on Linux and macOS.
///
/// The parent of each child is a *keeper*, which is a child of this process. When the child or this
/// process has ended, the keeper kills the rest of the child's process group and, on Linux, all
/// other descendants of the child. Then the keeper ends as the child did.
///
/// A child has its own process group, default signal handling and an empty standard input. It
/// inherits no descriptors of this process.
///
/// Like Foundation's `Process`, these functions do not work on iOS, tvOS and watchOS, where
/// `cpr_start` returns ENOTSUP.

/// The command of a child.
struct cpr_command {
  /// The absolute path of the executable.
  const char *executable;
  /// Its arguments, ended by NULL. The first is its name.
  char *const *arguments;
  /// Its whole environment, ended by NULL. Each variable is `NAME=value`.
  char *const *environment;
  /// Its working directory.
  const char *directory;
};

/// A started child.
struct cpr_child {
  /// The process id of the keeper, which is a child of this process.
  int32_t keeper;
  /// The process id of the child, and the id of its group.
  int32_t process;
  /// This process's end of the *line*, the connection to the keeper.
  int32_t line;
  /// For a child of `cpr_start`, the reading end of a pipe with its standard output and error.
  /// Reads do not block.
  int32_t output;
};

/// How a child ended.
struct cpr_end {
  /// The exit status; 0 if a signal ended the child.
  int32_t status;
  /// The signal that ended the child; 0 if it exited.
  int32_t signal;
  /// The signal that stopped the child, which was then killed; 0 for none.
  int32_t stop;
};

/// Starts a child. Returns 0 or an error number.
int cpr_start(const struct cpr_command *command, struct cpr_child *child);

/// The descriptor that a started app has for its end of a channel. The number is large, because
/// libraries that are loaded earlier open descriptors too.
enum { CPR_CHANNEL = 200 };

/// Starts a child. The file `output` gets its standard output and error. The descriptor `channel`
/// becomes its descriptor CPR_CHANNEL. The caller must still close both. Returns 0 or an error
/// number.
int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, struct cpr_child *child);

/// Like `cpr_start_app`, but the process has no keeper, and is a child of this process.
int cpr_start_alone(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process);

/// Suspends a child with its process group, and waits until the child has stopped or ended, at most
/// this number of seconds. The child must not be reaped. A debugger may hold the signal back, and a
/// thread that waits for a disk does not stop. Returns 0 or an error number.
int cpr_suspend(struct cpr_child child, int32_t seconds);

/// Resumes a suspended child with its process group.
void cpr_resume(struct cpr_child child);

/// From now on, the child is killed if anything but `cpr_suspend` stops it, because nothing would
/// resume it.
void cpr_end_if_stopped(struct cpr_child child);

/// Waits until a child and its descendants have ended. Does not reap the child. Returns 0, or an
/// error number if the child does not exist.
int cpr_wait(struct cpr_child child);

/// Kills a child with its descendants. The child must not be reaped.
void cpr_kill(struct cpr_child child);

/// Reaps a child that has ended, and closes its line. Returns 0 or an error number.
int cpr_reap(struct cpr_child child, struct cpr_end *end);

/// Creates a pipe that no child inherits. `ends[0]` is the end for reading, and `ends[1]` the end
/// for writing. Returns 0 or an error number.
int cpr_pipe(int32_t ends[2]);

#endif
