#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CForkServer.h"

#include "ForkMessages.h"

#include <errno.h>

#ifdef HAS_FORK_SERVER

#include "CAppProcess.h"
#include "CProcess.h"
#include "Keeper.h"
#include "SystemCall.h"

#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/// The first variable of a server.
static const char server_variable[] = "BACKUP_TESTING_FORK_SERVER=yes";

/// The memory of this process's environment.
struct environment {
  char **variables;
  size_t count;
  char *bytes;
  size_t size;
};

/// Finds the environment. Its variables must follow each other in memory, as the system puts them. Returns 0 or
/// an error number.
static int find_environment(char **variables, struct environment *environment) {
  environment->variables = variables;
  environment->bytes = variables[0];
  char *end = environment->bytes;
  size_t count = 0;
  for (; variables[count] != NULL; count++) {
    if (variables[count] != end) return EINVAL;
    end += strlen(end) + 1;
  }
  environment->count = count;
  environment->size = (size_t)(end - environment->bytes);
  return 0;
}

/// Returns 1 if the memory of the environment has room for other variables.
static int has_room(const struct environment *environment, const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t index = 0; index < size; index++) count += bytes[index] == '\0';
  return size <= environment->size && count <= environment->count;
}

/// Replaces the variables in memory, so that the system shows the new ones too.
static void replace(const struct environment *environment, const char *bytes, size_t size) {
  memcpy(environment->bytes, bytes, size);
  memset(environment->bytes + size, 0, environment->size - size);
  size_t count = 0;
  for (size_t start = 0; start < size; start += strlen(environment->bytes + start) + 1) {
    environment->variables[count++] = environment->bytes + start;
  }
  environment->variables[count] = NULL;
}

/// Forks as the C library does in a process with one thread. With CLONE_PARENT, the new process is a child of
/// this one's parent. Returns its id, 0 in the new process, or a negative error number.
static pid_t fork_as(uint64_t flags) {
  int *thread = NULL;
  if (prctl(PR_GET_TID_ADDRESS, &thread, 0, 0, 0) != 0 || thread == NULL) return -ENOTSUP;
  void *locks = NULL;
  size_t locks_size = 0;
  long error = call_system(SYS_get_robust_list, 0, (long)&locks, (long)&locks_size);
  if (error != 0) return (pid_t)error;
  struct clone_args arguments = {
      .flags = flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
      .child_tid = (uintptr_t)thread,
      // With CLONE_PARENT, the new process has the exit signal of this one.
      .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD,
  };
  long process = call_system(SYS_clone3, (long)&arguments, sizeof arguments, 0);
  if (process == 0) call_system(SYS_set_robust_list, (long)locks, (long)locks_size, 0);
  return (pid_t)process;
}

/// Waits for a request. Returns the size of the environment, or -1 if no more requests will come.
static ssize_t take_request(char *bytes, struct descriptors *descriptors) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof *descriptors)];
  } control;
  struct iovec vector = {.iov_base = bytes, .iov_len = MOST_BYTES};
  struct msghdr message = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control,
  };
  ssize_t size;
  do {
    size = recvmsg(CPR_CHANNEL, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  const struct cmsghdr *header = size <= 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_len != CMSG_LEN(sizeof *descriptors)) return -1;
  memcpy(descriptors, CMSG_DATA(header), sizeof *descriptors);
  return size;
}

/// Closes the descriptors of a request.
static void close_all(const struct descriptors *descriptors) {
  close(descriptors->directory);
  close(descriptors->output);
  close(descriptors->channel);
  close(descriptors->line);
  close(descriptors->guard);
}

/// Gives a copy the properties in a request. If that fails, the copy exits.
static void become(const struct descriptors *descriptors) {
  cpr_end_with_parent();
  setpgid(0, 0);
  int failed = fchdir(descriptors->directory) != 0;
  failed |= dup2(descriptors->output, STDOUT_FILENO) < 0;
  failed |= dup2(descriptors->output, STDERR_FILENO) < 0;
  failed |= dup2(descriptors->channel, CPR_CHANNEL) < 0;
  if (failed) _exit(127);
  close_all(descriptors);
}

/// Makes this process a keeper and forks its child. Only the child returns.
static void begin_keeping(const struct descriptors *descriptors) {
  cpr_be_apart();
  pid_t child = fork_as(0);
  if (child == 0) return;
  if (child > 0) setpgid(child, child);
  struct kept begun = {.error = child < 0 ? -child : 0, .process = child};
  // If the kit's process has ended meanwhile, 'cpr_keep' sees it on the line, and kills what the child may have
  // started.
  if (cpr_send(descriptors->line, &begun, sizeof begun) != 0) {
    shutdown(descriptors->line, SHUT_RDWR);
  }
  if (child < 0) _exit(127);
  cpr_withdraw(descriptors->line, descriptors->guard);
  cpr_keep(child, descriptors->line);
}

/// Serves requests, and returns only in copies.
static void serve(const struct environment *environment) {
  static char bytes[MOST_BYTES];
  for (;;) {
    struct descriptors descriptors;
    ssize_t size = take_request(bytes, &descriptors);
    if (size < 0) _exit(0);
    struct reply reply = {.error = E2BIG, .keeper = 0};
    if (has_room(environment, bytes, (size_t)size)) {
      pid_t keeper = fork_as(CLONE_PARENT);
      if (keeper == 0) {
        begin_keeping(&descriptors);
        become(&descriptors);
        replace(environment, bytes, (size_t)size);
        return;
      }
      reply.error = keeper < 0 ? -keeper : 0;
      reply.keeper = keeper;
    }
    close_all(&descriptors);
    send(CPR_CHANNEL, &reply, sizeof reply, MSG_NOSIGNAL);
  }
}

/// True if the loader has called the function below, which it does not if this code is in a library.
static int was_called;

/// Called by the loader before the initializers of all libraries.
static void serve_where_asked(int argument_count, char **arguments, char **variables) {
  (void)argument_count;
  (void)arguments;
  was_called = 1;
  struct environment environment;
  if (variables[0] == NULL || strcmp(variables[0], server_variable) != 0) return;
  if (find_environment(variables, &environment) != 0) _exit(127);
  serve(&environment);
}

/// The entry by which the loader finds the function.
__attribute__((section(".preinit_array"), used)) static void (*const initializer)(
    int, char **, char **) = serve_where_asked;

const char *cpr_fork_server_variable(void) {
  return was_called ? server_variable : NULL;
}

#else

const char *cpr_fork_server_variable(void) {
  return NULL;
}

#endif
