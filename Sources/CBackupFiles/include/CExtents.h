#ifndef C_EXTENTS_H
#define C_EXTENTS_H

#include <stdint.h>

/// The data of files, between their holes.

/// A range of an open file, from an offset in bytes to before another.
struct cfs_extent {
  int64_t begin;
  int64_t end;
};

/// Finds the next data of an open file at or behind an offset, before `end`. Everything between two
/// extents reads as zeros. Returns 1, 0 if only zeros are left, or -1 and `errno`.
///
/// Linux is asked for the holes. macOS is not: its SEEK_DATA may answer with the data behind the one at
/// the offset, or with ENXIO (gnulib, `lseek` and `copy-file-range`), so there the file is read.
int cfs_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

/// Likewise, by reading the file: what is zero in whole blocks belongs to no extent.
int cfs_read_next_extent(int file, int64_t offset, int64_t end, struct cfs_extent *extent);

#endif
