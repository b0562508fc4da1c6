#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// Measures calls in the working directory, which is empty at first, and prints for each how many
// nanoseconds of user and system time it takes: the least of many rounds.
//
// Usage: cost cheap|changes|save. The cheap calls fail at once, so that what comes before the kernel shows;
// the changes are what an app does; a save is that of a marked file, as Foundation saves it atomically, without
// notes of the code and with them, which needs the tap.

/// How often what is measured is repeated.
enum { CHEAP_ROUNDS = 200, CHEAP_CALLS = 5000, CHANGE_ROUNDS = 20, CHANGES = 200 };

/// A file, and a page of bytes.
static int file;
static char page[4096];

static void cheap_write(int number) { (void)!write(-1, page, (size_t)number & 1); }
static void cheap_pwrite(int number) { (void)!pwrite(-1, page, (size_t)number & 1, 0); }
static void cheap_open(int number) { open(NULL, number & 1); }
static void cheap_openat(int number) { openat(-1, NULL, number & 1); }
static void cheap_rename(int number) { renameat(-1, "x", -1 - number, "y"); }
static void cheap_unlink(int number) { unlinkat(-1 - number, "x", 0); }
static void cheap_truncate(int number) { (void)!ftruncate(-1 - number, 0); }
static void cheap_attribute(int number) { fremovexattr(-1 - number, "user.com.apple.x"); }
static void cheap_map(int number) { mmap(NULL, 0, PROT_READ, MAP_SHARED, -1 - number, 0); }

static void change_write(int number) {
  if (pwrite(file, page, sizeof page, number * 4096L) < 0) abort();
}

static void change_pieces(int number) {
  struct iovec pieces[] = {{page, 100}, {page, 1000}};
  if (pwritev(file, pieces, 2, number) < 0) abort();
}

/// Makes a name of a number.
static char *name_of(int number) {
  static char name[] = "folder/of/items/000000";
  for (int place = (int)sizeof name - 2; place > (int)sizeof name - 8; place--) {
    name[place] = (char)('0' + number % 10);
    number /= 10;
  }
  return name;
}

static void change_create(int number) {
  int made = open(name_of(number), O_CREAT | O_WRONLY, 0600);
  if (made < 0) abort();
  close(made);
}

static void change_attribute(int number) {
  if (setxattr(name_of(number), "user.com.apple.x", "value", 5, 0) != 0) abort();
}

static void change_rename(int number) {
  char old[64];
  strcpy(old, name_of(number));
  if (rename(old, name_of(number + 100000)) != 0) abort();
}

static void change_unlink(int number) {
  if (unlink(name_of(number + 100000)) != 0) abort();
}

static void change_folder(int number) {
  if (mkdir(name_of(number), 0700) != 0) abort();
}

static void change_no_folder(int number) {
  if (rmdir(name_of(number)) != 0) abort();
}

/// Saves a file with `frames` more functions of the program on the stack.
static __attribute__((noinline)) void save(int frames, int number) {
  static char bytes[65536];
  char path[64];
  if (frames > 0) {
    save(frames - 1, number);
    // The call above must not be the last.
    __asm__ volatile("");
    return;
  }
  strcpy(path, name_of(number));
  int made = open("folder/of/.temporary", O_CREAT | O_EXCL | O_RDWR, 0600);
  if (made < 0 || write(made, bytes, sizeof bytes) < 0) abort();
  close(made);
  if (rename("folder/of/.temporary", path) != 0) abort();
  if (setxattr(path, "user.com.apple.x", "value", 5, 0) != 0) abort();
}

static void change_save(int number) { save(24, number); }

static void (*note_calls)(const char *folder, int is_on);

static void change_save_noted(int number) {
  note_calls("folder", 1);
  save(24, number);
  note_calls("folder", 0);
}

/// What this process has taken of a processor, in nanoseconds.
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/// Something that is measured.
struct call {
  const char *name;
  void (*body)(int number);
  double least;
};

/// Measures some calls, one after the other in each round.
static void measure(struct call *calls, int rounds, int count) {
  for (int round = 0; round < rounds; round++) {
    for (struct call *call = calls; call->name != NULL; call++) {
      double start = now();
      for (int number = 0; number < count; number++) call->body(number);
      double cost = (now() - start) / count;
      if (round == 0 || cost < call->least) call->least = cost;
    }
  }
  for (struct call *call = calls; call->name != NULL; call++) {
    printf("%s %.1f\n", call->name, call->least);
  }
}

int main(int count, char **arguments) {
  struct call cheap[] = {
    {"write", cheap_write}, {"pwrite", cheap_pwrite}, {"open", cheap_open},
    {"openat", cheap_openat}, {"renameat", cheap_rename}, {"unlinkat", cheap_unlink},
    {"ftruncate", cheap_truncate}, {"fremovexattr", cheap_attribute}, {"mmap", cheap_map}, {0},
  };
  struct call changes[] = {
    {"pwrite", change_write}, {"pwritev", change_pieces}, {"open", change_create},
    {"setxattr", change_attribute}, {"rename", change_rename}, {"unlink", change_unlink},
    {"mkdir", change_folder}, {"rmdir", change_no_folder}, {0},
  };
  struct call saves[] = {{"save", change_save}, {"noted", change_save_noted}, {0}};
  const char *kind = count > 1 ? arguments[1] : "";
  memset(page, 'x', sizeof page);
  file = open("file", O_CREAT | O_RDWR, 0600);
  if (file < 0) return 1;
  mkdir("folder", 0700);
  mkdir("folder/of", 0700);
  mkdir("folder/of/items", 0700);
  if (strcmp(kind, "cheap") == 0) {
    measure(cheap, CHEAP_ROUNDS, CHEAP_CALLS);
  } else if (strcmp(kind, "save") == 0) {
    note_calls = (__typeof__(note_calls))dlsym(RTLD_DEFAULT, "backup_testing_tap_note_calls");
    // Without the tap, only the first is measured.
    if (note_calls == NULL) saves[1] = (struct call){0};
    measure(saves, CHANGE_ROUNDS, CHANGES);
  } else {
    measure(changes, CHANGE_ROUNDS, CHANGES);
  }
  return 0;
}
