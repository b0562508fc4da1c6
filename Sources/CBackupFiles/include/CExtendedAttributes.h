#ifndef C_EXTENDED_ATTRIBUTES_H
#define C_EXTENDED_ATTRIBUTES_H

#include <stddef.h>
#include <sys/types.h>

/// Extended attributes with one signature on Linux and Darwin.
///
/// Names are those of Darwin. On Linux, an unprivileged process may only store names in the `user.` namespace,
/// so the functions add this prefix and remove it again. If the item is a link, no function follows it. All
/// return -1 and set `errno` on failure.

/// Returns 1 if `error` is the platform's errno for "no such attribute".
int cea_is_missing_error(int error);

/// Returns 1 if the platform's Foundation stores the mark that excludes an item from backups. Linux's silently
/// does not.
int cea_foundation_stores_marks(void);

/// An item in a directory.
struct cea_place {
  /// The open directory, or -1 to use the path.
  int directory;
  /// The directory's absolute path, which is fastest if the system has no call that takes a descriptor and a
  /// name; NULL to use the descriptor nevertheless.
  const char *directory_path;
  /// The item's name in the directory.
  const char *name;
};

/// Reads the attribute `name` of an item into `value`, and returns its size in bytes. If `capacity` is 0, it
/// only returns the size.
ssize_t cea_get_in(const struct cea_place *place, const char *name, void *value, size_t capacity);

/// Sets the attribute `name` of an item, and replaces a former value.
int cea_set_in(const struct cea_place *place, const char *name, const void *value, size_t size);

/// Removes the attribute `name` of an item. A missing attribute is an error (`cea_is_missing_error`).
int cea_remove_in(const struct cea_place *place, const char *name);

/// Writes the names of an item's attributes into `names`, each ended by a NUL, and returns the number of bytes.
/// If `capacity` is 0, it returns at least the number of bytes needed.
ssize_t cea_list_in(const struct cea_place *place, char *names, size_t capacity);

/// Returns 1 if the kernel has calls that take a descriptor and a name (Linux 6.13 and later). It is tried
/// once.
///
/// Otherwise, the absolute path is fastest. On Linux, a path below `/proc/self/fd`, and opening the item first,
/// both cost more.
int cea_uses_descriptors(void);

#endif
