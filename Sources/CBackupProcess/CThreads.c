#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CThreads.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __APPLE__
#include <mach/mach.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// Waits until the other threads have started.
static void *wait_for(void *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

#ifdef __linux__
static bool lacks_memory = false;

/// Reports a lack of memory before any other code of the program runs. With so little memory, the runtime may
/// end the process without a message, or the C library may take minutes for the work of seconds.
__attribute__((constructor)) static void look_for_memory(void) {
  static const char line[] =
      "error: this process can have less than 512 MB of memory, and the kit needs more: raise the "
      "limit with 'ulimit -v'\n";
  size_t bytes = (size_t)512 << 20;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  lacks_memory = memory == MAP_FAILED;
  if (lacks_memory) {
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
  } else {
    munmap(memory, bytes);
  }
}

bool cpr_lacks_memory(void) { return lacks_memory; }
#else
bool cpr_lacks_memory(void) { return false; }
#endif

#ifdef __APPLE__
int64_t cpr_memory(void) {
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return 0;
  return (int64_t)info.resident_size;
}
#else
int64_t cpr_memory(void) {
  // The second number is the pages in memory (proc_pid_statm(5)).
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = 0;
  char *end = text;
  strtoll(text, &end, 10);
  return strtoll(end, NULL, 10) * sysconf(_SC_PAGESIZE);
}
#endif

int cpr_can_have(int threads) {
  enum { MOST = 64 };
  pthread_t started[MOST];
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int count = 0;
  int error = 0;
  pthread_mutex_lock(&lock);
  while (count < threads && count < MOST && error == 0) {
    error = pthread_create(&started[count], NULL, wait_for, &lock);
    if (error == 0) count++;
  }
  pthread_mutex_unlock(&lock);
  while (count > 0) pthread_join(started[--count], NULL);
  return error;
}

/// The work of a thread.
struct work {
  void (*body)(void *context);
  void *context;
};

/// Does the work on its thread.
static void *begin(void *pointer) {
  struct work work = *(struct work *)pointer;
  free(pointer);
  work.body(work.context);
  return NULL;
}

int cpr_detach(void (*body)(void *context), void *context) {
  struct work *work = malloc(sizeof *work);
  if (work == NULL) return ENOMEM;
  *work = (struct work){body, context};
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_t thread;
    error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (error == 0) error = pthread_create(&thread, &attributes, begin, work);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) free(work);
  return error;
}
