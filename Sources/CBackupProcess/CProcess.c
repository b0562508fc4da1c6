#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include "ProcessStart.h"
#include "StandardStreams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/// Makes a pipe whose ends are closed in children; -1 on failure.
static int make_pipe(int ends[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return pipe2(ends, O_CLOEXEC);
#endif
}

int cpr_pipe(int32_t ends[2]) {
  int made[2];
  if (make_pipe(made) != 0) return errno;
  return cpr_above_standard_streams(made, ends);
}

#ifdef CAN_START

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#ifdef __linux__
#include <dirent.h>
#include <stdlib.h>
#endif

/// How often a start is tried while the executable is still open for writing in another process,
/// and the pause in between in milliseconds. A child just being started elsewhere holds copies of
/// all descriptors for a moment.
enum { BUSY_ATTEMPTS = 50, BUSY_PAUSE = 10 };

/// Says in which directory a child starts; returns 0 or an error number.
///
/// What macOS 26 deprecates by its old name is the same call by the name that POSIX has for it now.
static int add_directory(posix_spawn_file_actions_t *actions, const char *directory) {
#ifdef HAS_STANDARD_CHANGE_OF_DIRECTORY
  return posix_spawn_file_actions_addchdir(actions, directory);
#else
  return posix_spawn_file_actions_addchdir_np(actions, directory);
#endif
}

#if defined(__linux__) && !defined(HAS_CLOSE_FROM)

/// Up to which descriptor a child closes all, where the system does not show which are open.
enum { UNSEEN_DESCRIPTORS = 4096 };

/// Closes the descriptors above the standard streams in a child, but for `kept`, each by its number,
/// since this C library cannot close all: those that are open now. What another thread opens
/// meanwhile a child inherits unless it is opened as the kit opens files, closed in children. To close
/// one that is not open is no failure. Returns 0 or an error number.
static int add_closing(posix_spawn_file_actions_t *actions, int kept) {
  int error = 0;
  DIR *files = opendir("/proc/self/fd");
  if (files == NULL) {
    long most = sysconf(_SC_OPEN_MAX);
    if (most < 0 || most > UNSEEN_DESCRIPTORS) most = UNSEEN_DESCRIPTORS;
    for (int file = STDERR_FILENO + 1; error == 0 && file < most; file++) {
      if (file != kept) error = posix_spawn_file_actions_addclose(actions, file);
    }
    return error;
  }
  const struct dirent *entry;
  while (error == 0 && (entry = readdir(files)) != NULL) {
    long file = strtol(entry->d_name, NULL, 10);
    if (file <= STDERR_FILENO || file == dirfd(files) || file == kept) continue;
    error = posix_spawn_file_actions_addclose(actions, (int)file);
  }
  closedir(files);
  return error;
}

#else

/// Closes the descriptors above the standard streams in a child, but for `kept`, which is none of
/// those or -1; on macOS an attribute does it. Returns 0 or an error number.
static int add_closing(posix_spawn_file_actions_t *actions, int kept) {
#ifdef HAS_CLOSE_FROM
  int error = 0;
  for (int file = STDERR_FILENO + 1; error == 0 && file < kept; file++) {
    error = posix_spawn_file_actions_addclose(actions, file);
  }
  if (error != 0) return error;
  int first = kept > STDERR_FILENO ? kept + 1 : STDERR_FILENO + 1;
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)kept;
  return 0;
#endif
}

#endif

/// Says what becomes of a child's descriptors and directory, with `channel` as CPR_CHANNEL where it
/// is not -1; returns 0 or an error number.
static int add_actions(
    posix_spawn_file_actions_t *actions, const struct cpr_command *command, int output,
    int channel) {
  int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
  if (error == 0 && channel >= 0) {
    error = posix_spawn_file_actions_adddup2(actions, channel, CPR_CHANNEL);
  }
  if (error == 0) error = add_closing(actions, channel >= 0 ? CPR_CHANNEL : -1);
  if (error == 0) error = add_directory(actions, command->directory);
  return error;
}

/// Gives a child a group of its own and the signal handling of a new process; returns 0 or an
/// error number.
static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  sigemptyset(&none);
  int error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  if (error == 0) error = posix_spawnattr_setflags(attributes, flags);
  return error;
}

/// Starts a child that writes to `output`, and has `channel` as CPR_CHANNEL unless that is -1; returns
/// 0 or an error number.
static int spawn(
    const struct cpr_command *command, int output, int channel, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = add_actions(&actions, command, output, channel);
    if (error == 0) error = set_attributes(&attributes);
    for (int attempt = 0; error == 0 && attempt < BUSY_ATTEMPTS; attempt++) {
      int result = posix_spawn(
          process, command->executable, &actions, &attributes, command->arguments,
          command->environment);
      if (result == 0) break;
      if (result != ETXTBSY || attempt + 1 == BUSY_ATTEMPTS) error = result;
      else poll(NULL, 0, BUSY_PAUSE);
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int cpr_start(const struct cpr_command *command, struct cpr_child *child) {
  int32_t ends[2];
  int error = cpr_pipe(ends);
  if (error != 0) return error;
  pid_t process = 0;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) error = errno;
  if (error == 0) error = spawn(command, ends[1], -1, &process);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return error;
  }
  child->process = process;
  child->output = ends[0];
  return 0;
}

int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process) {
  // Where this process has none of the standard streams, the output may have the place of one.
  int file = fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (file < 0) return errno;
  pid_t started = 0;
  int error = spawn(command, file, channel, &started);
  close(file);
  if (error == 0) *process = started;
  return error;
}

#else

int cpr_start(const struct cpr_command *command, struct cpr_child *child) {
  (void)command;
  (void)child;
  return ENOTSUP;
}

int cpr_start_app(
    const struct cpr_command *command, int32_t output, int32_t channel, int32_t *process) {
  (void)command;
  (void)output;
  (void)channel;
  (void)process;
  return ENOTSUP;
}

#endif
