#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CAppProcess.h"

#include "StandardStreams.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// Replaces the function of a build with coverage in all other builds.
__attribute__((weak)) int __llvm_profile_write_file(void) {
  return 0;
}

void cpr_write_coverage(void) {
  __llvm_profile_write_file();
}

int cpr_has_thread_sanitizer(void) {
  return dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
}

void cpr_keep_from_children(int32_t descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

int cpr_channel(int32_t ends[2]) {
  int made[2];
#ifdef __APPLE__
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, made) != 0) return errno;
  for (int end = 0; end < 2; end++) {
    int on = 1;
    fcntl(made[end], F_SETFD, FD_CLOEXEC);
    setsockopt(made[end], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  }
#else
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, made) != 0) return errno;
#endif
  return cpr_above_standard_streams(made, ends);
}

int cpr_send(int32_t channel, const void *bytes, size_t count) {
#ifdef __APPLE__
  int flags = 0;
#else
  int flags = MSG_NOSIGNAL;
#endif
  const char *next = bytes;
  while (count > 0) {
    ssize_t sent = send(channel, next, count, flags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno;
    next += sent;
    count -= (size_t)sent;
  }
  return 0;
}

void cpr_hang_up(int32_t channel) {
  shutdown(channel, SHUT_RDWR);
}

void cpr_wait_until_read(int32_t channel) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int round = 0; round < 100; round++) {
    int count = 0;
    if (ioctl(channel, FIONREAD, &count) != 0 || count == 0) return;
    nanosleep(&pause, NULL);
  }
}

void cpr_free_start(struct cpr_own_start *start) {
  free(start->executable);
  free(start->arguments);
  free(start->environment);
  memset(start, 0, sizeof *start);
}

#ifdef __APPLE__

#include <TargetConditionals.h>
#include <crt_externs.h>
#include <sys/sysctl.h>
#if TARGET_OS_OSX
#include <libproc.h>
#endif

/// Returns a copy of bytes, ended by a NUL; NULL on failure.
static char *copy_of(const char *bytes, size_t count) {
  char *copy = malloc(count + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, bytes, count);
  copy[count] = '\0';
  return copy;
}

/// Returns a copy of this process's present environment, each variable ended by a NUL; NULL on failure.
static char *copy_of_environment(size_t *size) {
  char *const *variables = *_NSGetEnviron();
  *size = 0;
  for (int at = 0; variables[at] != NULL; at++) *size += strlen(variables[at]) + 1;
  char *copy = malloc(*size + 1);
  char *next = copy;
  for (int at = 0; copy != NULL && variables[at] != NULL; at++) {
    next = stpcpy(next, variables[at]) + 1;
  }
  return copy;
}

/// Returns the position after a text and its NUL; `end` if there is no NUL.
static const char *behind(const char *text, const char *end) {
  const char *nul = memchr(text, '\0', (size_t)(end - text));
  return nul == NULL ? end : nul + 1;
}

/// Splits the system's record of a start: the number of arguments, the executable's path, padding, the
/// arguments, the environment. Returns 0 or an error number.
static int take_apart(const char *bytes, size_t size, struct cpr_own_start *start) {
  int count = 0;
  if (size < sizeof count) return EINVAL;
  memcpy(&count, bytes, sizeof count);
  const char *end = bytes + size;
  const char *executable = bytes + sizeof count;
  const char *arguments = behind(executable, end);
  while (arguments < end && *arguments == '\0') arguments++;
  const char *environment = arguments;
  for (int number = 0; number < count && environment < end; number++) {
    environment = behind(environment, end);
  }
  const char *rest = environment;
  while (rest < end && *rest != '\0') rest = behind(rest, end);
  // The path may be relative, but the app's process starts in the container.
  char *given = copy_of(executable, strnlen(executable, (size_t)(end - executable)));
  start->executable = given == NULL || *given == '/' ? given : realpath(given, NULL);
  if (start->executable != given) free(given);
  start->arguments_size = (size_t)(environment - arguments);
  start->arguments = copy_of(arguments, start->arguments_size);
  start->environment_size = (size_t)(rest - environment);
  // The system may hide the environment.
  start->environment = start->environment_size == 0
      ? copy_of_environment(&start->environment_size)
      : copy_of(environment, start->environment_size);
  int is_whole = start->executable && start->arguments && start->environment;
  return is_whole ? 0 : ENOMEM;
}

