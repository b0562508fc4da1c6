#ifndef FILE_SYSTEM_TAP_H
#define FILE_SYSTEM_TAP_H

#include <stdint.h>

/// A library that notes in a log how a process changes files, before it does; that refuses what a
/// device refuses; and that notes what is looked for where nothing is any more.
///
/// On Linux, for x86_64 and aarch64, it defines the C library's functions that change the file
/// system or look for an item and forwards each to the C library. It comes into a process by
/// LD_PRELOAD, or by a test target that depends on it. Elsewhere it is empty.
///
/// It does nothing until the environment with which a process starts tells it to, or until the process calls
/// `backup_testing_tap_note_calls`. Lists have absolute paths, joined by colons. To note changes:
///
/// - BACKUP_TESTING_TAP_LOG: the absolute path of the log, to which records are appended.
/// - BACKUP_TESTING_TAP_ROOTS: the directories below which changes are noted.
/// - BACKUP_TESTING_TAP_KILL: a number N, where the process is to kill itself by SIGKILL before the
///   Nth change that it would note. Each process counts from 1.
///
/// To refuse calls, by EPERM:
///
/// - BACKUP_TESTING_TAP_REFUSED: the directories right in which nothing may be made.
/// - BACKUP_TESTING_TAP_ALLOWED: the names, joined by colons, that may be made there all the same.
/// - BACKUP_TESTING_TAP_READ_ONLY: the directories below which nothing may be made or written to.
///
/// To note what is looked for:
///
/// - BACKUP_TESTING_TAP_FORMER: the directories that were moved. A look for an item below one is
///   noted, and a later look below one of the roots for an item of the same name.
///
/// - BACKUP_TESTING_TAP_NOTES: the folder with the files for these notes, which are paths, each
///   ended by a NUL: `refused-places`, `former-paths` and `missing-items`. The last has what was looked
///   for below a root and is not there; openings and `lstat` do not count.
///
/// With ROOTS and NOTES, the file `change-calls` there gets a note of each change, also without a log:
/// the record's kind in hexadecimal digits, a space, the return addresses of the program's functions on
/// the stack, the innermost first, as hexadecimal offsets from the program's start with commas between
/// them, a space, the program's path, a line feed, and the path of the item that the change leaves. Equal
/// notes in a row on one path are one.
///
/// To have a write fail by ENOSPC, as on full storage:
///
/// - BACKUP_TESTING_TAP_GROWTHS: the absolute path of a file that may come and go. It has one byte for each
///   write that may still make a file longer, loses one with each, and is removed with the write that
///   fails.
///
/// Not seen: what `stdout` and the like write after `freopen`, what is written through a mapping of
/// more than 64 MB, or one that is moved or unmapped in part, and what a process does by `syscall`
/// (but for attributes), without the C library, or statically linked. A stream that writes has no wide
/// characters. Changes of permissions, owners and dates are not
/// noted, nor special files; nor looks by `readlink`, `realpath`, `getxattr`, `scandir` and `chdir`, nor,
/// with a C library older than 2.33, by `stat`.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

/// The version of the log's format. By this name the library is found in a process.
int backup_testing_tap_version(void);

/// Notes what was written through mapped files; called when code is done that did so.
void backup_testing_tap_finish(void);

/// Has a function called before each change that is noted, but not for one of preferences. It may make
/// changes of its own.
void backup_testing_tap_before_changes(void (*function)(void));

/// Starts or stops noting which code of this process changes items below a folder, for an app whose code
/// runs in the test's process. The notes are in the folder's file `change-calls`, in the format above. Of
/// missing items, only openings are noted. Calls can be nested: the last call that stops ends the notes. Does
/// nothing if the environment configures the library, or if 256 other folders are watched.
void backup_testing_tap_note_calls(const char *folder, int is_on);

/// What `backup_testing_tap_version` returns.
enum { BACKUP_TESTING_TAP_VERSION = 3 };

/// How each record begins: `SBT1`.
enum { BACKUP_TESTING_TAP_MAGIC = 0x31544253 };

