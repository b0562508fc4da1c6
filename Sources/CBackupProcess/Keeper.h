#ifndef KEEPER_H
#define KEEPER_H

#include "CProcess.h"

#include <sys/types.h>

/// A keeper is the parent of a process that the kit starts. On Linux, a descendant of the child
/// becomes the keeper's child when its own parent ends. When the child or the kit has ended, the
/// keeper kills the child and its descendants. Then it ends as the child did.
///
/// A keeper is forked from a process that may have many threads, so it calls no function that takes
/// a lock.

/// The first message of a keeper: an error number, or 0 and the child's process id.
struct kept {
  int32_t error;
  int32_t process;
};

/// The last message of a keeper whose child was stopped by a signal that the kit did not send. The
/// signal's number is negative, so that it differs from an error number.
struct stop {
  int32_t negative_signal;
};

/// A message from the kit to a keeper.
struct order {
  enum { ORDER_KILL, ORDER_SUSPEND, ORDER_RESUME, ORDER_END_IF_STOPPED } kind;
  /// For ORDER_SUSPEND: the number of seconds to wait until the child has stopped.
  int32_t seconds;
};

/// Makes this process the leader of a new process group, which gets no signals of the terminal. On
/// Linux, descendants whose parent has ended become its children. It is called directly after the
/// fork.
void cpr_be_apart(void);

/// Closes all descriptors except those in `kept` and the standard streams. A -1 in `kept` is
/// ignored.
void cpr_close_all_but(const int *kept, int count);

/// Detaches this process from its parent and its terminal. Only the descriptors `first` and
/// `second` stay open.
void cpr_withdraw(int first, int second);

/// Makes the system kill this process when its parent ends. Only Linux can do this.
void cpr_end_with_parent(void);

/// Follows the orders on `line` until the child has ended. Then kills all descendants of the child,
/// and ends as the child did.
_Noreturn void cpr_keep(pid_t child, int line);

/// Waits until a keeper sends a message, at most this number of milliseconds. If the child has
/// stopped its keeper, resumes the keeper. Returns 0 or an error number.
int cpr_wait_for_keeper(int32_t line, int32_t keeper, int milliseconds);

/// Waits until a keeper has started its child or reports an error. Returns 0 or an error number.
/// After an error, the line is closed and the keeper is reaped.
int cpr_take_child(int32_t line, struct cpr_child *child);

/// Returns the descriptor by which the guardian notices that a keeper still runs; -1 for none.
int cpr_guard_line(void);

#endif
