#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcessTable.h"

#include <errno.h>

#ifdef __APPLE__

int cpr_kill_by_trace(const struct cpr_trace *trace) {
  (void)trace;
  return ENOTSUP;
}

#else

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ProcessFiles.h"

/// The longest name of a file of /proc that is read here, and how much of an environment is.
enum { NAME_SIZE = 320, PIECE = 65536 };
/// How often is looked for what is still there of processes that were killed, and the pause in
/// between in milliseconds. One that is just being started, or is dying, is met in the next round, and
/// so is one that could not be looked at for want of something.
enum { KILL_ROUNDS = 200, KILL_PAUSE = 1 };

/// A trace, with what is found out once.
struct search {
  /// The trace.
  const struct cpr_trace *trace;
  /// The program of this process.
  char program[PATH_MAX];
  /// The pipe's file; no such one where `has_pipe` is 0.
  struct stat pipe;
  int has_pipe;
  /// When the first began that can be known by anything; 0 where that is not known.
  uint64_t begin;
  /// What the machine lacked in this round, as an error number; 0 for nothing.
  int fault;
};

/// Notes a failure that is the machine's; any other is that of a process that is gone, or is
/// somebody else's.
static void note_fault(struct search *search) {
  switch (errno) {
  case EMFILE: case ENFILE: case ENOMEM: case EIO: search->fault = errno;
  }
}

/// Whether a look showed less than it should have, and another may show it.
static int is_incomplete(const struct search *search) {
  return search->fault != 0 && search->fault != ENOTSUP;
}

/// What a process's status says of it.
struct status {
  int parent;
  int session;
  int terminal;
  unsigned long long begin;
};

/// Whether a path is a folder's or leads into it; behind that of one that was removed is a space.
static int is_within(const char *path, const char *folder) {
  size_t length = strlen(folder);
  if (length == 0 || strncmp(path, folder, length) != 0) return 0;
  return path[length] == '\0' || path[length] == '/' || path[length] == ' ';
}

/// Reads where a link of a process leads; returns 0 where that is not shown.
static int read_link(int32_t process, const char *name, char path[PATH_MAX]) {
  char link[NAME_SIZE];
  snprintf(link, sizeof link, "/proc/%d/%s", process, name);
  ssize_t size = readlink(link, path, PATH_MAX - 1);
  path[size < 0 ? 0 : size] = '\0';
  return size > 0;
}

/// Whether an environment has the trace's variable with a path in its folder.
static int has_variable(const char *bytes, size_t size, const struct cpr_trace *trace) {
  size_t length = strlen(trace->variable);
  for (size_t at = 0; at + length + 1 < size;) {
    const char *end = memchr(bytes + at, '\0', size - at);
    if (end == NULL) return 0;
    const char *entry = bytes + at;
    if (strncmp(entry, trace->variable, length) == 0 && entry[length] == '=' &&
        is_within(entry + length + 1, trace->folder)) {
      return 1;
    }
    at = (size_t)(end - bytes) + 1;
  }
  return 0;
}

/// Whether a process is between two programs: its environment is not there yet, nor are its
/// arguments, though it has an executable, as no zombie has and no thread of the kernel.
static int is_starting(int32_t process) {
  char path[PATH_MAX];
  char byte;
  return cpr_read_of(process, "cmdline", &byte, 1) == 0 && read_link(process, "exe", path);
}

/// Reads a process's status, whose fields count from behind its name: that may have spaces and
/// parentheses of its own. Returns 0 where it is not shown.
static int read_status(int32_t process, struct status *status) {
  char text[4096];
  ssize_t size = cpr_read_of(process, "stat", text, sizeof text - 1);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char *fields = strrchr(text, ')');
  return fields != NULL &&
      sscanf(
          fields, ") %*c %d %*d %d %d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
          &status->parent, &status->session, &status->terminal, &status->begin) == 4;
}

/// Whether a process has the writing end of the trace's pipe at a descriptor.
static int writes_to_pipe(const struct search *search, const char *link) {
  struct stat file;
  struct stat end;
  return stat(link, &file) == 0 && file.st_ino == search->pipe.st_ino &&
      file.st_dev == search->pipe.st_dev && lstat(link, &end) == 0 && (end.st_mode & S_IWUSR) != 0;
}

