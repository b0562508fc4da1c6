#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CGuardian.h"

#include "ProcessStart.h"

#ifdef CAN_START

#include "CAppProcess.h"
#include "CFileStatus.h"
#include "Keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#else
#include <libproc.h>
#include <sys/event.h>
#endif

/// The most folders that are guarded at once, and the longest path of one. If this process is killed, the next
/// run removes all others.
enum { MOST_FOLDERS = 1024, PATH_SIZE = 512 };

/// A message to the guardian: a folder is about to be created at a path, was created and comes as a descriptor,
/// or need not be guarded any more.
struct message {
  enum { MESSAGE_MAKES, MESSAGE_HOLDS, MESSAGE_FORGETS } kind;
  uint32_t number;
  char path[PATH_SIZE];
};

/// The folders, in the guardian's process. An entry without a path is unused.
static struct folder {
  int descriptor;
  uint32_t number;
  char path[PATH_SIZE];
} folders[MOST_FOLDERS];

/// This process's end of the line to the guardian. Each keeper has it too, and the guardian acts when all are
/// closed.
static int line = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int cpr_guard_line(void) {
  return line;
}

static struct folder *find(uint32_t number) {
  for (int at = 0; at < MOST_FOLDERS; at++) {
    if (folders[at].path[0] != '\0' && folders[at].number == number) return &folders[at];
  }
  return NULL;
}

static struct folder *free_place(void) {
  for (int at = 0; at < MOST_FOLDERS; at++) {
    if (folders[at].path[0] == '\0') return &folders[at];
  }
  return NULL;
}

/// Handles a message and its descriptor, which is -1 for none.
static void follow(const struct message *message, int descriptor) {
  struct folder *folder = message->kind == MESSAGE_MAKES ? free_place() : find(message->number);
  if (folder == NULL) {
    if (descriptor >= 0) close(descriptor);
    return;
  }
  switch (message->kind) {
  case MESSAGE_MAKES:
    folder->number = message->number;
    folder->descriptor = -1;
    memcpy(folder->path, message->path, PATH_SIZE);
    break;
  case MESSAGE_HOLDS:
    folder->descriptor = descriptor;
    break;
  case MESSAGE_FORGETS:
    if (folder->descriptor >= 0) close(folder->descriptor);
    folder->path[0] = '\0';
    break;
  }
}

/// Receives and handles a message. Returns 0 if no more will come.
static int take_message(int end) {
  struct message message;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec vector = {.iov_base = &message, .iov_len = sizeof message};
  struct msghdr received = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control,
  };
  ssize_t size = recvmsg(end, &received, 0);
  if (size < 0) return errno == EINTR;
  if (size == 0) return 0;
  int descriptor = -1;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&received);
  if (header != NULL && header->cmsg_len == CMSG_LEN(sizeof descriptor)) {
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  }
  // The rest of a message may come later, if the line had no room.
  while ((size_t)size < sizeof message) {
    ssize_t more = recv(end, (char *)&message + size, sizeof message - (size_t)size, 0);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return 0;
    size += more;
  }
  follow(&message, descriptor);
  return 1;
}

/// Removes an empty folder from a path. Returns 1 if it was there.
static int remove_from(const struct folder *folder, const char *path) {
  struct stat own;
  struct stat found;
  if (fstat(folder->descriptor, &own) != 0 || lstat(path, &found) != 0) return 0;
  if (S_ISLNK(found.st_mode) && path == folder->path) unlink(path);
  if (own.st_dev != found.st_dev || own.st_ino != found.st_ino) return 0;
  return rmdir(path) == 0;
}

/// Removes a folder with its contents from its present place. Another item in its old place stays, except a
/// link. If only its path is known, it is removed if it is empty.
static void remove_folder(const struct folder *folder) {
  if (folder->descriptor < 0) {
    rmdir(folder->path);
    return;
  }
  fchmod(folder->descriptor, 0700);
  cfs_remove_items(folder->descriptor);
  char path[PATH_MAX];
  if (remove_from(folder, folder->path)) return;
  if (cfs_path_of(folder->descriptor, path, sizeof path) == 0) remove_from(folder, path);
}

