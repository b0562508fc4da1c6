#ifndef C_EXTENTS_H
#define C_EXTENTS_H

#include <stdint.h>

/// Functions that find the data between the holes of a file.

/// A range of an open file, in bytes. `end` is the offset after the last byte.
struct cfs_extent {
  int64_t begin;
  int64_t end;
};

/// Finds the first range of data in an open file at or after `offset` and before `end`. All bytes
/// outside such ranges are zeros. Returns 1 if it found data, 0 if only zeros are left, or -1 with
/// `errno` set.
///
/// On Linux, it asks the system for the holes. On macOS, SEEK_DATA may skip the data at the offset,
/// or fail with ENXIO (gnulib, `lseek` and `copy-file-range`), so it reads the file.
int cfs_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

/// Like `cfs_next_extent`, but always reads the file. A block of zeros counts as a hole.
int cfs_read_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

#endif
