#ifndef C_FILE_STATUS_H
#define C_FILE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/// What kind of item a path names.
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
  /// When the contents last changed, in nanoseconds since 1970; a time that does not fit is the
  /// nearest one that does.
  int64_t modified;
  /// When the contents, the attributes or anything else of the item last changed, likewise.
  int64_t changed;
};

/// Reads the status of `name` in the open directory `directory`, without following a link; -1 and
/// `errno` on failure.
int cfs_status_in(int directory, const char *name, struct cfs_status *status);

/// Opens the directory `path`, which is not empty, relative to the open directory `root`, to look
/// items up in it. What is said of `cfs_open_beneath` applies.
int cfs_open_in(int root, const char *path);

/// Writes where an open directory is now, as an absolute path without links, ended by a NUL; -1 and
/// `errno` on failure.
int cfs_path_of(int directory, char *path, size_t size);

/// Opens the directory `path`, relative to the directory `root`, to look items up in it; an empty
/// `path` is `root` itself. No component of `path` is followed where it is a link, which is ENOTDIR
/// as for any other item that is no directory; `root` may have links. Nobody has to be allowed to
/// read the directory for it. Returns a descriptor that no child inherits, with which nothing can be
/// read; -1 and `errno` on failure.
int cfs_open_beneath(const char *root, const char *path);

/// Sets the permissions of `name` in the open directory `directory`. A link is never followed: on
/// Linux one is ENOTSUP, on Darwin it has permissions of its own, which are set. -1 and `errno` on
/// failure.
int cfs_set_permissions_in(int directory, const char *name, uint32_t permissions);

/// Removes all items in an open directory, unless others keep coming. It calls nothing that takes a lock on
/// Linux. Returns 0 or an error number.
int cfs_remove_items(int directory);

/// Removes an item of an open directory with all in it, also from directories whose permissions forbid it;
/// one that is gone is no error. Returns 0 or an error number, ENOTEMPTY if others keep coming.
int cfs_remove_item(int directory, const char *name);

/// Calls `visit` with each name in the open directory `directory`, `.` and `..` too, in no order;
/// -1 and `errno` on failure. It reads from where the descriptor stands, and costs no call but
/// reads.
int cfs_each_name(int directory, void (*visit)(const char *name, void *context), void *context);

/// Sets when the contents of the item at `path` last changed; -1 and `errno` on failure.
int cfs_set_modified(const char *path, int64_t modified);

#endif
