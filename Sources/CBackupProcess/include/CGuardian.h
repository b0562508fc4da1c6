#ifndef C_GUARDIAN_H
#define C_GUARDIAN_H

#include <stdint.h>

/// The guardian is a process that removes this process's folders when this process and all its
/// keepers have ended, even if they were killed. It starts with the first folder.
///
/// If SwiftPM started this process for a test, the guardian also watches SwiftPM. If SwiftPM ends
/// first, for example because of a build machine's time limit, the guardian kills this process. If
/// a terminal or a debugger has only stopped SwiftPM, it has not ended.

/// Tells the guardian that a folder is about to be created at `path`. Returns the folder's number;
/// 0 if the guardian cannot remove the folder.
uint32_t cpr_guard(const char *path);

/// Passes the descriptor of the created folder to the guardian.
void cpr_guard_folder(uint32_t number, int32_t folder);

/// Makes the guardian forget a folder that was removed, or that must stay.
void cpr_forget_folder(uint32_t number);

#endif
