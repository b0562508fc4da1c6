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
  /// The time of the last change of the contents, in nanoseconds since 1970. A time that does not
  /// fit into 64 bits is replaced by the nearest one that fits.
  int64_t modified;
  /// The time of the last change of the item, its contents or its attributes, in the same unit.
  int64_t changed;
};

/// Reads the status of `name` in the open directory `directory`. Does not follow a link. On
/// failure, returns -1 and sets `errno`.
int cfs_status_in(int directory, const char *name, struct cfs_status *status);

/// Like `cfs_open_beneath`, but `root` is an open directory. `path` must not be empty.
int cfs_open_in(int root, const char *path);

/// Writes the present absolute path of an open directory. The path contains no links and ends with
/// a NUL. On failure, returns -1 and sets `errno`.
int cfs_path_of(int directory, char *path, size_t size);

/// Opens the directory `path`, relative to the directory `root`, to look up items in it. If `path`
/// is empty, opens `root` itself.
///
/// `root` may contain links. Links in `path` are not followed. If a component of `path` is a link
/// or another item that is not a directory, the error is ENOTDIR. The directory need not be
/// readable.
///
/// Returns a descriptor that no child inherits and from which nothing can be read. On failure,
/// returns -1 and sets `errno`.
int cfs_open_beneath(const char *root, const char *path);

/// Sets the permissions of `name` in the open directory `directory`. Does not follow a link: on
/// Linux, the error for a link is ENOTSUP; on Darwin, the link gets the permissions. On failure,
/// returns -1 and sets `errno`.
int cfs_set_permissions_in(int directory, const char *name, uint32_t permissions);

/// Removes all items in an open directory. Returns 0 or an error number. If other code keeps
/// creating items, some may be left. On Linux, it calls no function that takes a lock.
int cfs_remove_items(int directory);

/// Removes an item in an open directory with its contents, even from directories whose permissions
/// forbid it. A missing item is no error. Returns 0 or an error number: ENOTEMPTY if other code
/// keeps creating items.
int cfs_remove_item(int directory, const char *name);

/// Calls `visit` with each name in the open directory `directory`, in no order, also with `.` and
/// `..`. Begins at the descriptor's position. Makes only calls that read. On failure, returns -1
/// and sets `errno`.
int cfs_each_name(int directory, void (*visit)(const char *name, void *context), void *context);

/// Sets the time of the last change of the contents of the item at `path`, in nanoseconds since
/// 1970. On failure, returns -1 and sets `errno`.
int cfs_set_modified(const char *path, int64_t modified);

#endif
