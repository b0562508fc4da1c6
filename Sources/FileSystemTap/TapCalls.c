#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <link.h>

/// The most frames of a stack that are examined, and the most callers that are noted.
enum { MOST_FRAMES = 96, MOST_CALLERS = 24 };
/// The longest distance between the frames of a function and its caller, in bytes.
enum { MOST_BYTES_BETWEEN = 1 << 20 };
/// The size of the smallest page, which is readable as a whole or not at all.
enum { PAGE_BYTES = 4096 };

/// The addresses of the program's own code, without libraries, and its path.
static struct {
  uintptr_t base;
  uintptr_t end;
  char path[PATH_MAX];
} program;

/// Reads the addresses of the first loaded object, which is the program.
static int take_program(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  program.base = info->dlpi_addr;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    uintptr_t end = program.base + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > program.end) program.end = end;
  }
  return 1;
}

void tap_read_program(void) {
  dl_iterate_phdr(take_program, NULL);
  long length = tap_system(
      SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)program.path, PATH_MAX - 1);
  program.path[length > 0 ? length : 0] = '\0';
}

/// Returns 1 if 8 bytes can be read. The system call reads them before it refuses its first argument.
static int is_readable(uintptr_t address) {
  return tap_system(SYS_rt_sigprocmask, -1, (long)address, 0, 8) == -EINVAL;
}

/// Finds the program's callers of the function that calls this one, and returns their number. It follows the
/// frame pointers, so code without frame pointers ends the list or is left out.
static int find_callers(uintptr_t callers[MOST_CALLERS]) {
  int count = 0;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t readable_page = 0;
  for (int depth = 0; depth < MOST_FRAMES && count < MOST_CALLERS; depth++) {
    if (frame % 16 != 0) break;
    if (frame / PAGE_BYTES != readable_page && !is_readable(frame)) break;
    readable_page = frame / PAGE_BYTES;
    uintptr_t next = ((const uintptr_t *)frame)[0];
    uintptr_t caller = ((const uintptr_t *)frame)[1];
    if (caller > program.base && caller < program.end) callers[count++] = caller - program.base;
    // Swift sets this bit in the frames of asynchronous functions.
    next &= ~(1ull << 60);
    if (next <= frame || next - frame > MOST_BYTES_BETWEEN) break;
    frame = next;
  }
  return count;
}

/// Writes a number in hexadecimal digits, and returns the end of the digits.
static char *write_hexadecimal(char *text, uintptr_t number) {
  char digits[2 * sizeof number];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % 16];
    number /= 16;
  } while (number > 0);
  while (count > 0) *text++ = digits[--count];
  return text;
}

/// The status of the file with the latest note. The kit removes the file before each step.
static struct stat latest_file;
/// The hash of the latest note for each path in that file. Several paths may share an entry.
enum { MOST_SUMS = 256 };
static uint64_t latest_sums[MOST_SUMS];

static int read_notes_file(const char *folder, struct stat *status) {
  static char path[PATH_MAX + 16];
  stpcpy(stpcpy(path, folder), "/change-calls");
  return tap_status(path, status);
}

/// Returns 1 if a folder still has the file with the latest note.
static int has_latest_file(const char *folder) {
  struct stat status;
  return read_notes_file(folder, &status) && status.st_ino == latest_file.st_ino &&
      status.st_size >= latest_file.st_size;
}

void tap_note_call(uint32_t kind, const char *path) {
  enum { LONGEST_LIST = MOST_CALLERS * (2 * sizeof(uintptr_t) + 1) };
  static char text[32 + LONGEST_LIST + 2 * PATH_MAX];
  uintptr_t callers[MOST_CALLERS];
  const char *folder = tap_notes_folder(path);
  if (folder == NULL) return;
  int count = find_callers(callers);
  char *end = write_hexadecimal(text, kind);
  *end++ = ' ';
  for (int index = 0; index < count; index++) {
    if (index > 0) *end++ = ',';
    end = write_hexadecimal(end, callers[index]);
  }
  *end++ = ' ';
  end = stpcpy(end, program.path);
  *end++ = '\n';
  stpcpy(end, path);
  uint64_t sum = tap_sum(text);
  uint64_t *latest = &latest_sums[tap_sum(path) % MOST_SUMS];
  int is_same_file = has_latest_file(folder);
  if (is_same_file && *latest == sum) return;
  if (!is_same_file) memset(latest_sums, 0, sizeof latest_sums);
  *latest = sum;
  tap_note_text(folder, "change-calls", text);
  if (!is_same_file) read_notes_file(folder, &latest_file);
}

void tap_note_vain_call(uint32_t kind, const char *path) {
  if (!tap_sees_changes) return;
  int error = errno;
  tap_lock();
  tap_note_call(kind, path);
  tap_unlock();
  errno = error;
}

#endif
