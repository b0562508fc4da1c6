#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcessTable.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/// A number for the machine's name, by FNV-1a: the same in every process.
static uint64_t number_of_machine(void) {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  uint64_t number = 0xCBF29CE484222325;
  for (const char *letter = name; *letter != '\0'; letter++) {
    number = (number ^ (unsigned char)*letter) * 0x100000001B3;
  }
  return number;
}

#ifdef __APPLE__

#include <sys/sysctl.h>

int cpr_begin_of(int32_t process, uint64_t *begin) {
  struct kinfo_proc information;
  size_t size = sizeof information;
  int query[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
  if (sysctl(query, sizeof query / sizeof *query, &information, &size, NULL, 0) != 0) return errno;
  if (size == 0) return ESRCH;
  struct timeval time = information.kp_proc.p_starttime;
  *begin = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
  return 0;
}

uint64_t cpr_namespace(void) {
  return number_of_machine();
}

int cpr_kill_by_environment(const char *name, const char *prefix) {
  (void)name;
  (void)prefix;
  return -1;
}

#else

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/// The longest name of a file of /proc that is read here, and how much of an environment is.
enum { PATH_SIZE = 64, PIECE = 65536 };
/// How often is looked for what is still there of processes that were killed, and the pause in
/// between in milliseconds. One that is just being started, or is dying, is met in the next round.
enum { KILL_ROUNDS = 200, KILL_PAUSE = 1 };

/// Reads from an open file until a buffer is full; returns how many bytes, -1 on failure.
static ssize_t read_whole(int file, char *bytes, size_t capacity) {
  size_t size = 0;
  while (size < capacity) {
    ssize_t count = read(file, bytes + size, capacity - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    size += (size_t)count;
  }
  return (ssize_t)size;
}

/// Opens a file of a process; -1 on failure.
static int open_of(long process, const char *name) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%ld/%s", process, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/// The number in the 22nd field of a process's status, which counts from behind its name: the name
/// may have spaces and parentheses of its own. 0 where there is none.
static unsigned long long begin_in(const char *status) {
  const char *field = strrchr(status, ')');
  for (int number = 2; field != NULL && number < 22; number++) {
    field = strchr(field + 1, ' ');
  }
  return field == NULL ? 0 : strtoull(field + 1, NULL, 10);
}

int cpr_begin_of(int32_t process, uint64_t *begin) {
  int file = open_of(process, "stat");
  if (file < 0) return errno == ENOENT && access("/proc/self/stat", F_OK) == 0 ? ESRCH : errno;
  char status[4096];
  ssize_t size = read_whole(file, status, sizeof status - 1);
  int error = errno;
  close(file);
  if (size < 0) return error;
  status[size] = '\0';
  *begin = begin_in(status);
  return *begin == 0 ? EINVAL : 0;
}

uint64_t cpr_namespace(void) {
  struct stat found;
  uint64_t number = stat("/proc/self/ns/pid", &found) == 0 ? found.st_ino : 0;
  return number ^ number_of_machine();
}

/// Whether one of the variables in an environment begins with a text.
static int has_variable(const char *bytes, size_t size, const char *start) {
  size_t length = strlen(start);
  for (size_t at = 0; at + length <= size;) {
    if (memcmp(bytes + at, start, length) == 0) return 1;
    const char *end = memchr(bytes + at, '\0', size - at);
    if (end == NULL) return 0;
    at = (size_t)(end - bytes) + 1;
  }
  return 0;
}

/// Reads a file of a process; returns how many bytes, 0 for none, -1 where it cannot be read.
static ssize_t read_of(long process, const char *name, char *bytes, size_t capacity) {
  int file = open_of(process, name);
  if (file < 0) return -1;
  ssize_t size = read_whole(file, bytes, capacity);
  close(file);
  return size;
}

/// Whether a process is between two programs: its environment is not there yet, nor are its
/// arguments, though it has an executable, as no zombie has and no thread of the kernel.
static int is_starting(long process) {
  char path[PATH_SIZE];
  char byte;
  if (read_of(process, "cmdline", &byte, 1) != 0) return 0;
  snprintf(path, sizeof path, "/proc/%ld/exe", process);
  return readlink(path, &byte, 1) >= 0;
}

/// Kills every other process with a variable that begins with a text, once; returns how many, and
/// notes in `starting` how many may yet turn out to be such.
static int kill_once(const char *start, int *starting) {
  DIR *processes = opendir("/proc");
  if (processes == NULL) return -1;
  int count = 0;
  *starting = 0;
  const struct dirent *entry;
  while ((entry = readdir(processes)) != NULL) {
    long process = strtol(entry->d_name, NULL, 10);
    if (process <= 1 || process == getpid()) continue;
    char bytes[PIECE];
    ssize_t size = read_of(process, "environ", bytes, sizeof bytes);
    if (size == 0 && is_starting(process)) ++*starting;
    if (size <= 0 || !has_variable(bytes, (size_t)size, start)) continue;
    if (kill((pid_t)process, SIGKILL) == 0) count++;
  }
  closedir(processes);
  return count;
}

int cpr_kill_by_environment(const char *name, const char *prefix) {
  size_t size = strlen(name) + 1 + strlen(prefix) + 1;
  char *start = malloc(size);
  if (start == NULL) return -1;
  snprintf(start, size, "%s=%s", name, prefix);
  int starting = 0;
  int count = kill_once(start, &starting);
  int more = count;
  for (int round = 0; (more > 0 || starting > 0) && round < KILL_ROUNDS; round++) {
    poll(NULL, 0, KILL_PAUSE);
    more = kill_once(start, &starting);
    if (more > 0) count += more;
  }
  free(start);
  return count;
}

#endif
