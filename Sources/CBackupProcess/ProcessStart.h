#ifndef PROCESS_START_H
#define PROCESS_START_H

#include <stdint.h>

/// Whether a process can be started here (`CAN_START`).

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
