#ifndef TAP_H
#define TAP_H

#include "FileSystemTap.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define TAP_IS_THERE 1

// The library defines these functions, so no header may replace them.
#undef _FORTIFY_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

// An older C library does not declare these functions, or only with checks of sizes.
int renameat2(int, const char *, int, const char *, unsigned);
ssize_t copy_file_range(int, off64_t *, int, off64_t *, size_t, unsigned);
ssize_t pwritev2(int, const struct iovec *, int, off_t, int);
int __open_2(const char *, int);
int __openat_2(int, const char *, int);

/// Exports a function from the library. A name with 64 is the same function, because offsets have 64 bits on
/// these processors.
#define TAP_EXPORT __attribute__((visibility("default")))
#define TAP_ALSO(name, same) \
  TAP_EXPORT extern __typeof__(same) name __attribute__((alias(#same)))

/// The functions that the library defines, by their names in the C library.
#define TAP_FUNCTIONS(DO)                                                                        \
  DO(open) DO(openat) DO(creat) DO(__open_2) DO(__openat_2) DO(fopen) DO(fdopen) DO(freopen)     \
  DO(stat) DO(lstat) DO(fstatat) DO(statx) DO(access) DO(faccessat) DO(opendir)                  \
  DO(mkstemp) DO(mkostemp) DO(mkstemps) DO(mkostemps) DO(mkdtemp)                                \
  DO(write) DO(pwrite) DO(writev) DO(pwritev) DO(pwritev2) DO(sendfile) DO(copy_file_range)      \
  DO(ftruncate) DO(truncate) DO(fallocate) DO(posix_fallocate) DO(mmap) DO(ioctl)                \
  DO(munmap) DO(msync) DO(mremap)                                                                \
  DO(rename) DO(renameat) DO(renameat2) DO(link) DO(linkat) DO(symlink) DO(symlinkat)            \
  DO(unlink) DO(unlinkat) DO(rmdir) DO(remove) DO(mkdir) DO(mkdirat)                             \
  DO(setxattr) DO(lsetxattr) DO(fsetxattr) DO(removexattr) DO(lremovexattr) DO(fremovexattr) \
  DO(syscall)

#pragma GCC visibility push(hidden)

/// The next functions of the same names: those of the C library, or of another preloaded library.
struct tap_functions {
#define TAP_FIELD(name) __typeof__(name) *name;
  TAP_FUNCTIONS(TAP_FIELD)
#undef TAP_FIELD
};
extern struct tap_functions tap_next;

/// The state of the library, which is unknown before the first call. If it is off, calls are only forwarded.
enum tap_state { TAP_UNKNOWN, TAP_OFF, TAP_ON };
extern int tap_state;

/// Determines the state and the next functions. Returns 1 if the library is on.
int tap_start(void);

/// Returns 1 if calls are only forwarded.
static inline int tap_is_off(void) {
  int state = __atomic_load_n(&tap_state, __ATOMIC_ACQUIRE);
  if (__builtin_expect(state == TAP_OFF, 1)) return 1;
  return state == TAP_UNKNOWN && !tap_start();
}

/// Delays the changes of other threads, and signals and cancellation, until this change is made. So no signal
/// handler makes a change in between, except for a fault, which cannot wait. The lock is never held during a
/// call that may block, such as on a pipe, a socket or a terminal.
void tap_lock(void);
void tap_unlock(void);

/// Makes a system call without the C library's functions, which other libraries may replace. Returns a negative
/// error number on failure, and keeps `errno`.
long tap_system(long number, long a, long b, long c, long d);

/// Reads the status of an item, without following a link at its end. Returns 0 if it does not exist.
int tap_status(const char *path, struct stat *status);
/// Reads the status of an open file. Returns 0 if it has none.
int tap_open_status(int descriptor, struct stat *status);

/// The place of an item.
struct tap_place {
  /// The absolute path, in which no directory is a link.
  char path[PATH_MAX];
  /// True if the file is open and has another name now.
  int is_renamed;
};

/// Finds the place for a path, relative to a directory's descriptor or AT_FDCWD. The item need not exist.
/// Returns 1 if the place is below a root or a watched folder, and changes are observed.
int tap_find(struct tap_place *place, int directory, const char *path, int follows_last);
/// Finds the place and status of an open file. Returns 1 if it has a name below a root or a watched folder, and
/// changes are observed.
int tap_find_open(struct tap_place *place, int descriptor, struct stat *status);
/// Finds a place as `tap_find`, even if changes are not observed.
int tap_find_below_root(struct tap_place *place, int directory, const char *path, int follows_last);

/// Folders, each by a path without links and without a slash at its end.
struct tap_folders {
  char (*paths)[PATH_MAX];
  size_t count;
};

/// The folders below which changes are logged or noted.
extern struct tap_folders tap_roots;
/// Reads the list of folders in a variable. Returns 1 if there are any.
int tap_read_folders(struct tap_folders *folders, const char *variable);
/// Returns the rest of a path after the folder that contains it; NULL if none of the folders does.
const char *tap_rest(const struct tap_folders *folders, const char *path);
/// Returns the watched folder that contains a path; NULL if none does.
const char *tap_watched_folder(const char *path);
/// Returns 1 if a path is below a root or a watched folder.
int tap_is_observed(const char *path);
/// Finds a place as if each missing directory in the path existed. Returns 0 if there is none.
int tap_find_missing(struct tap_place *place, int directory, const char *path, int follows_last);

/// Calls the function of `backup_testing_tap_before_changes` before a change at a path, but not under the lock.
void tap_prepare_change(const char *path);

/// True if the environment configures the library.
extern int tap_is_configured;
/// True if changes are logged.
extern int tap_is_recording;
/// True if changes are observed, for the log or only for notes of the code that makes them.
extern int tap_sees_changes;
/// Begins to observe changes.
void tap_observe_changes(void);

/// The effect of a call on an item.
enum tap_use {
  /// The call creates the item if it is missing.
  TAP_MAKES = 1,
  /// The call writes to the existing item.
  TAP_WRITES = 2,
  /// The call puts another item in its place.
  TAP_PLACES = 4,
};

/// Reads the places at which calls are refused. Returns 1 if there are any.
int tap_read_refusals(void);
/// Returns 1 if a device refuses a call. Then the call is noted, and `errno` is EPERM.
int tap_refuses(int directory, const char *path, int follows_last, int use);

/// The folders that were moved.
extern struct tap_folders tap_former;
/// Notes a lookup of an item in a moved folder, or of an item of the same name afterwards.
void tap_note_look(int directory, const char *path, int follows_last);
/// Notes a lookup if there are moved folders.
static inline void tap_look(int directory, const char *path, int follows_last) {
  if (__builtin_expect(tap_former.count > 0, 0)) tap_note_look(directory, path, follows_last);
}
/// Reads the folder for notes, and the file that says which write fails.
void tap_read_notes(void);
/// Returns the folder for notes of the code that changes the item at a path; NULL for none.
const char *tap_notes_folder(const char *path);
/// Notes a path in a file of the folder that the environment names. Does nothing if it names none.
void tap_note_path(const char *file, const char *path);
/// Notes a text in a file of a folder.
void tap_note_text(const char *folder, const char *file, const char *text);
/// Returns a hash of a text; never 0.
uint64_t tap_sum(const char *text);

/// Finds the addresses of the program's own code.
void tap_read_program(void);
/// Notes which code of the program changes an item. Called under the lock.
void tap_note_call(uint32_t kind, const char *path);
/// Notes which code of the program fails to change an item, because a device refuses it or the item is missing.
/// Not called under the lock. Keeps `errno`.
void tap_note_vain_call(uint32_t kind, const char *path);

/// Returns a text as a piece of a record. It may be NULL, even if a header of the C library says that the
/// argument of a function never is.
struct iovec tap_text(const char *text);

/// A change as it is logged. Fields that the kind does not use are 0.
struct tap_change {
  uint32_t kind;
  const char *path;
  const char *other;
  int64_t offset;
  int64_t argument;
  const struct iovec *data;
  int pieces;
};

/// The most bytes and the most pieces in a change's data, so that one call writes a record.
enum { TAP_MOST_BYTES = 1 << 30, TAP_MOST_PIECES = 1000 };

/// Logs a change that is about to be made, and returns its number. Called under the lock. Does not return if
/// the process is killed before the change.
uint32_t tap_note(const struct tap_change *change);
/// Logs that a change was not made. Does nothing if the number is 0.
void tap_note_failure(uint32_t number, int error);
/// Logs a failure if the result of a call is -1, unlocks, and returns the result.
int tap_end(uint32_t number, int result);
/// Logs how many bytes of a write were written, if these are not all.
void tap_note_short(uint32_t number, int64_t count);
/// Logs the bytes that were written through mapped files since the last comparison. Called under the lock.
void tap_compare_mappings(void);
/// Logs that a file can be written to unseen.
void tap_note_mapping(const char *path);

/// The number of a write that fails because the storage is full. No change has so high a number.
enum { TAP_IS_FULL = UINT32_MAX };
/// Sets ENOSPC for a write, unlocks, and returns -1.
ssize_t tap_fail_full(void);
/// Returns 1 if the next write that makes a file longer fails, according to the file `growths-left`.
int tap_is_full(void);

/// A write of bytes to an open file.
struct tap_write {
  struct tap_place place;
  /// The size of the file before the write, in bytes.
  int64_t size;
  /// True if the bytes come from another file.
  int is_copy;
  /// The offset at which the bytes are written.
  int64_t offset;
};

/// Finds the place and offset of a write, and locks. The write is at `offset`, or at the file's position if
/// that is negative. Returns 0, without the lock, if the write is not observed.
int tap_begin_write(struct tap_write *writing, int descriptor, int64_t offset, int appends);
/// Logs a write of `count` bytes in all, and returns the change's number, or TAP_IS_FULL.
uint32_t tap_note_write(
    const struct tap_write *writing, const struct iovec *data, int pieces, size_t count);
/// Logs the result of a write if it was not written whole, unlocks, and returns the result.
ssize_t tap_end_write(uint32_t number, size_t count, ssize_t written);

/// Returns 1 if a stream that is opened with a mode is logged, because it writes to a file below a root.
int tap_writes_stream(const char *path, const char *mode);
/// Opens a logged stream with the flags of its mode.
FILE *tap_open_stream(const char *path, const char *mode, int flags);
/// Returns 1 if a stream is logged.
int tap_has_stream(FILE *stream);
/// Makes a logged stream continue with another file, or closes it if the file cannot be opened.
FILE *tap_reopen_stream(const char *path, int flags, FILE *stream);

/// Logs a file as a copy, because it came from a place where changes are not observed. Called under the lock.
void tap_note_arrival(const char *path);

/// Opens a file in a folder for appending, and creates it if it is missing. No link is followed, because the
/// program may have replaced the file or the folder. Returns the descriptor, or a negative error number.
long tap_open_to_append(const char *folder, const char *name);

/// Opens the log for the first time. Returns 0 on failure.
int tap_open_log(const char *path);
/// Appends a record to the log.
void tap_write_record(struct backup_testing_tap_header header, const struct tap_change *change);

#pragma GCC visibility pop

#endif

#endif
