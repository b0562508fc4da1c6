#ifndef __APPLE__
#define _GNU_SOURCE
#endif

#include "CTreeWalk.h"

#include <errno.h>
#include <fts.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>

/// Returns 1 if the item at `path` has the mark. Does not follow links.
static int is_marked(const char *path) {
  char value[256];
#ifdef __APPLE__
  const char *name = "com.apple.metadata:com_apple_backup_excludeItem";
  return getxattr(path, name, value, sizeof value, 0, XATTR_NOFOLLOW) >= 0;
#else
  const char *name = "user.com.apple.metadata:com_apple_backup_excludeItem";
  return lgetxattr(path, name, value, sizeof value) >= 0;
#endif
}

int ctw_walk(const char *root, struct ctw_count *count) {
  char *roots[] = {(char *)root, NULL};
  FTS *walk = fts_open(roots, FTS_PHYSICAL, NULL);
  if (walk == NULL) return -1;
  count->items = 0;
  count->marked = 0;
  FTSENT *entry;
  while (errno = 0, (entry = fts_read(walk)) != NULL) {
    if (entry->fts_info == FTS_DP || entry->fts_level == 0) continue;
    count->items += 1;
    count->marked += is_marked(entry->fts_accpath);
  }
  int error = errno;
  fts_close(walk);
  errno = error;
  return error == 0 ? 0 : -1;
}

int64_t ctw_cpu_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  int64_t seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
  int64_t microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  return (seconds * 1000000 + microseconds) * 1000;
}

int64_t ctw_peak_memory(void) {
#ifdef __APPLE__
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#else
  // On Linux, ru_maxrss includes the peak of the process that started this one.
  FILE *file = fopen("/proc/self/status", "r");
  if (file == NULL) return -1;
  long long peak = -1;
  char line[256];
  while (peak < 0 && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmHWM: %lld kB", &peak) == 1) break;
  }
  fclose(file);
  return peak < 0 ? -1 : peak * 1024;
#endif
}
