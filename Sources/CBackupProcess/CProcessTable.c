#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcessTable.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/// Returns a hash of the machine's name by FNV-1a, which is the same in every process.
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

#else

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/// The longest name of a file in /proc that is read.
enum { PATH_SIZE = 64 };

/// Reads from an open file until a buffer is full. Returns the number of bytes, or -1 on failure.
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

/// Opens a file of a process in /proc. Returns -1 on failure.
static int open_of(int32_t process, const char *name) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/// Returns the number in the 22nd field of a process's status; 0 if there is none. Fields are counted from the
/// end of the process's name, which may contain spaces and parentheses.
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

#endif
