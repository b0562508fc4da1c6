#ifndef C_TAP_H
#define C_TAP_H

#include <stddef.h>

/// The library FileSystemTap in this process, which logs changes of files, and the tools that this process
/// runs.

/// Returns the name of the library's file; NULL if there is none on this platform.
const char *cpr_tap_name(void);

/// Writes the path of the library if it is linked into this process or was preloaded. Returns 0 if it is not,
/// or if the path does not fit.
int cpr_find_linked_tap(char *path, size_t size);

/// Makes the library log the bytes that were written through mapped files, if it is in this process.
void cpr_finish_tap(void);

/// Makes the library call a function before each change that it logs, if it is in this process.
void cpr_call_before_changes(void (*function)(void));

/// Starts or stops noting which code changes items below a folder, if the library is in this process.
void cpr_note_calls(const char *folder, int is_on);

/// Runs a tool in an absolute folder of PATH, by its name and arguments, ended by NULL. Returns its output,
/// ended by a NUL, which the caller frees; NULL if the tool is missing, fails or prints for longer than a
/// minute, or if this system starts no processes.
char *cpr_run_tool(char *const arguments[]);

/// The answer of another process of this executable.
struct cpr_answer {
  /// The output, which the caller frees; NULL if it was too long, took too long or could not be read.
  char *bytes;
  size_t length;
  /// The signal that ended the process; 0 if it exited.
  int signal;
};

/// Runs this process's executable for work that may end a process. The arguments begin with its name and end
/// with NULL. The process may print 2 GB, and run for ten minutes. Returns 0 or an error number.
int cpr_run_itself(char *const arguments[], struct cpr_answer *answer);

#endif
