#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <stdarg.h>

// No call writes the bytes of a mapped file. So the library keeps a copy of its contents, and compares it with
// the memory before the next change is logged, when the memory is unmapped or synced, and at the end.

/// The most mappings that are compared, and the most bytes of one. Others are logged as unseen.
enum { MOST_MAPPINGS = 64, MOST_BYTES = 1 << 26, BLOCK = 4096 };

static struct mapping {
  /// The address of the memory; NULL for an unused entry.
  char *address;
  size_t length;
  /// A separate descriptor of the file.
  int descriptor;
  off_t offset;
  /// The contents at the latest comparison.
  char *copy;
} mappings[MOST_MAPPINGS];
static int mapping_count;
static int is_comparing;

/// Returns the number of bytes of a mapping that the file has. Others cannot be read.
static size_t length_of(const struct mapping *mapping) {
  struct stat status;
  if (!tap_open_status(mapping->descriptor, &status) || status.st_size <= mapping->offset) return 0;
  off_t length = status.st_size - mapping->offset;
  return (size_t)length < mapping->length ? (size_t)length : mapping->length;
}

/// Logs the bytes that were written through a mapping since the latest comparison.
static void compare(struct mapping *mapping) {
  struct tap_place place;
  struct stat status;
  if (!tap_find_open(&place, mapping->descriptor, &status) || place.is_renamed) return;
  size_t length = length_of(mapping);
  for (size_t start = 0; start < length; start += BLOCK) {
    size_t count = length - start < BLOCK ? length - start : BLOCK;
    const char *now = mapping->address + start;
    char *before = mapping->copy + start;
    if (memcmp(now, before, count) == 0) continue;
    size_t first = 0;
    // Another thread may write meanwhile.
    while (first < count && now[first] == before[first]) first++;
    while (count > first && now[count - 1] == before[count - 1]) count--;
    if (count == first) continue;
    memcpy(before + first, now + first, count - first);
    tap_note(&(struct tap_change){
        .kind = BACKUP_TESTING_TAP_WRITE,
        .path = place.path,
        .offset = mapping->offset + (off_t)(start + first),
        .data = &(struct iovec){before + first, count - first},
        .pieces = 1,
    });
  }
}

static void forget(struct mapping *mapping) {
  tap_system(SYS_close, mapping->descriptor, 0, 0, 0);
  tap_next.munmap(mapping->copy, mapping->length);
  mapping->address = NULL;
  mapping_count--;
}

void tap_compare_mappings(void) {
  if (mapping_count == 0 || is_comparing) return;
  is_comparing = 1;
  for (int index = 0; index < MOST_MAPPINGS; index++) {
    if (mappings[index].address != NULL) compare(&mappings[index]);
  }
  is_comparing = 0;
}

void backup_testing_tap_finish(void) {
  if (tap_is_off() || mapping_count == 0) return;
  tap_lock();
  tap_compare_mappings();
  tap_unlock();
}

__attribute__((destructor)) static void finish(void) { backup_testing_tap_finish(); }

/// Keeps a copy of the contents of a mapped file. Returns 0 on failure.
static int keep(void *address, size_t length, int descriptor, off_t offset) {
  if (mapping_count == MOST_MAPPINGS || length == 0 || length > MOST_BYTES) return 0;
  // Closing a copy of the descriptor would end the process's locks on the file, so the path is opened.
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  long low = tap_system(SYS_openat, AT_FDCWD, (long)path, O_PATH | O_CLOEXEC, 0);
  if (low < 0) return 0;
  long own = tap_system(SYS_fcntl, (int)low, F_DUPFD_CLOEXEC, 512, 0);
  tap_system(SYS_close, low, 0, 0, 0);
  if (own < 0) return 0;
  void *copy = tap_next.mmap(
      NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct mapping *mapping = mappings;
  while (mapping->address != NULL) mapping++;
  *mapping = (struct mapping){address, length, (int)own, offset, copy};
  if (copy == MAP_FAILED) {
    tap_system(SYS_close, own, 0, 0, 0);
    mapping->address = NULL;
    return 0;
  }
  memcpy(copy, address, length_of(mapping));
  mapping_count++;
  return 1;
}

/// Compares the mappings in a range of memory, and forgets them if they are about to be unmapped.
static void end_mappings(const char *address, size_t length, int goes) {
  tap_lock();
  tap_compare_mappings();
  for (int index = 0; goes && index < MOST_MAPPINGS; index++) {
    struct mapping *mapping = &mappings[index];
    if (mapping->address == NULL || address + length <= mapping->address ||
        mapping->address + mapping->length <= address) {
      continue;
    }
    struct tap_place place;
    struct stat status;
    // Writes to the part that stays mapped are not seen.
    int is_part = address > mapping->address ||
        address + length < mapping->address + mapping->length;
    if (is_part && tap_find_open(&place, mapping->descriptor, &status)) tap_note_mapping(place.path);
    forget(mapping);
  }
  tap_unlock();
}

/// Returns 1 if a file is the index of a database's log, which many processes map.
static int is_index(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

TAP_EXPORT void *mmap(
    void *address, size_t length, int use, int flags, int descriptor, off_t offset) {
  int is_off = tap_is_off();
  if (!is_off && mapping_count > 0 && (flags & MAP_FIXED)) end_mappings(address, length, 1);
  void *mapped = tap_next.mmap(address, length, use, flags, descriptor, offset);
  int is_shared = (flags & MAP_TYPE) != MAP_PRIVATE && !(flags & MAP_ANONYMOUS);
  if (is_off || mapped == MAP_FAILED || !is_shared || !(use & PROT_WRITE)) return mapped;
  struct tap_place place;
  struct stat status;
  int error = errno;
  if (tap_find_open(&place, descriptor, &status)) {
    tap_lock();
    int is_kept = tap_is_recording && S_ISREG(status.st_mode) && (use & PROT_READ) &&
        !is_index(place.path) && keep(mapped, length, descriptor, offset);
    tap_unlock();
    if (!is_kept) tap_note_mapping(place.path);
  }
  errno = error;
  return mapped;
}
TAP_ALSO(mmap64, mmap);

TAP_EXPORT int munmap(void *address, size_t length) {
  if (!tap_is_off() && mapping_count > 0) end_mappings(address, length, 1);
  return tap_next.munmap(address, length);
}

TAP_EXPORT int msync(void *address, size_t length, int flags) {
  if (!tap_is_off() && mapping_count > 0) end_mappings(address, length, 0);
  return tap_next.msync(address, length, flags);
}

TAP_EXPORT void *mremap(void *address, size_t length, size_t new_length, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *place = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
  va_end(arguments);
  // Writes to moved memory are not seen.
  if (!tap_is_off() && mapping_count > 0) {
    end_mappings(address, length > 0 ? length - 1 : 0, 1);
  }
  return tap_next.mremap(address, length, new_length, flags, place);
}

#endif
