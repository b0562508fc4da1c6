#ifndef C_EXTENDED_ATTRIBUTES_H
#define C_EXTENDED_ATTRIBUTES_H

#include <stddef.h>
#include <sys/types.h>

/// Extended attributes with one signature on Linux and Darwin.
///
/// Names are the ones Darwin uses. On Linux, where an unprivileged process may only store names in
/// the `user.` namespace, the prefix is added on the way in and taken off on the way out. No
/// function follows a symbolic link that the item is. All return -1 and set `errno` on failure.

/// Whether `error` is the platform's errno for "no such attribute".
int cea_is_missing_error(int error);

/// Whether the platform's Foundation stores the mark that keeps an item out of backups; Linux's
/// does nothing and says nothing.
int cea_foundation_stores_marks(void);

/// An item of a directory.
struct cea_place {
  /// The open directory, or -1 to look the item up by its path.
  int directory;
  /// The directory's absolute path, which is the cheapest where the system has no call with a
  /// descriptor and a name; NULL to go by the descriptor all the same.
  const char *directory_path;
  /// The item's name in the directory.
  const char *name;
};

/// Reads the attribute `name` of an item into `value`; returns its size in bytes, with `capacity` 0
/// without reading it.
ssize_t cea_get_in(const struct cea_place *place, const char *name, void *value, size_t capacity);

/// Sets the attribute `name` of an item, replacing any former value.
int cea_set_in(const struct cea_place *place, const char *name, const void *value, size_t size);

/// Removes the attribute `name` of an item; one without it is an error (`cea_is_missing_error`).
int cea_remove_in(const struct cea_place *place, const char *name);

/// Lists the names of an item's attributes, each ended by a NUL, into `names`; returns the bytes
/// used, with `capacity` 0 at least as many as are needed.
ssize_t cea_list_in(const struct cea_place *place, char *names, size_t capacity);

/// Whether the kernel takes a descriptor and a name (Linux 6.13 and later); tried once. Elsewhere
/// the absolute path is the cheapest: on Linux a path below `/proc/self/fd` and opening the item
/// first both cost more.
int cea_uses_descriptors(void);

#endif
