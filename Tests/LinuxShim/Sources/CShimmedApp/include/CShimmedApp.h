#ifndef C_SHIMMED_APP_H
#define C_SHIMMED_APP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The code of an app for Apple platforms. Each function calls a function of Darwin, for example
// setxattr, and returns its result. If the call fails, it returns the negative value of errno.

int set_attribute(
  const char *path, const char *name, const void *value, size_t size, uint32_t position,
  int options);

// Reads an attribute into a buffer, and returns its size. Without a buffer, returns only the size.
long get_attribute(
  const char *path, const char *name, void *value, size_t size, uint32_t position, int options);

int remove_attribute(const char *path, const char *name, int options);

// Lists the names of all attributes. Each name ends with a NUL.
long list_attributes(const char *path, char *names, size_t size, int options);

// Sets, reads, lists and removes an attribute of an open file. Returns the result of a second
// removal.
int round_trip(int file, const char *name, long results[4]);

// The values of Darwin's options, and of the error for a missing attribute, in the app's code.
extern const int option_nofollow, option_create, option_replace, error_no_attribute;

#endif
