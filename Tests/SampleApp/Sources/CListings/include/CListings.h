#ifndef C_LISTINGS_H
#define C_LISTINGS_H

#include <stdbool.h>

// Excludes an item from the backups of iOS 5.0.1, with the code for this version in Apple's Q&A
// 1719.
bool keep_out_by_attribute(const char *path);

// Includes an item in the backups again.
bool put_back_by_attribute(const char *path);

#endif