/// What a record notes. Paths are absolute and without links, but for a last component that is
/// itself what is changed.
enum backup_testing_tap_kind {
  /// A regular file is made: `path`.
  BACKUP_TESTING_TAP_CREATE = 1,
  /// A file gets a new length: `path`; `argument` is the length.
  BACKUP_TESTING_TAP_TRUNCATE = 2,
  /// Bytes are written: `path`, `offset`, data. Where all of them are zeros there is no data, and
  /// `argument` is how many they are; it is 0 where there is data.
  BACKUP_TESTING_TAP_WRITE = 3,
  /// An item is renamed: `path` becomes `other`; `argument` has the flags of `renameat2`.
  BACKUP_TESTING_TAP_RENAME = 4,
  /// A file gets a further name: `path` is there, `other` is new.
  BACKUP_TESTING_TAP_HARD_LINK = 5,
  /// A symbolic link is made: `path`; the data is where it leads.
  BACKUP_TESTING_TAP_SYMBOLIC_LINK = 6,
  /// A name of something that is no directory is removed: `path`.
  BACKUP_TESTING_TAP_UNLINK = 7,
  /// A directory is removed: `path`.
  BACKUP_TESTING_TAP_REMOVE_DIRECTORY = 8,
  /// A directory is made: `path`.
  BACKUP_TESTING_TAP_MAKE_DIRECTORY = 9,
  /// An extended attribute is set: `path`; `other` is its name, the data its value, `argument` has
  /// the flags of `setxattr`. Only names that begin with `user.com.apple.` are noted.
  BACKUP_TESTING_TAP_SET_ATTRIBUTE = 10,
  /// An extended attribute is removed: `path`; `other` is its name, as above.
  BACKUP_TESTING_TAP_REMOVE_ATTRIBUTE = 11,
  /// A file was mapped so that a process can write to it unseen: `path`. No change: its number is
  /// 0, and it is noted when it is done.
  BACKUP_TESTING_TAP_MAPPING = 12,
  /// The change of this process and number was not done: `argument` is the error number.
  BACKUP_TESTING_TAP_FAILED = 13,
  /// A file is made longer by zeros: `path`; from `offset` on `argument` bytes are allocated.
  BACKUP_TESTING_TAP_ALLOCATE = 14,
  /// An item changes in a way that the log cannot tell: `path`.
  BACKUP_TESTING_TAP_UNSEEN = 15,
  /// Of the write of this process and number only the first `argument` bytes were written.
  BACKUP_TESTING_TAP_SHORT = 16,
  /// Bytes of another file are written: the same as BACKUP_TESTING_TAP_WRITE.
  BACKUP_TESTING_TAP_COPY = 17,
  /// Only in `change-calls`: a device refuses to make or write `path`.
  BACKUP_TESTING_TAP_REFUSED = 18,
  /// Only in `change-calls`: `path` is looked for or opened, and is not there.
  BACKUP_TESTING_TAP_LOOK = 19,
};

/// Added to the kind of a write or copy that makes the file longer.
enum { BACKUP_TESTING_TAP_GROWS = 0x100 };

/// How a record begins, each number with its lowest byte first. Behind it are the path, the other
/// path or name, and the data; none is ended by a NUL. A record is written as a whole before the
/// change is done, but for those of the kinds that tell what became of it.
struct backup_testing_tap_header {
  /// BACKUP_TESTING_TAP_MAGIC.
  uint32_t magic;
  /// A `backup_testing_tap_kind`, with BACKUP_TESTING_TAP_GROWS or without.
  uint32_t kind;
  /// How many bytes the record has, this header's among them.
  uint64_t length;
  /// The id of the process.
  uint32_t process;
  /// Which change of the process it is: 1, 2, …
  uint32_t number;
  /// Where in the file bytes are written or allocated.
  int64_t offset;
  /// What the kind says.
  int64_t argument;
  /// How many bytes the path has.
  uint32_t path_length;
  /// How many bytes the other path, or the attribute's name, has.
  uint32_t other_length;
};

#endif

#endif
