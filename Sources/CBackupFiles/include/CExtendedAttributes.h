#ifndef C_EXTENDED_ATTRIBUTES_H
#define C_EXTENDED_ATTRIBUTES_H

#include <stddef.h>
#include <sys/types.h>

/// Functions for extended attributes, with the same signatures on Linux and Darwin.
///
/// `name` is the name on Darwin. On Linux, a process without privileges can only store names that
/// begin with `user.`. So the functions add this prefix, and remove it from results. If the item is
/// a link, they do not follow it. On failure, they return -1 and set `errno`.

/// Returns 1 if `error` is the platform's `errno` for a missing attribute.
int cea_is_missing_error(int error);

/// Returns 1 if the platform's Foundation stores the mark that excludes an item from backups. On
/// Linux, Foundation silently does not store it.
int cea_foundation_stores_marks(void);

/// An item in a directory.
struct cea_place {
  /// The open directory, or -1 to find the directory by `directory_path`.
  int directory;
  /// The directory's absolute path, or NULL to always use the descriptor. If the system has no
  /// calls that take a descriptor and a name, the path is faster.
  const char *directory_path;
  /// The item's name in the directory.
  const char *name;
};

/// Reads the attribute `name` of an item into `value`. Returns the attribute's size in bytes. If
/// `capacity` is 0, it reads nothing.
ssize_t cea_get_in(const struct cea_place *place, const char *name, void *value, size_t capacity);

/// Sets the attribute `name` of an item. A former value is replaced.
int cea_set_in(const struct cea_place *place, const char *name, const void *value, size_t size);

/// Removes the attribute `name` of an item. A missing attribute is an error
/// (`cea_is_missing_error`).
int cea_remove_in(const struct cea_place *place, const char *name);

/// Writes the names of an item's attributes into `names`, each ended by a NUL. Returns the number
/// of bytes. If `capacity` is 0, it writes nothing, and returns the number of bytes needed or more.
ssize_t cea_list_in(const struct cea_place *place, char *names, size_t capacity);

/// Returns 1 if the kernel has calls that take a descriptor and a name, as Linux 6.13 and later do.
/// The kernel is tested only once.
///
/// On other kernels, the absolute path is the fastest way to an attribute. On Linux, a path below
/// `/proc/self/fd` takes longer, and so does opening the item first.
int cea_uses_descriptors(void);

#endif
