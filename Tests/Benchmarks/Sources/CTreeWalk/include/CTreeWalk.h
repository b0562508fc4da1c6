#ifndef C_TREE_WALK_H
#define C_TREE_WALK_H

#include <stdint.h>

/// What a walk of a tree has counted.
struct ctw_count {
  /// Items below the root.
  int64_t items;
  /// Items with the exclusion mark.
  int64_t marked;
};

/// Walks the tree at `root` and keeps nothing: fts(3) with the status of every item, and one read of
/// the mark for each. It changes the working directory, which makes for shorter paths, and which a
/// scan in a test process may not do. Returns -1 and sets `errno` on failure.
int ctw_walk(const char *root, struct ctw_count *count);

/// A directory with all in it, in memory.
struct ctw_directory;

/// Reads the tree at `root` into memory, all that a scan knows of it: names in byte order, kind, size,
/// inode, time and marks. Two system calls for an item, and where the kernel has no call for the
/// attributes of a name in an open directory, the working directory is changed. Returns NULL and sets
/// `errno` on failure.
struct ctw_directory *ctw_scan(const char *root);

/// Counts what was read.
struct ctw_count ctw_count(const struct ctw_directory *directory);

/// Gives back the memory of a directory with all in it.
void ctw_free(struct ctw_directory *directory);

/// Whether the kernel has `listxattrat`.
int ctw_has_listxattrat(void);

/// The user and system time of this process so far, in nanoseconds.
int64_t ctw_cpu_time(void);

/// The most memory that this process had at a time, in bytes.
int64_t ctw_peak_memory(void);

#endif
