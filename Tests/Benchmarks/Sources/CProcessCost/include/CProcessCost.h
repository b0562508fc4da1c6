#ifndef C_PROCESS_COST_H
#define C_PROCESS_COST_H

#include <stdint.h>

/// The cost of a process.
struct cpc_cost {
  /// User and system time, in seconds.
  double seconds;
  /// The peak memory, in bytes. On Linux, it is at least the memory of the caller of `cpc_run`.
  int64_t bytes;
  /// The exit status, or 128 plus the number of the signal that ended the process.
  int status;
};

/// Runs the tool at `path` and waits for its end. `words` are its name and arguments, and then
/// NULL. Its standard output and its errors go to the file `output`. Returns 0, or an error number
/// if the tool cannot be run.
int cpc_run(const char *path, char *const words[], const char *output, struct cpc_cost *cost);

#endif
