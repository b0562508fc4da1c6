/// Answers questions on files and on this process, a line each: `name: answer`.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

enum { PART = 1 << 20 };

static int make(const char *name) {
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) return file;
  perror(name);
  exit(1);
}

static void fill(int file, off_t offset) {
  char *bytes = malloc(PART);
  memset(bytes, 'a', PART);
  if (bytes == NULL || pwrite(file, bytes, PART, offset) != PART) exit(1);
  free(bytes);
}

/// Where SEEK_DATA leads from the begin of data, its middle, a hole, and the hole at the end: the file has data
/// in its first, 17th and 33rd MB of 48.
static void ask_seek_data(void) {
  int file = make("holes");
  fill(file, 0);
  fill(file, 16 * (off_t)PART);
  fill(file, 32 * (off_t)PART);
  if (ftruncate(file, 48 * (off_t)PART) != 0) exit(1);
  const int asked[] = {0, PART / 2, 8 * PART, 16 * PART, 40 * PART};
  const int expected[] = {0, PART / 2, 16 * PART, 16 * PART, -1};
  int is_posix = 1;
  printf("seek-data:");
  for (int at = 0; at < 5; at++) {
    long long found = lseek(file, asked[at], SEEK_DATA);
    printf(" %d->%lld", asked[at], found);
    if (found != expected[at]) is_posix = 0;
  }
  printf(" (%s)\n", is_posix ? "data and holes as they are" : "not all as data and holes are");
  close(file);
}

/// The blocks of a file that has just been written, before and after it is synchronized.
static void ask_blocks(void) {
  int file = make("fresh");
  struct stat before;
  struct stat after;
  fill(file, 0);
  if (fstat(file, &before) != 0 || fsync(file) != 0 || fstat(file, &after) != 0) exit(1);
  printf("blocks: %lld of a file of 1 MB that was just written, %lld when it is synchronized\n",
         (long long)before.st_blocks, (long long)after.st_blocks);
  close(file);
}

/// Whether the system tells this process the environment that it was started with.
static void ask_environment(void) {
#ifdef __APPLE__
  int query[] = {CTL_KERN, KERN_PROCARGS2, getpid()};
  static char bytes[1 << 20];
  size_t size = sizeof bytes;
  if (sysctl(query, 3, bytes, &size, NULL, 0) != 0) {
    perror("environment");
    exit(1);
  }
  const char *name = "FIRST_MAC=";
  printf("environment: %s\n",
         memmem(bytes, size, name, strlen(name)) != NULL ? "told by the system" : "not told");
#else
  printf("environment: SKIPPED: needs a Mac\n");
#endif
}

int main(void) {
  ask_seek_data();
  ask_blocks();
  ask_environment();
}
