#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Has folders in the working directory watched for the code that changes them, by many threads at once, and
// prints how many notes there are, and in how many folders.

void backup_testing_tap_note_calls(const char *folder, int is_on);

enum { THREADS = 80, ROUNDS = 200 };

static void fail(const char *what) {
  printf("%s\n", what);
  exit(1);
}

static void make_file(const char *folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
  if (file < 0) fail(path);
  close(file);
  if (unlink(path) != 0) fail(path);
}

/// How many notes a folder has, each ended by a NUL.
static int count_notes(const char *folder) {
  char path[64];
  snprintf(path, sizeof path, "%s/change-calls", folder);
  FILE *file = fopen(path, "r");
  int count = 0;
  for (int byte; file != NULL && (byte = getc(file)) != EOF;) count += byte == 0;
  if (file != NULL) fclose(file);
  return count;
}

/// Watches a folder for each second file that it makes in it, and has a child make a file now and then.
static void *work(void *folder) {
  for (int round = 0; round < ROUNDS; round++) {
    make_file(folder, "unseen");
    backup_testing_tap_note_calls(folder, 1);
    backup_testing_tap_note_calls(folder, 1);
    backup_testing_tap_note_calls(folder, 0);
    make_file(folder, "seen");
    if (round % 50 == 0) {
      pid_t child = fork();
      if (child == 0) {
        make_file(folder, "child");
        _exit(0);
      }
      waitpid(child, NULL, 0);
    }
    backup_testing_tap_note_calls(folder, 0);
  }
  return NULL;
}

/// Makes a folder, and then the same one, in two steps, before each of which the notes and what the former step made are
/// removed; returns how many notes both have.
static int repeat_step(void) {
  int notes = 0;
  mkdir("steps", 0700);
  for (int step = 0; step < 2; step++) {
    unlink("steps/change-calls");
    rmdir("steps/made");
    backup_testing_tap_note_calls("steps", 1);
    // The first is another one in the second step.
    if (mkdir(step == 0 ? "steps/first" : "steps/second", 0700) != 0) fail("steps");
    if (mkdir("steps/made", 0700) != 0) fail("steps/made");
    backup_testing_tap_note_calls("steps", 0);
    notes += count_notes("steps");
  }
  return notes;
}

int main(void) {
  pthread_t threads[THREADS];
  char names[THREADS][16];
  for (int index = 0; index < THREADS; index++) {
    snprintf(names[index], sizeof names[index], "folder-%d", index);
    mkdir(names[index], 0700);
    pthread_create(&threads[index], NULL, work, names[index]);
  }
  int notes = 0;
  int folders = 0;
  for (int index = 0; index < THREADS; index++) {
    pthread_join(threads[index], NULL);
    int count = count_notes(names[index]);
    notes += count;
    folders += count == 2 * ROUNDS + 2 * ROUNDS / 50;
  }
  printf("%d notes, all of them in %d folders; %d of two equal steps\n", notes, folders, repeat_step());
}
