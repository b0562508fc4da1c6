#ifndef FILE_SYSTEM_TAP_H
#define FILE_SYSTEM_TAP_H

#include <stdint.h>

/// A library that logs each change of a file before a process makes it, makes calls fail that a device refuses,
/// and notes lookups of missing items.
///
/// On Linux, for x86_64 and aarch64, it defines the C library's functions that change the file system or look
/// up an item, and forwards each call to the C library. A process loads it by LD_PRELOAD, or through a test
/// target that depends on it. On other platforms, it is empty.
///
/// It does nothing until the process calls `backup_testing_tap_note_calls`, unless the environment with which
/// the process starts configures it. Lists have absolute paths, joined by colons. These variables log changes:
///
/// - BACKUP_TESTING_TAP_LOG: the absolute path of the log, to which records are appended.
/// - BACKUP_TESTING_TAP_ROOTS: the directories below which changes are logged.
/// - BACKUP_TESTING_TAP_KILL: a number N. The process kills itself by SIGKILL before the Nth change that it
///   would log. Each process counts from 1.
///
/// These variables make calls fail with EPERM:
///
/// - BACKUP_TESTING_TAP_REFUSED: the directories directly in which no item may be created.
/// - BACKUP_TESTING_TAP_ALLOWED: the names, joined by colons, of items that may be created there nevertheless.
/// - BACKUP_TESTING_TAP_READ_ONLY: the directories below which no item may be created or written to.
///
/// These variables note lookups:
///
/// - BACKUP_TESTING_TAP_FORMER: the directories that were moved. The library notes a lookup of an item below
///   one, and a later lookup of an item of the same name below a root.
///
/// - BACKUP_TESTING_TAP_NOTES: the folder with the files of the notes: `refused-places`, `former-paths` and
///   `missing-items`. The notes are paths, each ended by a NUL. The last file has the missing items that were
///   looked up below a root, but not those that were opened, or looked up by `lstat`.
///
/// With ROOTS and NOTES, the file `change-calls` there gets a note of each change, even without a log. A note
/// has the record's kind in hexadecimal digits, a space, the return addresses of the program's functions on the
/// stack, a space, the program's path, a line feed, and the path of the item after the change. The addresses
/// are hexadecimal offsets from the program's start, the innermost first, with commas between them. Of equal
/// notes in a row on one path, the file gets only the first.
///
/// This variable makes a write fail with ENOSPC, as on full storage:
///
/// - BACKUP_TESTING_TAP_GROWTHS: the absolute path of a file, which may come and go. It has one byte for each
///   write that may still make a file longer. Each such write removes a byte, and the write that fails removes
///   the file.
///
/// The library does not see writes to `stdout` and other streams after `freopen`; writes through a mapping of
/// more than 64 MB, or one that is moved or unmapped in part; and calls by `syscall` (except for attributes),
/// of statically linked programs, or without the C library. A stream that writes has no wide characters. The
/// library does not note changes of permissions, owners and dates, special files, or lookups by `readlink`,
/// `realpath`, `getxattr`, `scandir` and `chdir`, nor by `stat` with a C library older than 2.33.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

/// Returns the version of the log's format. The kit finds the library in a process by this name.
int backup_testing_tap_version(void);

/// Logs the bytes that were written through mapped files. The kit calls it after code that may do so.
void backup_testing_tap_finish(void);

/// Sets a function that is called before each logged change, except a change of preferences. The function may
/// make changes itself.
void backup_testing_tap_before_changes(void (*function)(void));

/// Starts or stops noting which code of this process changes items below a folder, for an app whose code runs
/// in the test's process.
///
/// The notes are in the folder's file `change-calls`, in the format above. Of lookups of missing items, only
/// openings are noted. Calls can be nested, and the last call that stops ends the notes. It does nothing if the
/// environment configures the library, or if 256 other folders are watched.
void backup_testing_tap_note_calls(const char *folder, int is_on);

/// The result of `backup_testing_tap_version`.
enum { BACKUP_TESTING_TAP_VERSION = 3 };

/// The first bytes of each record: `SBT1`.
enum { BACKUP_TESTING_TAP_MAGIC = 0x31544253 };