/// Whether a process has the writing end of the trace's pipe open.
static int has_pipe_open(struct search *search, int32_t process) {
  if (!search->has_pipe) return 0;
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "/proc/%d/fd", process);
  DIR *files = opendir(name);
  if (files == NULL) {
    note_fault(search);
    return 0;
  }
  int found = 0;
  const struct dirent *entry;
  while (!found && (entry = readdir(files)) != NULL) {
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "/proc/%d/fd/%s", process, entry->d_name);
    found = writes_to_pipe(search, name);
  }
  closedir(files);
  return found;
}

/// Whether a process that may have cleared its environment is known by its places or the pipe.
///
/// A child of this process that still has its program is just being started, by another thread, and
/// has all descriptors of this process.
///
/// That it has a file of the container open says nothing: an indexer or a backup of the user's has
/// too.
static int has_place(struct search *search, int32_t process) {
  struct status status;
  char path[PATH_MAX];
  if (!read_status(process, &status)) {
    note_fault(search);
    return 0;
  }
  if (status.begin < search->trace->begin) return 0;
  // A process that ends loses its program before its directory.
  int has_program = read_link(process, "exe", path);
  if (!has_program) note_fault(search);
  if (has_program && status.parent == getpid() && strcmp(path, search->program) == 0) return 0;
  if (status.terminal == 0 || status.session == getsid(0)) {
    if (has_program && is_within(path, search->trace->folder)) return 1;
    if (read_link(process, "cwd", path) && is_within(path, search->trace->folder)) return 1;
    if (read_link(process, "root", path) && is_within(path, search->trace->folder)) return 1;
  }
  return has_pipe_open(search, process);
}

/// When the first process began that can be known by a trace: none is older that was started in a
/// container of this process, or in one of the process that the trace is of. 0 where that is not known.
static uint64_t first_begin(const struct cpr_trace *trace) {
  uint64_t own = 0;
  if (trace->begin == UINT64_MAX || cpr_begin_of(getpid(), &own) != 0) return 0;
  return trace->begin < own ? trace->begin : own;
}

/// Whether a process is older than all that can be known by the trace: the most are, and their
/// environment takes the system longest to show.
static int is_older(const struct search *search, int32_t process) {
  struct status status;
  return search->begin > 0 && read_status(process, &status) && status.begin < search->begin;
}

/// Kills every other process that is known by a trace, once; returns how many, and notes in
/// `starting` how many may yet turn out to be such, and what the machine lacked to look.
static int kill_once(struct search *search, int *starting) {
  int count = 0;
  *starting = 0;
  search->fault = 0;
  DIR *processes = opendir("/proc");
  if (processes == NULL) {
    search->fault = errno == ENOENT ? ENOTSUP : errno;
    return 0;
  }
  while (1) {
    errno = 0;
    const struct dirent *entry = readdir(processes);
    if (entry == NULL) {
      if (errno != 0) search->fault = errno;
      break;
    }
    int32_t process = (int32_t)strtol(entry->d_name, NULL, 10);
    if (process <= 1 || process == getpid() || is_older(search, process)) continue;
    char bytes[PIECE];
    ssize_t size = cpr_read_of(process, "environ", bytes, sizeof bytes);
    if (size < 0) {
      note_fault(search);
      continue;
    }
    if (size == 0 && is_starting(process)) ++*starting;
    if (!has_variable(bytes, (size_t)size, search->trace) && !has_place(search, process)) continue;
    if (kill(process, SIGKILL) == 0) count++;
  }
  closedir(processes);
  return count;
}

int cpr_kill_by_trace(const struct cpr_trace *trace) {
  struct search search = {.trace = trace};
  search.begin = first_begin(trace);
  read_link(getpid(), "exe", search.program);
  search.has_pipe = trace->pipe >= 0 && fstat(trace->pipe, &search.pipe) == 0;
  int starting = 0;
  int count = kill_once(&search, &starting);
  for (int round = 0; round < KILL_ROUNDS; round++) {
    if (count == 0 && starting == 0 && !is_incomplete(&search)) break;
    poll(NULL, 0, KILL_PAUSE);
    count = kill_once(&search, &starting);
  }
  return search.fault;
}

#endif
