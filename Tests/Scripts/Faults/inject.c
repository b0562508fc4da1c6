// Makes one call of the C library fail, for the script fault-table: the library is preloaded into
// the tool, and the environment says which call. What the tool starts has neither.
//
// FAULT_KIND   open, write, read, file, thread or process: which calls count
// FAULT_ERROR  the error number
// FAULT_AT     the number of the call that fails, from 1; 0 for none
// FAULT_STAYS  whether all later calls fail too; empty for that one alone
// FAULT_COUNT  a file to which the number of calls is written at the end
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { OPENS = 1, WRITES = 2, FILES = 4, THREADS = 8, READS = 16, PROCESSES = 32 };

static atomic_long count;
static long fails_at;
static int stays;
static int error_number;
static int kinds;
static char *count_path;

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FAULT_KIND");
  const char *error = getenv("FAULT_ERROR");
  const char *at = getenv("FAULT_AT");
  if (kind == NULL || error == NULL || at == NULL) return;
  kinds = strcmp(kind, "open") == 0 ? OPENS
      : strcmp(kind, "write") == 0 ? WRITES
      : strcmp(kind, "read") == 0 ? READS
      : strcmp(kind, "thread") == 0 ? THREADS
      : strcmp(kind, "process") == 0 ? PROCESSES
                                     : FILES;
  error_number = atoi(error);
  fails_at = atol(at);
  const char *staying = getenv("FAULT_STAYS");
  stays = staying != NULL && *staying != '\0';
  const char *path = getenv("FAULT_COUNT");
  count_path = path == NULL ? NULL : strdup(path);
  unsetenv("LD_PRELOAD");
  unsetenv("FAULT_KIND");
  unsetenv("FAULT_COUNT");
}

__attribute__((destructor)) static void end(void) {
  if (count_path == NULL) return;
  int kept = kinds;
  kinds = 0;
  FILE *file = fopen(count_path, "w");
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
  if (fails_at == 0 || number < fails_at || (number > fails_at && !stays)) return 0;
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

ssize_t read(int file, void *bytes, size_t size) {
  return file > STDERR_FILENO && fails(READS) ? -1 : REAL(read)(file, bytes, size);
}
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  return fails(READS) ? -1 : REAL(pread)(file, bytes, size, offset);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) {
  return fails(READS) ? -1 : REAL(pread64)(file, bytes, size, offset);
}
ssize_t readlink(const char *path, char *target, size_t size) {
  return fails(FILES) ? -1 : REAL(readlink)(path, target, size);
}
DIR *opendir(const char *path) {
  return fails(OPENS | FILES) ? NULL : REAL(opendir)(path);
}
ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size) {
  return fails(FILES) ? -1 : REAL(lgetxattr)(path, name, value, size);
}
ssize_t llistxattr(const char *path, char *names, size_t size) {
  return fails(FILES) ? -1 : REAL(llistxattr)(path, names, size);
}
int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return fails(WRITES | FILES) ? -1 : REAL(lsetxattr)(path, name, value, size, flags);
}
int lremovexattr(const char *path, const char *name) {
  return fails(FILES) ? -1 : REAL(lremovexattr)(path, name);
}

/// Which calls a command of fcntl(2) counts with.
static int kind_of_command(int command) {
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? OPENS : 0;
}

#define ARGUMENT(command, argument) \
  va_list rest; \
  va_start(rest, command); \
  void *argument = va_arg(rest, void *); \
  va_end(rest);

int fcntl(int file, int command, ...) {
  ARGUMENT(command, argument)
  return fails(kind_of_command(command)) ? -1 : REAL(fcntl)(file, command, argument);
}
int fcntl64(int file, int command, ...) {
  ARGUMENT(command, argument)
  return fails(kind_of_command(command)) ? -1 : REAL(fcntl64)(file, command, argument);
}

pid_t fork(void) {
  return fails(PROCESSES) ? -1 : REAL(fork)();
}
int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (fails(PROCESSES)) return error_number;
  return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
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
