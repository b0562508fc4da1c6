#ifndef C_PROCESS_COST_H
#define C_PROCESS_COST_H

#include <stdint.h>

/// What a process took from its start to its end.
struct cpc_cost {
  /// The processor's time, its own and the system's for it, in seconds.
  double seconds;
  /// The most memory that was its at once, in bytes. On Linux it is at least what the caller has.
  int64_t bytes;
  /// Its exit status, or 128 and the signal that ended it.
  int status;
};

/// Runs the tool at `path` and waits for its end. `words` are its name and arguments, with a null
/// at the end; what it prints, errors too, goes to the file `output`. Returns 0, or what `errno`
/// says of why it cannot be run.
int cpc_run(const char *path, char *const words[], const char *output, struct cpc_cost *cost);

#endif
