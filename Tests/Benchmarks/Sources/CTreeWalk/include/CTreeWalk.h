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

/// Walks the tree at `root` in plain C: fts(3) with the status of every item, and one read of the
/// mark for each. Changing the directory makes for shorter paths and a faster walk, but a scan in a
/// test process may not do it. Returns -1 and sets `errno` on failure.
int ctw_walk(const char *root, int may_change_directory, struct ctw_count *count);

#endif
