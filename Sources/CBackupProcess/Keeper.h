#ifndef KEEPER_H
#define KEEPER_H

#include "CProcess.h"

#include <sys/types.h>

/// A keeper is the parent of each process that the kit starts: on Linux what that leaves behind becomes the
/// keeper's child, wherever it has fled. It ends all of them when their first has ended or the kit has,
/// and then ends as the first one did. It is a copy of a process that may have had many threads, so it
/// calls nothing that takes a lock.

/// What a keeper says first by its line: an error number, or its child.
struct kept {
  int32_t error;
  int32_t process;
};

/// What it says last, if its child was stopped by another's signal: a number below 0, which is no error.
struct stop {
  int32_t negative_signal;
};

/// What it is told by its line.
struct order {
  enum { ORDER_KILL, ORDER_SUSPEND, ORDER_RESUME, ORDER_END_IF_STOPPED } kind;
  /// How long may be waited until all stands still.
  int32_t seconds;
};

/// Makes this process, which was just forked, the leader of a group that no signal of a terminal reaches,
/// and the parent of what its descendants leave behind.
void cpr_be_apart(void);

/// Closes all descriptors but these, and the standard streams; -1 stands for none.
void cpr_close_all_but(const int *kept, int count);

/// Leaves a process, which is not to end with its terminal, nothing of its parent's but two descriptors.
void cpr_withdraw(int first, int second);

/// Has this process killed when its parent ends, where the system can.
void cpr_end_with_parent(void);

/// Keeps a child as the line says, ends all that is left of it, and ends as it did.
_Noreturn void cpr_keep(pid_t child, int line);

/// Waits for so many milliseconds until a keeper says something by its line, and has it go on where its child
/// has stopped it. Returns 0 or an error number.
int cpr_wait_for_keeper(int32_t line, int32_t keeper, int milliseconds);

/// Waits until a keeper has a child, or says why it has none. Returns 0, or an error number; the line is
/// closed then and the keeper reaped.
int cpr_take_child(int32_t line, struct cpr_child *child);

/// The descriptor by which the guardian knows that there is a keeper; -1 for none.
int cpr_guard_line(void);

#endif
