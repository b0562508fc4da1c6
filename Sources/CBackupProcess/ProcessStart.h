#ifndef PROCESS_START_H
#define PROCESS_START_H

#include <stdint.h>

/// Whether a process can be started here (`CAN_START`), and what the system has for it.

#ifdef __APPLE__
#include <Availability.h>
#include <TargetConditionals.h>
#if TARGET_OS_OSX
#define CAN_START 1
#if __MAC_OS_X_VERSION_MIN_REQUIRED >= 260000
#define HAS_STANDARD_CHANGE_OF_DIRECTORY 1
#endif
#endif
#elif defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 29)
#define CAN_START 1
#endif
#if __GLIBC_PREREQ(2, 34) && !defined(LACKS_CLOSE_FROM)
#define HAS_CLOSE_FROM 1
#endif
#elif defined(__linux__) && !defined(__ANDROID__)
#define CAN_START 1
#endif

#endif
