#ifndef PROCESS_START_H
#define PROCESS_START_H

#include <stdint.h>

/// Defines `CAN_START` if this system can start processes.

#ifdef __APPLE__
#include <Availability.h>
#include <TargetConditionals.h>
#if TARGET_OS_OSX
#define CAN_START 1
#endif
#elif defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 29)
#define CAN_START 1
#endif
#elif defined(__linux__) && !defined(__ANDROID__)
#define CAN_START 1
#endif

#endif
