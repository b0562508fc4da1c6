#ifndef C_PROCESS_TABLE_H
#define C_PROCESS_TABLE_H

#include <stdint.h>

/// The system's processes with one signature on Linux and Darwin.

/// Writes when a process began, in a unit of the system's, which tells it from a later one of the
/// same id. Returns 0, ESRCH where there is no such process, or another error number where that
/// cannot be found out.
int cpr_begin_of(int32_t process, uint64_t *begin);

/// A number for what ids name processes in: the machine, by its name, since several may share a
/// folder, and on Linux the namespace. A Mac may get another name with another network: what it left
/// under the former one is then taken for another machine's.
uint64_t cpr_namespace(void);

/// By what a process is known to have been started in a container, though it left its group.
struct cpr_trace {
  /// A variable of its environment, whose value is the folder or a path in it.
  const char *variable;
  /// The folder, by its path without links, which is not resolved again: what is there now may be a
  /// link of the app's to anywhere. What has cleared its environment is known by it where its working
  /// directory, root or program is in it, and it belongs to no other terminal's session.
  const char *folder;
  /// When the first began that can be known by anything but its environment, in the unit of
  /// `cpr_begin_of`. By its environment none is known that is older than both that and this process.
  uint64_t begin;
  /// A descriptor of the pipe that it writes to; -1 for none.
  int32_t pipe;
};

/// Kills every process that is known by a trace, but not this one, and waits until they are gone,
/// though not for ever. Returns 0; ENOTSUP where the system does not show the processes; or what the
/// machine lacked to look at all of them, as an error number.
int cpr_kill_by_trace(const struct cpr_trace *trace);

#endif
