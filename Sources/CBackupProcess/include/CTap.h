#ifndef C_TAP_H
#define C_TAP_H

#include <stddef.h>

/// The library FileSystemTap, which notes how a process changes files, as this process finds it.

/// The name of the library's file; NULL where there is none on this platform.
const char *cpr_tap_name(void);

/// Writes the path of the library where it is linked into this process, or was preloaded. Returns 0
/// where it is not, or the path does not fit.
int cpr_find_linked_tap(char *path, size_t size);

/// Has the library, if it is in this process, note what was written through mapped files.
void cpr_finish_tap(void);

/// Has the library, if it is in this process, call a function before each change that it notes.
void cpr_call_before_changes(void (*function)(void));

/// Starts or stops noting which code changes items below a folder, if the library is in this process.
void cpr_note_calls(const char *folder, int is_on);

/// Runs a tool that is in an absolute folder of PATH, by its name and arguments, ended by NULL. Returns
/// what it prints, ended by a NUL, to be freed; NULL if the tool is missing, fails or prints for longer
/// than a minute, or if this system starts no processes.
char *cpr_run_tool(char *const arguments[]);

/// What another process of this executable has answered.
struct cpr_answer {
  /// What it printed, to be freed; NULL if that was too much, took too long or could not be read.
  char *bytes;
  size_t length;
  /// The signal that ended it; 0 where it exited.
  int signal;
};

/// Runs this process's executable with other arguments, its name first, ended by NULL, for what may end a
/// process. Takes 2 GB at most and ten minutes. Returns 0 or an error number.
int cpr_run_itself(char *const arguments[], struct cpr_answer *answer);

#endif
