#ifndef SYSTEM_CALL_H
#define SYSTEM_CALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Makes a system call, without a function of the C library. Another library may replace such a
/// function, and a call could then initialize that library. On failure, returns a negative error
/// number.
static inline long call_system(long number, long first, long second, long third) {
#if defined(__x86_64__)
  long result = number;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long called __asm__("x8") = number;
  register long result __asm__("x0") = first;
  register long other __asm__("x1") = second;
  register long last __asm__("x2") = third;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(called), "r"(other), "r"(last) : "memory");
  return result;
#else
  long result = syscall(number, first, second, third);
  return result < 0 ? -errno : result;
#endif
}

#endif
