#include "COpenFiles.h"

#include <sys/resource.h>

uint64_t cpr_raise_open_files(uint64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur >= wanted) return limit.rlim_cur;
  struct rlimit raised = limit;
  raised.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}
