#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CThrows.h"

#ifdef __linux__

#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/// The most frames of a stack that are examined, and the most callers that are noted.
enum { MOST_FRAMES = 64, MOST_CALLERS = 24 };
/// The longest distance between the frames of a function and its caller, in bytes.
enum { MOST_BYTES_BETWEEN = 1 << 20 };
/// The number of throws that are kept. The error of an action is one of the latest.
enum { MOST_THROWS = 64 };

struct throw_note {
  const void *error;
  /// The number of throws that had been missed before this one.
  unsigned missed;
  int count;
  uint64_t callers[MOST_CALLERS];
};

static struct throw_note notes[MOST_THROWS];
static unsigned next_note;
/// A lock that is never waited for, because a fork may copy it while another thread holds it.
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
/// The number of throws during the note of another. Each may have the address of a noted error that is gone.
static atomic_uint missed;

typedef void (*throw_handler)(void *error);

/// The function that the Swift runtime calls with each thrown error. Swift Testing sets it too.
extern _Atomic(throw_handler) _swift_willThrow __attribute__((weak));
static throw_handler former_handler;

static uintptr_t program_base;
static uintptr_t program_end;

/// Reads the addresses of the first loaded object, which is the program.
static int take_program(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  program_base = info->dlpi_addr;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    uintptr_t end = program_base + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > program_end) program_end = end;
  }
  return 1;
}

/// Reads a frame, which may be in missing memory. Returns 0 then.
static int read_frame(uintptr_t frame, uintptr_t words[2]) {
  struct iovec here = {words, 2 * sizeof(uintptr_t)};
  struct iovec there = {(void *)frame, 2 * sizeof(uintptr_t)};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)here.iov_len;
}

static void note_throw(void *error) {
  if (former_handler != NULL) former_handler(error);
  if (atomic_flag_test_and_set(&is_busy)) {
    atomic_fetch_add(&missed, 1);
    return;
  }
  struct throw_note *note = &notes[next_note++ % MOST_THROWS];
  note->error = error;
  note->missed = atomic_load(&missed);
  note->count = 0;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t words[2];
  for (int depth = 0; depth < MOST_FRAMES && note->count < MOST_CALLERS; depth++) {
    if (frame % 16 != 0 || !read_frame(frame, words)) break;
    if (words[1] > program_base && words[1] < program_end) {
      note->callers[note->count++] = words[1] - program_base;
    }
    // Swift sets this bit in the frames of asynchronous functions.
    uintptr_t next = words[0] & ~(1ull << 60);
    if (next <= frame || next - frame > MOST_BYTES_BETWEEN) break;
    frame = next;
  }
  atomic_flag_clear(&is_busy);
}

void cpr_note_throws(void) {
  static atomic_flag is_noting = ATOMIC_FLAG_INIT;
  if (&_swift_willThrow == NULL || atomic_flag_test_and_set(&is_noting)) return;
  dl_iterate_phdr(take_program, NULL);
  former_handler = atomic_exchange(&_swift_willThrow, note_throw);
}

int cpr_callers_of_throw(const void *error, uint64_t *callers, int most) {
  if (atomic_flag_test_and_set(&is_busy)) return 0;
  int count = 0;
  for (unsigned back = 1; back <= MOST_THROWS && back <= next_note && count == 0; back++) {
    const struct throw_note *note = &notes[(next_note - back) % MOST_THROWS];
    if (note->error != error) continue;
    if (note->missed != atomic_load(&missed)) break;
    count = note->count < most ? note->count : most;
    memcpy(callers, note->callers, (size_t)count * sizeof callers[0]);
    break;
  }
  atomic_flag_clear(&is_busy);
  return count;
}

#else

void cpr_note_throws(void) {}

int cpr_callers_of_throw(const void *error, uint64_t *callers, int most) {
  (void)error;
  (void)callers;
  (void)most;
  return 0;
}

#endif
