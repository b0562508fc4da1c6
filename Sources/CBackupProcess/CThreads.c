#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CThreads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// Waits until the others are there too.
static void *wait_for(void *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

#ifdef __linux__
static bool lacks_memory = false;

/// Says it before anything else of the program runs: with so little memory the runtime may end the process
/// before it has said anything, or the C library may take minutes for what takes seconds.
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

int64_t cpr_peak_memory(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return (int64_t)usage.ru_maxrss * 1024;
#endif
}

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

/// What a thread is to do.
struct work {
  void (*body)(void *context);
  void *context;
};

/// Does it, on its thread.
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
