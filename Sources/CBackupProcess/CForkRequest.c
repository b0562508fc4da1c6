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
#include "StandardStreams.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int cpr_fork_channel(int32_t ends[2]) {
  int made[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, made) != 0) return errno;
  return cpr_above_standard_streams(made, ends);
}

int cpr_can_fork_from_server(void) {
  return dlsym(RTLD_DEFAULT, "__tsan_init") == NULL && dlsym(RTLD_DEFAULT, "__asan_init") == NULL;
}

/// Returns the permission mask; 0 if the system does not show it. umask(2) would change it for other threads.
static uint64_t find_mask(void) {
  char status[1024];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, status, sizeof status - 1);
  close(file);
  status[size < 0 ? 0 : size] = '\0';
  static const char name[] = "\nUmask:\t";
  const char *found = strstr(status, name);
  return found == NULL ? 0 : strtoul(found + strlen(name), NULL, 8);
}

void cpr_find_inheritance(uint8_t bytes[CPR_INHERITANCE_SIZE]) {
  struct {
    struct rlimit limits[RLIM_NLIMITS];
    uint64_t mask;
  } found;
  _Static_assert(sizeof found <= CPR_INHERITANCE_SIZE, "all of it has room");
  memset(&found, 0, sizeof found);
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) getrlimit(limit, &found.limits[limit]);
  found.mask = find_mask();
  memset(bytes, 0, CPR_INHERITANCE_SIZE);
  memcpy(bytes, &found, sizeof found);
}

void cpr_follow_fork_server(int32_t process) {
  int status = 0;
  pid_t changed;
  do {
    changed = waitpid(process, &status, WUNTRACED);
    if (changed == process && WIFSTOPPED(status)) kill(process, SIGKILL);
  } while (changed == process ? WIFSTOPPED(status) : errno == EINTR);
}

/// Sends a request. Returns 0 or an error number.
static int send_request(
    int server, const struct cpr_fork *fork, const struct descriptors *descriptors) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof *descriptors)];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec vector = {
      .iov_base = (void *)fork->environment,
      .iov_len = fork->environment_size,
  };
  struct msghdr message = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control,
  };
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof *descriptors);
  memcpy(CMSG_DATA(header), descriptors, sizeof *descriptors);
  ssize_t sent;
  do {
    sent = sendmsg(server, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

/// Asks a server for a copy. Returns 0 or an error number.
static int ask(int server, const struct cpr_fork *fork, int line, struct cpr_child *child) {
  int directory = open(fork->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return errno;
  int guard = cpr_guard_line();
  struct descriptors descriptors = {
      directory, fork->output, fork->channel, line, guard < 0 ? line : guard};
  int error = send_request(server, fork, &descriptors);
  close(directory);
  if (error != 0) return error;
  struct reply reply;
  ssize_t size;
  do {
    size = recv(server, &reply, sizeof reply, 0);
  } while (size < 0 && errno == EINTR);
  if (size != sizeof reply) return size < 0 ? errno : EPIPE;
  *child = (struct cpr_child){.keeper = reply.keeper, .output = -1};
  return reply.error;
}

int cpr_fork_from(int32_t server, const struct cpr_fork *fork, struct cpr_child *child) {
  if (fork->environment_size == 0 || fork->environment_size > MOST_BYTES) return E2BIG;
  int32_t line[2];
  int error = cpr_channel(line);
  if (error != 0) return error;
  error = ask(server, fork, line[1], child);
  close(line[1]);
  if (error == 0) return cpr_take_child(line[0], child);
  close(line[0]);
  return error;
}

#else

int cpr_fork_channel(int32_t ends[2]) {
  (void)ends;
  return ENOTSUP;
}

int cpr_can_fork_from_server(void) {
  return 0;
}

void cpr_find_inheritance(uint8_t bytes[CPR_INHERITANCE_SIZE]) {
  (void)bytes;
}

void cpr_follow_fork_server(int32_t process) {
  (void)process;
}

int cpr_fork_from(int32_t server, const struct cpr_fork *fork, struct cpr_child *child) {
  (void)server;
  (void)fork;
  (void)child;
  return ENOTSUP;
}

#endif