/// The kind of a record. Paths are absolute and without links, except that the last component may be a link
/// that is itself changed.
enum backup_testing_tap_kind {
  /// A regular file is created: `path`.
  BACKUP_TESTING_TAP_CREATE = 1,
  /// A file gets a new length: `path`; `argument` is the length.
  BACKUP_TESTING_TAP_TRUNCATE = 2,
  /// Bytes are written: `path`, `offset`, data; `argument` is 0. If all bytes are zeros, there is no data, and
  /// `argument` is their number.
  BACKUP_TESTING_TAP_WRITE = 3,
  /// An item is renamed: `path` becomes `other`; `argument` has the flags of `renameat2`.
  BACKUP_TESTING_TAP_RENAME = 4,
  /// A file gets another name: `path` exists, `other` is new.
  BACKUP_TESTING_TAP_HARD_LINK = 5,
  /// A symbolic link is created: `path`; the data is its target.
  BACKUP_TESTING_TAP_SYMBOLIC_LINK = 6,
  /// A name of an item that is not a directory is removed: `path`.
  BACKUP_TESTING_TAP_UNLINK = 7,
  /// A directory is removed: `path`.
  BACKUP_TESTING_TAP_REMOVE_DIRECTORY = 8,
  /// A directory is created: `path`.
  BACKUP_TESTING_TAP_MAKE_DIRECTORY = 9,
  /// An extended attribute is set: `path`; `other` is its name, the data its value, `argument` has
  /// the flags of `setxattr`. Only names that begin with `user.com.apple.` are logged.
  BACKUP_TESTING_TAP_SET_ATTRIBUTE = 10,
  /// An extended attribute is removed: `path`; `other` is its name, as above.
  BACKUP_TESTING_TAP_REMOVE_ATTRIBUTE = 11,
  /// A file was mapped so that a process can write to it unseen: `path`. This is not a change: its number is 0,
  /// and it is logged afterwards.
  BACKUP_TESTING_TAP_MAPPING = 12,
  /// The change of this process and number was not made: `argument` is the error number.
  BACKUP_TESTING_TAP_FAILED = 13,
  /// A file gets longer by zeros: `path`; `argument` bytes are allocated from `offset` on.
  BACKUP_TESTING_TAP_ALLOCATE = 14,
  /// An item changes in a way that the log cannot describe: `path`.
  BACKUP_TESTING_TAP_UNSEEN = 15,
  /// Only the first `argument` bytes of the write of this process and number were written.
  BACKUP_TESTING_TAP_SHORT = 16,
  /// Bytes of another file are written, with the fields of BACKUP_TESTING_TAP_WRITE.
  BACKUP_TESTING_TAP_COPY = 17,
  /// A device refuses to create or write `path`. Only in `change-calls`.
  BACKUP_TESTING_TAP_REFUSED = 18,
  /// A missing item is looked up or opened: `path`. Only in `change-calls`.
  BACKUP_TESTING_TAP_LOOK = 19,
};

/// Added to the kind of a write or copy that makes the file longer.
enum { BACKUP_TESTING_TAP_GROWS = 0x100 };

/// The beginning of a record, each number with its lowest byte first.
///
/// The path, the other path or name, and the data follow; none is ended by a NUL. A whole record is written
/// before the change is made, except for the kinds that describe the result of a change.
struct backup_testing_tap_header {
  /// BACKUP_TESTING_TAP_MAGIC.
  uint32_t magic;
  /// A `backup_testing_tap_kind`, with or without BACKUP_TESTING_TAP_GROWS.
  uint32_t kind;
  /// The number of bytes in the record, with this header.
  uint64_t length;
  /// The id of the process.
  uint32_t process;
  /// The number of the change in its process: 1, 2, …
  uint32_t number;
  /// The offset in the file at which bytes are written or allocated.
  int64_t offset;
  /// A number whose meaning depends on the kind.
  int64_t argument;
  /// The number of bytes in the path.
  uint32_t path_length;
  /// The number of bytes in the other path, or in the attribute's name.
  uint32_t other_length;
};

#endif

#endif