/// Returns 1 if a process is SwiftPM, whose end must end the tests.
static int is_package_manager(pid_t process) {
  char path[PATH_MAX];
#ifdef __linux__
  char link[32];
  snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
  ssize_t size = readlink(link, path, sizeof path - 1);
#else
  int size = proc_pidpath(process, path, sizeof path);
#endif
  if (size <= 0) return 0;
  path[size] = '\0';
  const char *name = strrchr(path, '/');
  return name != NULL && strncmp(name, "/swift-", 7) == 0;
}

/// Returns a descriptor that becomes readable when a process ends; -1 for none.
static int end_of(pid_t process) {
#ifdef __linux__
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  return -1;
#endif
#else
  int queue = kqueue();
  struct kevent event;
  EV_SET(&event, process, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
  if (queue < 0 || kevent(queue, &event, 1, NULL, 0, NULL) == 0) return queue;
  close(queue);
  return -1;
#endif
}

/// Guards the folders of a process until it and its keepers have ended, and then removes them.
static _Noreturn void guard(pid_t process, pid_t parent, int end) {
  cpr_withdraw(end, -1);
#ifdef __linux__
  prctl(PR_SET_NAME, "backup-guardian");
#endif
  struct pollfd polled[] = {
      {.fd = end, .events = POLLIN},
      {.fd = is_package_manager(parent) ? end_of(parent) : -1, .events = POLLIN},
  };
  for (;;) {
    if (poll(polled, 2, -1) < 0) continue;
    if (polled[1].revents != 0) {
      // The id of a process that has ended may belong to another one.
      if (getppid() == process) kill(process, SIGKILL);
      polled[1].fd = -1;
    }
    if (polled[0].revents != 0 && !take_message(end)) break;
  }
  for (int at = 0; at < MOST_FOLDERS; at++) {
    if (folders[at].path[0] != '\0') remove_folder(&folders[at]);
  }
  _exit(0);
}

/// Starts the guardian.
static void begin(void) {
  int32_t ends[2];
  if (cpr_channel(ends) != 0) return;
  // By default, a Mac has room for 15 messages.
  int room = MOST_FOLDERS * (int)sizeof(struct message);
  setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  setsockopt(ends[1], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  pid_t parent = getppid();
  pid_t own = getpid();
  sigset_t all;
  sigset_t former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t guardian = fork();
  if (guardian == 0) {
    setpgid(0, 0);
    guard(own, parent, ends[1]);
  }
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(ends[1]);
  if (guardian > 0) line = ends[0];
  else close(ends[0]);
}

/// Sends a message, with a descriptor unless that is -1. Without room on the line, the message is lost, and the
/// folder is not guarded. With room for a part, this waits until the rest is sent, because the next message
/// follows it.
static void tell(const struct message *message, int descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof descriptor)];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec vector = {.iov_base = (void *)message, .iov_len = sizeof *message};
  struct msghdr sent = {.msg_iov = &vector, .msg_iovlen = 1};
  if (descriptor >= 0) {
    sent.msg_control = control.bytes;
    sent.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  }
#ifdef MSG_NOSIGNAL
  int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
  int flags = MSG_DONTWAIT;
#endif
  pthread_mutex_lock(&lock);
  ssize_t size;
  do size = sendmsg(line, &sent, flags);
  while (size < 0 && errno == EINTR);
  if (size > 0 && (size_t)size < sizeof *message) {
    cpr_send(line, (const char *)message + size, sizeof *message - (size_t)size);
  }
  pthread_mutex_unlock(&lock);
}

uint32_t cpr_guard(const char *path) {
  static uint32_t last;
  struct message message = {.kind = MESSAGE_MAKES};
  size_t length = strlen(path);
  if (length >= PATH_SIZE) return 0;
  pthread_once(&once, begin);
  if (line < 0) return 0;
  memcpy(message.path, path, length);
  message.number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  tell(&message, -1);
  return message.number;
}

void cpr_guard_folder(uint32_t number, int32_t folder) {
  struct message message = {.kind = MESSAGE_HOLDS, .number = number};
  if (number != 0) tell(&message, folder);
}

void cpr_forget_folder(uint32_t number) {
  struct message message = {.kind = MESSAGE_FORGETS, .number = number};
  if (number != 0) tell(&message, -1);
}

#else

uint32_t cpr_guard(const char *path) {
  (void)path;
  return 0;
}

void cpr_guard_folder(uint32_t number, int32_t folder) {
  (void)number;
  (void)folder;
}

void cpr_forget_folder(uint32_t number) {
  (void)number;
}

#endif