int cpr_find_start(struct cpr_own_start *start) {
  memset(start, 0, sizeof *start);
  int most = 0;
  size_t size = sizeof most;
  int limit[] = {CTL_KERN, KERN_ARGMAX};
  if (sysctl(limit, 2, &most, &size, NULL, 0) != 0) return errno;
  size = (size_t)most;
  char *bytes = malloc(size);
  if (bytes == NULL) return ENOMEM;
  int query[] = {CTL_KERN, KERN_PROCARGS2, getpid()};
  int error = sysctl(query, 3, bytes, &size, NULL, 0) == 0 ? 0 : errno;
  if (error == 0) error = take_apart(bytes, size, start);
  free(bytes);
  if (error != 0) cpr_free_start(start);
  return error;
}

int cpr_look_at(int32_t process, struct cpr_activity *activity) {
#if TARGET_OS_OSX
  struct proc_taskinfo information;
  int size = proc_pidinfo(process, PROC_PIDTASKINFO, 0, &information, sizeof information);
  if (size != sizeof information) return errno == 0 ? ESRCH : errno;
  activity->switches = (uint64_t)information.pti_csw;
  activity->running = information.pti_numrunning;
  return 0;
#else
  (void)process;
  (void)activity;
  return ENOTSUP;
#endif
}

#else

#include <dirent.h>
#include <stdio.h>

/// The number of bytes of a file in /proc that are read at once, and the longest name of such a file.
enum { PIECE_SIZE = 4096, NAME_SIZE = 96 };

/// Returns the contents of a file of this process in /proc; NULL with `errno` on failure.
static char *contents_of(const char *path, size_t *size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  char *bytes = NULL;
  ssize_t count = 1;
  *size = 0;
  while (count > 0) {
    char *more = realloc(bytes, *size + PIECE_SIZE);
    if (more == NULL) break;
    bytes = more;
    do {
      count = read(file, bytes + *size, PIECE_SIZE);
    } while (count < 0 && errno == EINTR);
    if (count > 0) *size += (size_t)count;
  }
  int error = errno;
  close(file);
  if (count == 0) return bytes;
  free(bytes);
  errno = error;
  return NULL;
}

int cpr_find_start(struct cpr_own_start *start) {
  memset(start, 0, sizeof *start);
  start->executable = realpath("/proc/self/exe", NULL);
  if (start->executable != NULL) {
    start->arguments = contents_of("/proc/self/cmdline", &start->arguments_size);
  }
  if (start->arguments != NULL) {
    start->environment = contents_of("/proc/self/environ", &start->environment_size);
  }
  if (start->environment != NULL) return 0;
  int error = errno;
  cpr_free_start(start);
  return error;
}

/// Returns the number after a name in the status of a thread; 0 if the name is missing.
static uint64_t number_after(const char *status, const char *name) {
  const char *found = strstr(status, name);
  return found == NULL ? 0 : strtoull(found + strlen(name), NULL, 10);
}

/// Returns 1 if an error means that a thread or a process is gone.
static int is_gone(int error) {
  return error == ENOENT || error == ESRCH;
}

/// Adds the activity of a thread, unless it is gone. Returns 0 or an error number.
static int add_thread(int tasks, const char *thread, struct cpr_activity *activity) {
  char path[NAME_SIZE];
  char status[PIECE_SIZE];
  snprintf(path, sizeof path, "%s/status", thread);
  int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return is_gone(errno) ? 0 : errno;
  ssize_t size;
  do {
    size = read(file, status, sizeof status - 1);
  } while (size < 0 && errno == EINTR);
  int error = errno;
  close(file);
  if (size < 0) return is_gone(error) ? 0 : error;
  status[size] = '\0';
  const char *state = strstr(status, "\nState:\t");
  if (state != NULL && (state[8] == 'R' || state[8] == 'D')) activity->running++;
  activity->switches += number_after(status, "\nvoluntary_ctxt_switches:\t");
  activity->switches += number_after(status, "\nnonvoluntary_ctxt_switches:\t");
  return 0;
}

int cpr_look_at(int32_t process, struct cpr_activity *activity) {
  char path[NAME_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *tasks = opendir(path);
  if (tasks == NULL) {
    if (!is_gone(errno)) return errno;
    return access("/proc/self/stat", F_OK) == 0 ? ESRCH : ENOTSUP;
  }
  activity->switches = 0;
  activity->running = 0;
  int error = 0;
  while (error == 0) {
    errno = 0;
    const struct dirent *entry = readdir(tasks);
    if (entry == NULL) {
      error = is_gone(errno) ? 0 : errno;
      break;
    }
    if (entry->d_name[0] != '.') error = add_thread(dirfd(tasks), entry->d_name, activity);
  }
  closedir(tasks);
  return error;
}

#endif
