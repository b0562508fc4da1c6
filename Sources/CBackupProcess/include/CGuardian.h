#ifndef C_GUARDIAN_H
#define C_GUARDIAN_H

#include <stdint.h>

/// The guardian: a process that removes this one's folders when this one has ended, however it has, and
/// with it all that its keepers keep. It is started with the first folder.
///
/// Where the process is a test's and SwiftPM, which started it, ends before it, it is killed: what a build
/// machine ends by a time limit is ended as a whole. A process that a terminal or a debugger stops is none
/// that has ended.

/// Says that a folder is about to be made at a path. Returns its number; 0 where it is not guarded.
uint32_t cpr_guard(const char *path);

/// Gives the guardian a folder that was made.
void cpr_guard_folder(uint32_t number, int32_t folder);

/// Has it forget a folder, which is removed or to be kept.
void cpr_forget_folder(uint32_t number);

#endif
