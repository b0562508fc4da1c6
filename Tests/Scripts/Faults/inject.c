// Makes one call of the C library fail, for the script fault-table: the library is preloaded into the
// tool, and the environment says which call.
//
// FAULT_KIND   open, write, file or thread: which calls count
// FAULT_ERROR  the error number
// FAULT_AT     the number of the call that fails, from 1; 0 for none
// FAULT_COUNT  a file to which the number of calls is written at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPENS = 1, WRITES = 2, FILES = 4, THREADS = 8 };

static atomic_long count;
static long fails_at;
static int error_number;
static int kinds;

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FAULT_KIND");
  const char *error = getenv("FAULT_ERROR");
  const char *at = getenv("FAULT_AT");
  if (kind == NULL || error == NULL || at == NULL) return;
  kinds = strcmp(kind, "open") == 0 ? OPENS
      : strcmp(kind, "write") == 0 ? WRITES
      : strcmp(kind, "thread") == 0 ? THREADS
                                    : FILES;
  error_number = atoi(error);
  fails_at = atol(at);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  if (path == NULL) return;
  int kept = kinds;
  kinds = 0;
  FILE *file = fopen(path, "w");
  if (file != NULL) {
    fprintf(file, "%ld\n", atomic_load(&count));
    fclose(file);
  }
  kinds = kept;
}

/// Whether an address is in the library that runs the threads: it ends the process where it cannot
/// read of its own ones in /proc, and waits for ever for one that it cannot make, which is not for the
/// kit to mend.
static int is_in_dispatch(const void *caller) {
  Dl_info library;
  return dladdr(caller, &library) != 0 && strstr(library.dli_fname, "libdispatch") != NULL;
}

/// Whether a call of some kinds has to fail now; `errno` is set then.
static int fails_for(int kind, const void *caller) {
  if ((kinds & kind) == 0 || is_in_dispatch(caller)) return 0;
  long number = atomic_fetch_add(&count, 1) + 1;
  if (number != fails_at) return 0;
  errno = error_number;
  return 1;
}

#define fails(kind) fails_for(kind, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int kind_of_open(int flags) {
  return OPENS | FILES | ((flags & O_CREAT) != 0 ? WRITES : 0);
}

#define MODE(flags, mode) \
  mode_t mode = 0; \
  if ((flags & O_CREAT) != 0) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  return fails(kind_of_open(flags)) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return fails(kind_of_open(flags)) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
  MODE(flags, mode)
  return fails(kind_of_open(flags)) ? -1 : REAL(openat)(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags, mode)
  return fails(kind_of_open(flags)) ? -1 : REAL(openat64)(directory, path, flags, mode);
}
int pipe2(int ends[2], int flags) {
  return fails(OPENS) ? -1 : REAL(pipe2)(ends, flags);
}
int mkdir(const char *path, mode_t mode) {
  return fails(WRITES | FILES) ? -1 : REAL(mkdir)(path, mode);
}
int mkdirat(int directory, const char *path, mode_t mode) {
  return fails(WRITES | FILES) ? -1 : REAL(mkdirat)(directory, path, mode);
}
int unlink(const char *path) {
  return fails(FILES) ? -1 : REAL(unlink)(path);
}
int unlinkat(int directory, const char *path, int flags) {
  return fails(FILES) ? -1 : REAL(unlinkat)(directory, path, flags);
}
int rename(const char *from, const char *to) {
  return fails(WRITES | FILES) ? -1 : REAL(rename)(from, to);
}
int renameat(int old, const char *from, int new, const char *to) {
  return fails(WRITES | FILES) ? -1 : REAL(renameat)(old, from, new, to);
}
int fchmodat(int directory, const char *path, mode_t mode, int flags) {
  return fails(FILES) ? -1 : REAL(fchmodat)(directory, path, mode, flags);
}
int fchmod(int file, mode_t mode) {
  return fails(FILES) ? -1 : REAL(fchmod)(file, mode);
}
int symlinkat(const char *target, int directory, const char *path) {
  return fails(WRITES | FILES) ? -1 : REAL(symlinkat)(target, directory, path);
}
ssize_t readlinkat(int directory, const char *path, char *target, size_t size) {
  return fails(FILES) ? -1 : REAL(readlinkat)(directory, path, target, size);
}
int fstatat(int directory, const char *path, struct stat *status, int flags) {
  return fails(FILES) ? -1 : REAL(fstatat)(directory, path, status, flags);
}
int stat(const char *path, struct stat *status) {
  return fails(FILES) ? -1 : REAL(stat)(path, status);
}
int lstat(const char *path, struct stat *status) {
  return fails(FILES) ? -1 : REAL(lstat)(path, status);
}
ssize_t write(int file, const void *bytes, size_t size) {
  return file > STDERR_FILENO && fails(WRITES) ? -1 : REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return fails(WRITES) ? -1 : REAL(pwrite)(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  return fails(WRITES) ? -1 : REAL(pwrite64)(file, bytes, size, offset);
}
int ftruncate(int file, off_t size) {
  return fails(WRITES) ? -1 : REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  return fails(WRITES) ? -1 : REAL(ftruncate64)(file, size);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  if (fails(THREADS)) return error_number;
  return REAL(pthread_create)(thread, attributes, body, context);
}

/// The kinds of a call that the kit makes by number.
static int kind_of_call(long number) {
  switch (number) {
#ifdef SYS_openat2
  case SYS_openat2: return OPENS | FILES;
#endif
  case SYS_getdents64: return FILES;
  case 463: return WRITES | FILES;
  case 464: case 465: case 466: return FILES;
  default: return 0;
  }
}

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long words[6];
  for (int index = 0; index < 6; index++) words[index] = va_arg(rest, long);
  va_end(rest);
  if (fails(kind_of_call(number))) return -1;
  return REAL(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
