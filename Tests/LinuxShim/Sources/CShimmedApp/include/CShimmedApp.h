#ifndef C_SHIMMED_APP_H
#define C_SHIMMED_APP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Code as an app for Apple platforms has it: each function calls the one of Darwin's that it is
// named after, and returns what that returns, or the negative value of errno.

// Sets an attribute to some bytes.
int set_attribute(
  const char *path, const char *name, const void *value, size_t size, uint32_t position,
  int options);

// Reads an attribute's size, or its bytes where there is a buffer.
long get_attribute(
  const char *path, const char *name, void *value, size_t size, uint32_t position, int options);

// Removes an attribute.
int remove_attribute(const char *path, const char *name, int options);

// Lists the names of all attributes, each ended by a NUL.
long list_attributes(const char *path, char *names, size_t size, int options);

// Sets, reads, lists and removes an attribute of an open file, and returns what a second removal says.
int round_trip(int file, const char *name, long results[4]);

// The options, and the error of an attribute that is not there, as the app's code knows them.
extern const int option_nofollow, option_create, option_replace, error_no_attribute;

#endif
