#ifndef C_EXTENTS_H
#define C_EXTENTS_H

#include <stdint.h>

/// The data between the holes of files.

/// A range of an open file in bytes, without its end.
struct cfs_extent {
  int64_t begin;
  int64_t end;
};

/// Finds the next data of an open file, at or after an offset and before `end`. All bytes between two extents
/// are zeros. Returns 1, 0 if only zeros are left, or -1 and `errno`.
///
/// Linux finds the holes. On macOS, SEEK_DATA may return the data after that at the offset, or ENXIO (gnulib,
/// `lseek` and `copy-file-range`), so the file is read.
int cfs_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

/// Finds the next data by reading the file. Whole blocks of zeros belong to no extent.
int cfs_read_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

#endif
