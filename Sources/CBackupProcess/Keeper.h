#ifndef KEEPER_H
#define KEEPER_H

#include "CProcess.h"

#include <sys/types.h>

/// A keeper is the parent of each process that the kit starts. On Linux, descendants of that child become the
/// keeper's children when their parents end. When the child or the kit has ended, the keeper kills all of them,
/// and then ends as the child did. It is a copy of a process that may have had many threads, so it calls no
/// function that takes a lock.

/// The first message of a keeper: an error number, or its child.
struct kept {
  int32_t error;
  int32_t process;
};

/// The last message of a keeper whose child was stopped by a foreign signal. The number is negative, unlike an
/// error.
struct stop {
  int32_t negative_signal;
};

/// A message to a keeper.
struct order {
  enum { ORDER_KILL, ORDER_SUSPEND, ORDER_RESUME, ORDER_END_IF_STOPPED } kind;
  /// The time to wait until the child has stopped.
  int32_t seconds;
};

/// Makes this process, which was just forked, the leader of a group that gets no signal of a terminal, and the
/// new parent of orphaned descendants.
void cpr_be_apart(void);

/// Closes all descriptors except these and the standard streams. -1 stands for none.
void cpr_close_all_but(const int *kept, int count);

/// Detaches this process from its parent and its terminal. Only two descriptors stay open.
void cpr_withdraw(int first, int second);

/// Makes the system kill this process when its parent ends, if the system can.
void cpr_end_with_parent(void);

/// Follows the orders on the line, kills all descendants of a child when it has ended, and ends as the child
/// did.
_Noreturn void cpr_keep(pid_t child, int line);

/// Waits for this number of milliseconds until a keeper sends a message, and resumes the keeper if its child
/// has stopped it. Returns 0 or an error number.
int cpr_wait_for_keeper(int32_t line, int32_t keeper, int milliseconds);

/// Waits until a keeper has a child or reports an error. Returns 0 or an error number. After an error, the line
/// is closed and the keeper reaped.
int cpr_take_child(int32_t line, struct cpr_child *child);

/// Returns the descriptor by which the guardian notices a keeper; -1 for none.
int cpr_guard_line(void);

#endif
