#ifndef C_PROCESS_H
#define C_PROCESS_H

#include <stdint.h>

/// Child processes with one signature on Linux and macOS.
///
/// Each child has a keeper as its parent, which is a child of this process. When the child or this process has
/// ended, the keeper kills the rest of the child's group and, on Linux, all other descendants of the child.
/// Then it ends as the child did.
///
/// A child has its own process group, default signal handling, an empty standard input, and none of this
/// process's descriptors. Like Foundation's `Process`, this is not available on iOS, tvOS and watchOS, where
/// `cpr_start` returns ENOTSUP.

/// The command of a child.
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

/// A started child.
struct cpr_child {
  /// The process id of the keeper, which is a child of this process.
  int32_t keeper;
  /// The process id of the child, and the id of its group.
  int32_t process;
  /// This process's end of the connection to the keeper, called the line.
  int32_t line;
  /// The end of a pipe with the standard output and error of a child of `cpr_start`. Reads do not block.
  int32_t output;
};

/// The end of a child.
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

/// The descriptor of a started app's end of a channel. It is far above those of libraries that are loaded
/// earlier.
enum { CPR_CHANNEL = 200 };

/// Starts a child with its standard output and error in the file `output`, and with `channel` as CPR_CHANNEL.
/// The caller still closes both. Returns 0 or an error number.
int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, struct cpr_child *child);

/// Starts a process as `cpr_start_app`, but without a keeper, as this process's own child.
int cpr_start_alone(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process);

/// Suspends a child that is not reaped, with its process group, and waits until it has stopped or ended, for
/// this number of seconds at most. A debugger may keep the signal from it, and a thread that waits for a disk
/// does not stop. Returns 0 or an error number.
int cpr_suspend(struct cpr_child child, int32_t seconds);

/// Resumes a suspended child with its process group.
void cpr_resume(struct cpr_child child);

/// Makes a child end as soon as anything but `cpr_suspend` stops it, because nothing would resume it.
void cpr_end_if_stopped(struct cpr_child child);

/// Waits until a child and its descendants have ended, and does not reap the child. Returns 0, or an error
/// number if there is no such child.
int cpr_wait(struct cpr_child child);

/// Kills a child that is not reaped, with its descendants.
void cpr_kill(struct cpr_child child);

/// Reaps a child that has ended, and closes its line. Returns 0 or an error number.
int cpr_reap(struct cpr_child child, struct cpr_end *end);

/// Creates a pipe that no child inherits. `ends` gets the end for reading, then the end for writing. Returns 0
/// or an error number.
int cpr_pipe(int32_t ends[2]);

#endif
