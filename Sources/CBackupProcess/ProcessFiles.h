#ifndef PROCESS_FILES_H
#define PROCESS_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Reads a file of a process from Linux's /proc; returns how many bytes, 0 for none, -1 where it
/// cannot be read.
ssize_t cpr_read_of(int32_t process, const char *name, char *bytes, size_t capacity);

#endif
