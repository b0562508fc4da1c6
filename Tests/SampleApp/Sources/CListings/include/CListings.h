#ifndef C_LISTINGS_H
#define C_LISTINGS_H

#include <stdbool.h>

// Keeps an item out of the backups of iOS 5.0.1, as Apple's Q&A 1719 lists it for that system.
bool keep_out_by_attribute(const char *path);

// Puts an item back into them.
bool put_back_by_attribute(const char *path);

#endif
