// What the calls of the C targets are tried by.
#ifndef CALLS_H
#define CALLS_H

#include <stdio.h>
#include <stdlib.h>

/// Ends the process where something is not so, and says where.
#define EXPECT(condition)                                                          \
  do {                                                                             \
    if (!(condition)) {                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);      \
      exit(1);                                                                     \
    }                                                                              \
  } while (0)

/// Tries the calls on files and attributes in the working directory, which is empty at first.
void try_files(void);

/// Tries the calls on processes, signals and streams.
void try_processes(void);

/// Tries the calls on SQLite, with a database in the working directory.
void try_sqlite(void);

/// Tries the calls on keys and ciphers.
void try_crypto(void);

#endif
