#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CExtents.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/// The number of bytes that are read at once, and the smallest block that counts as a hole: a page, as in APFS.
enum { PIECE_SIZE = 1 << 16, BLOCK_SIZE = 1 << 12 };

/// Returns 1 if all bytes are 0.
static int is_zero(const char *bytes, size_t count) {
  return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

int cfs_read_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent) {
  char piece[PIECE_SIZE];
  int has_begun = 0;
  while (offset < end) {
    size_t wanted = end - offset < PIECE_SIZE ? (size_t)(end - offset) : PIECE_SIZE;
    ssize_t count = pread(file, piece, wanted, (off_t)offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    for (ssize_t at = 0; at < count;) {
      // Blocks begin at multiples of their size in the file, even if the reading does not.
      ssize_t size = BLOCK_SIZE - (ssize_t)((offset + at) % BLOCK_SIZE);
      if (size > count - at) size = count - at;
      int is_hole = is_zero(piece + at, (size_t)size);
      if (is_hole && has_begun) {
        extent->end = offset + at;
        return 1;
      }
      if (!is_hole && !has_begun) {
        extent->begin = offset + at;
        has_begun = 1;
      }
      at += size;
    }
    offset += count;
  }
  // The file may have become shorter.
  extent->end = offset < end ? offset : end;
  return has_begun;
}

#ifdef __APPLE__

int cfs_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent) {
  return cfs_read_next_extent(file, offset, end, extent);
}

#else

int cfs_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent) {
  if (offset >= end) return 0;
  off_t data = lseek(file, (off_t)offset, SEEK_DATA);
  if (data < 0) {
    if (errno == ENXIO) return 0;
    if (errno != EINVAL && errno != ENOTSUP) return -1;
    data = (off_t)offset;
  }
  if (data >= end) return 0;
  off_t hole = lseek(file, data, SEEK_HOLE);
  extent->begin = data;
  extent->end = hole > data && hole < end ? hole : end;
  return 1;
}

#endif
