#include "calls.h"

/// Tries every call of the package's C targets once, at the borders of what it takes, for sanitizers
/// to watch: the script sanitizers builds and runs it.
int main(void) {
  try_crypto();
  try_sqlite();
  try_files();
  try_processes();
  puts("every call tried");
  return 0;
}
