#ifndef C_TAP_H
#define C_TAP_H

#include <stddef.h>

/// Functions for the library FileSystemTap in this process, which logs changes of files, and
/// functions that run other programs.

/// Returns the name of the library's file; NULL if there is none on this platform.
const char *cpr_tap_name(void);

/// Writes the path of the library into `path` if the library is linked into this process or was
/// preloaded. Returns 1 if it is and the path fits; 0 otherwise.
int cpr_find_linked_tap(char *path, size_t size);

/// Makes the library in this process log the bytes that were written through mapped files. Does
/// nothing if this process does not have the library.
void cpr_finish_tap(void);

/// Makes the library call `function` before each change that it logs. Does nothing if this process
/// does not have the library.
void cpr_call_before_changes(void (*function)(void));

/// Starts or stops noting which code changes items below a folder. Does nothing if this process
/// does not have the library.
void cpr_note_calls(const char *folder, int is_on);

/// Runs a tool, which it looks for in the absolute folders of PATH. The arguments begin with the
/// tool's name and end with NULL. Returns its output, ended by a NUL, which the caller frees.
/// Returns NULL if the tool is missing, fails, or prints for longer than a minute, or if this
/// system starts no processes.
char *cpr_run_tool(char *const arguments[]);

/// What another process of this executable printed, and how it ended.
struct cpr_answer {
  /// The output, which the caller frees. It is NULL if it was too long, took too long or could not
  /// be read.
  char *bytes;
  size_t length;
  /// The signal that ended the process; 0 if it exited.
  int signal;
};

/// Runs this process's executable in a new process, for work that may crash. The arguments begin
/// with its name and end with NULL. The process may print 2 GB, and run for ten minutes. Returns 0
/// or an error number.
int cpr_run_itself(char *const arguments[], struct cpr_answer *answer);

#endif
