#ifndef C_FILE_STATUS_H
#define C_FILE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/// The kind of an item.
enum cfs_kind { CFS_FILE = 0, CFS_DIRECTORY = 1, CFS_LINK = 2, CFS_SPECIAL = 3 };

/// The status of one item, with the same field names on Linux and Darwin.
struct cfs_status {
  /// One of `enum cfs_kind`.
  int32_t kind;
  /// The permission bits.
  uint32_t permissions;
  /// The logical size in bytes.
  int64_t size;
  /// The inode number.
  uint64_t inode;
  /// The time of the last change of the contents, in nanoseconds since 1970; the nearest time that fits into 64
  /// bits.
  int64_t modified;
  /// The time of the last change of anything in the item, for example of attributes, in the same unit.
  int64_t changed;
};

/// Reads the status of `name` in the open directory `directory`, without following a link. Returns -1 and sets
/// `errno` on failure.
int cfs_status_in(int directory, const char *name, struct cfs_status *status);

/// Opens the directory `path`, which is not empty, relative to the open directory `root`, as
/// `cfs_open_beneath`.
int cfs_open_in(int root, const char *path);

/// Writes the present absolute path of an open directory, without links and ended by a NUL. Returns -1 and sets
/// `errno` on failure.
int cfs_path_of(int directory, char *path, size_t size);

/// Opens the directory `path`, relative to the directory `root`, to look up items in it. An empty `path` is
/// `root` itself.
///
/// `root` may have links. No link in `path` is followed: it is ENOTDIR, as is any other item that is not a
/// directory. The directory need not be readable. Returns a descriptor that no child inherits and that cannot
/// be read from; -1 and `errno` on failure.
int cfs_open_beneath(const char *root, const char *path);

/// Sets the permissions of `name` in the open directory `directory`. No link is followed: on Linux, a link is
/// ENOTSUP; on Darwin, its own permissions are set. Returns -1 and sets `errno` on failure.
int cfs_set_permissions_in(int directory, const char *name, uint32_t permissions);

/// Removes all items in an open directory, unless others keep coming. On Linux, it calls no function that takes
/// a lock. Returns 0 or an error number.
int cfs_remove_items(int directory);

/// Removes an item in an open directory with its contents, even from directories whose permissions forbid it. A
/// missing item is no error. Returns 0 or an error number, ENOTEMPTY if others keep coming.
int cfs_remove_item(int directory, const char *name);

/// Calls `visit` with each name in the open directory `directory`, with `.` and `..`, in no order. It begins at
/// the descriptor's position, and only makes calls that read. Returns -1 and sets `errno` on failure.
int cfs_each_name(int directory, void (*visit)(const char *name, void *context), void *context);

/// Sets the time at which the contents of the item at `path` last changed. Returns -1 and sets `errno` on
/// failure.
int cfs_set_modified(const char *path, int64_t modified);

#endif
