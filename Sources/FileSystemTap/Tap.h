#ifndef TAP_H
#define TAP_H

#include "FileSystemTap.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define TAP_IS_THERE 1

// The functions are defined here, so no header is to put another in their place.
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

// What an older C library does not declare, or only with checks of sizes.
int renameat2(int, const char *, int, const char *, unsigned);
ssize_t copy_file_range(int, off64_t *, int, off64_t *, size_t, unsigned);
ssize_t pwritev2(int, const struct iovec *, int, off_t, int);
int __open_2(const char *, int);
int __openat_2(int, const char *, int);

/// Puts a function into the library's interface. A name with 64 is the same function: an offset has
/// 64 bits on these processors.
#define TAP_EXPORT __attribute__((visibility("default")))
#define TAP_ALSO(name, same) \
  TAP_EXPORT extern __typeof__(same) name __attribute__((alias(#same)))

/// The functions that are defined here, by their names in the C library.
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

/// The functions of that name that come next: the C library's, or another such library's.
struct tap_functions {
#define TAP_FIELD(name) __typeof__(name) *name;
  TAP_FUNCTIONS(TAP_FIELD)
#undef TAP_FIELD
};
extern struct tap_functions tap_next;

/// Whether anything is to be done but to pass calls on: not known before the first call.
enum tap_state { TAP_UNKNOWN, TAP_OFF, TAP_ON };
extern int tap_state;

/// Finds out whether anything is to be done, and where the next functions are.
int tap_start(void);

/// Whether a call has only to be passed on.
static inline int tap_is_off(void) {
  int state = __atomic_load_n(&tap_state, __ATOMIC_ACQUIRE);
  if (__builtin_expect(state == TAP_OFF, 1)) return 1;
  return state == TAP_UNKNOWN && !tap_start();
}

/// Has other threads' changes wait until this one is done, and signals and cancellation too, so that no
/// handler makes a change in between. One of a fault's does, and does not wait. Never held around what
/// may block: pipes, sockets, terminals.
void tap_lock(void);
void tap_unlock(void);

/// A call of the system, past all functions that could be defined anew. Gives a negative error
/// number on failure, and leaves `errno` as it is.
long tap_system(long number, long a, long b, long c, long d);

/// The status of an item, without following a link at its end; returns 0 where there is none.
int tap_status(const char *path, struct stat *status);
/// The status of an open file; returns 0 where there is none.
int tap_open_status(int descriptor, struct stat *status);

/// Where an item is.
struct tap_place {
  /// An absolute path without links on the way.
  char path[PATH_MAX];
  /// Whether the file is open, but has no longer this name, though it has another.
  int is_renamed;
};

/// Finds the place that a call means by a path, relative to a directory's descriptor or AT_FDCWD.
/// Nothing need be there. Returns whether it is below a root or a watched folder, and changes are noted.
int tap_find(struct tap_place *place, int directory, const char *path, int follows_last);
/// Finds the place and status of what is open. Returns whether it is below a root or a watched folder and
/// has a name, and changes are noted.
int tap_find_open(struct tap_place *place, int descriptor, struct stat *status);
/// The same, whether changes are noted or not.
int tap_find_below_root(struct tap_place *place, int directory, const char *path, int follows_last);

/// Folders, each by a path without links on the way and without a slash at its end.
struct tap_folders {
  char (*paths)[PATH_MAX];
  size_t count;
};

/// The folders below which changes are noted.
extern struct tap_folders tap_roots;
/// Takes the list of folders that a variable has; returns whether there are any.
int tap_read_folders(struct tap_folders *folders, const char *variable);
/// What a path has behind that of the folder that it is below; NULL for one that is below none.
const char *tap_rest(const struct tap_folders *folders, const char *path);
/// The watched folder that contains a path; NULL if none does.
const char *tap_watched_folder(const char *path);
/// Whether a path is below a root or a watched folder.
int tap_is_observed(const char *path);
/// Finds a place as if each missing directory on the way were there; returns 0 for none.
int tap_find_missing(struct tap_place *place, int directory, const char *path, int follows_last);

/// Calls what is to be called before a change of the item at a path; nothing under the lock.
void tap_prepare_change(const char *path);

/// Whether the environment configures the library.
extern int tap_is_configured;
/// Whether changes are noted in the log.
extern int tap_is_recording;
/// Whether changes are looked at, for the log or only for the code that makes them.
extern int tap_sees_changes;
/// Begins to observe changes.
void tap_observe_changes(void);

/// How a call comes by an item.
enum tap_use {
  /// It makes it, if it is not there.
  TAP_MAKES = 1,
  /// It writes to what is there.
  TAP_WRITES = 2,
  /// It puts another item there.
  TAP_PLACES = 4,
};

/// Takes the places that calls are refused; returns whether there are any.
int tap_read_refusals(void);
/// Whether a call is refused, as a device refuses it: then it is noted, and `errno` is EPERM.
int tap_refuses(int directory, const char *path, int follows_last, int use);

/// The folders in which nothing is any more.
extern struct tap_folders tap_former;
/// Notes a look for an item in such a folder.
void tap_note_look(int directory, const char *path, int follows_last);
/// A call looks for an item: nothing is done but where there are such folders.
static inline void tap_look(int directory, const char *path, int follows_last) {
  if (__builtin_expect(tap_former.count > 0, 0)) tap_note_look(directory, path, follows_last);
}
/// Takes the folder for notes.
void tap_read_notes(void);
/// The folder for notes of the code that changes what is at a path; NULL for none.
const char *tap_notes_folder(const char *path);
/// Notes a path in a file of the folder that the environment names, if it names one.
void tap_note_path(const char *file, const char *path);
/// Notes a text in a file of a folder.
void tap_note_text(const char *folder, const char *file, const char *text);
/// A sum of a text that hardly any other has; not 0.
uint64_t tap_sum(const char *text);

/// Finds out where the program's code is.
void tap_read_program(void);
/// Notes which of the program's code changes an item; under the lock.
void tap_note_call(uint32_t kind, const char *path);
/// The same for code that changes nothing, because a device refuses it or the item is missing; not
/// under the lock. `errno` stays.
void tap_note_vain_call(uint32_t kind, const char *path);

/// Text as a piece of a record; none where it is NULL, even where a header of the C library says
/// that the argument of a function never is.
struct iovec tap_text(const char *text);

/// What is noted of a change; what a kind does not use is left 0.
struct tap_change {
  uint32_t kind;
  const char *path;
  const char *other;
  int64_t offset;
  int64_t argument;
  const struct iovec *data;
  int pieces;
};

/// The most that a change's data may have, in bytes and in pieces, so that a record is one call.
enum { TAP_MOST_BYTES = 1 << 30, TAP_MOST_PIECES = 1000 };

/// Notes a change that is about to be done, under the lock, and returns its number. Does not return
/// where the process is to be killed before it.
uint32_t tap_note(const struct tap_change *change);
/// Notes that a change was not done. Nothing where the number is 0.
void tap_note_failure(uint32_t number, int error);
/// Notes a failure where the result of a call is -1, gives the lock back, and returns the result.
int tap_end(uint32_t number, int result);
/// Notes how many bytes of a write were written, where these are not all.
void tap_note_short(uint32_t number, int64_t count);
/// Notes what was written through mapped files since that was asked last; under the lock.
void tap_compare_mappings(void);
/// Notes a file that can be written to unseen.
void tap_note_mapping(const char *path);

/// The number of a write that fails, because the storage is full: more than any change has.
enum { TAP_IS_FULL = UINT32_MAX };
/// Fails a write by ENOSPC, and gives the lock back.
ssize_t tap_fail_full(void);
/// Whether the next write that makes a file longer fails, as `growths-left` says.
int tap_is_full(void);

/// A write of bytes to an open file.
struct tap_write {
  /// The file.
  struct tap_place place;
  /// How many bytes it has.
  int64_t size;
  /// Whether the bytes come from another file.
  int is_copy;
  /// Where the bytes go.
  int64_t offset;
};

/// Finds out where the bytes go of a call that writes at a file's position, or at `offset` where
/// that is not negative, and takes the lock. Returns 0, without the lock, where no change is to be
/// noted.
int tap_begin_write(struct tap_write *writing, int descriptor, int64_t offset, int appends);
/// Notes what is written, `count` bytes in all, and returns the change's number, or TAP_IS_FULL.
uint32_t tap_note_write(
    const struct tap_write *writing, const struct iovec *data, int pieces, size_t count);
/// Notes what became of a write, by its result, which it returns, and gives the lock back.
ssize_t tap_end_write(uint32_t number, size_t count, ssize_t written);

/// Whether a stream that is opened with a mode writes to a file below a root.
int tap_writes_stream(const char *path, const char *mode);
/// Opens such a stream, whose writes are noted, by the flags of its mode.
FILE *tap_open_stream(const char *path, const char *mode, int flags);
/// Whether a stream is such a one.
int tap_has_stream(FILE *stream);
/// Has such a stream go on with another file, or closes it if that cannot be opened.
FILE *tap_reopen_stream(const char *path, int flags, FILE *stream);

/// Notes a file that is there, which has come from where changes are not noted, as a copy; under the lock.
void tap_note_arrival(const char *path);

/// Opens a file of a folder, made where it is missing, to append to it; through no link, which the
/// program may have put in the place of either. Returns the descriptor, or an error number below 0.
long tap_open_to_append(const char *folder, const char *name);

/// Opens the log for the first time; returns whether it could be.
int tap_open_log(const char *path);
/// Appends a record to the log.
void tap_write_record(struct backup_testing_tap_header header, const struct tap_change *change);

#pragma GCC visibility pop

#endif

#endif
