// Has the C targets take the ways that they take on an older Linux: without openat2, without calls on
// attributes by descriptor, and with a C library that cannot close all descriptors at once.
#include <sys/syscall.h>

#undef SYS_openat2
#undef SYS_setxattrat
#undef SYS_getxattrat
#undef SYS_listxattrat
#undef SYS_removexattrat
#define SYS_setxattrat -1
#define SYS_getxattrat -1
#define SYS_listxattrat -1
#define SYS_removexattrat -1
#undef SYS_close_range
