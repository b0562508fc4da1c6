#include "CThreads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

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
