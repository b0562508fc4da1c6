#ifndef C_GUARDIAN_H
#define C_GUARDIAN_H

#include <stdint.h>

/// The guardian is a process that removes the folders of this process after this process and all its keepers
/// have ended in any way. It is started with the first folder.
///
/// If SwiftPM has started this process for a test and ends before it, the guardian kills this process, so that
/// a time limit of a build machine ends everything. A process that a terminal or a debugger stops has not
/// ended.

/// Announces that a folder is about to be created at a path. Returns its number; 0 if it is not guarded.
uint32_t cpr_guard(const char *path);

/// Gives the guardian a created folder.
void cpr_guard_folder(uint32_t number, int32_t folder);

/// Makes the guardian forget a folder, which was removed or must stay.
void cpr_forget_folder(uint32_t number);

#endif
