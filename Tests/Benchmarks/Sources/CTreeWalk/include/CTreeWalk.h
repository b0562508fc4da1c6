#ifndef C_TREE_WALK_H
#define C_TREE_WALK_H

#include <stdint.h>

/// The counts of a tree.
struct ctw_count {
  /// The number of items below the root.
  int64_t items;
  /// The number of these items that have the exclusion mark.
  int64_t marked;
};

/// Counts the items of the tree at `root` without keeping them. It walks with fts(3), and reads the
/// status and the mark of each item. fts(3) changes the working directory to get short paths. The
/// kit's scan cannot do this, because it runs in a test process. Returns -1 and sets `errno` on
/// failure.
int ctw_walk(const char *root, struct ctw_count *count);

/// A directory and its contents, in memory.
struct ctw_directory;

/// Reads the tree at `root` into memory, with the same facts as the kit's scan: names in byte
/// order, kinds, sizes, inodes, times and marks. It makes two system calls for each item. If the
/// kernel has no `listxattrat`, it changes the working directory. Returns NULL and sets `errno` on
/// failure.
struct ctw_directory *ctw_scan(const char *root);

/// Counts the items below a directory in memory.
struct ctw_count ctw_count(const struct ctw_directory *directory);

/// Frees a directory and its contents.
void ctw_free(struct ctw_directory *directory);

/// Returns 1 if the kernel has `listxattrat`.
int ctw_has_listxattrat(void);

/// Returns the user and system time of this process so far, in nanoseconds.
int64_t ctw_cpu_time(void);

/// Returns the peak memory of this process, in bytes.
int64_t ctw_peak_memory(void);

#endif
