#ifndef CINDEXSTORE_H
#define CINDEXSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The index that a compiler writes in a debug build, read by the toolchain's libIndexStore. The library is
/// loaded when a function needs it.

/// A text in UTF-8 without a NUL at its end. It is valid during the call that gets it.
struct cis_text {
  const char *_Nullable start;
  size_t length;
};

/// A source file of a module in the index.
struct cis_source {
  /// The path, which is absolute or relative to the folder.
  struct cis_text file;
  struct cis_text folder;
  struct cis_text module;
  /// The time at which the compiler wrote the index of the file, in seconds since 1970.
  int64_t seconds;
};

/// A place in a source file that names a symbol.
struct cis_occurrence {
  unsigned line;
  /// The column in bytes, from 1.
  unsigned column;
  bool is_definition;
  bool is_reference;
  bool is_call;
  bool is_assignment;
  /// True if the source does not name the symbol here, as for an initializer that the compiler adds.
  bool is_implicit;
  struct cis_text name;
  struct cis_text usr;
  /// The function or variable around the place; empty if there is none.
  struct cis_text container_usr;
  /// The protocol requirement that the symbol meets by a conformance here; empty if it meets none.
  struct cis_text requirement_usr;
};

/// Functions that get the source files and their occurrences.
struct cis_receiver {
  void *_Nonnull context;
  /// Returns true if the occurrences of a source file must be read.
  bool (*_Nonnull begin)(void *_Nonnull context, const struct cis_source *_Nonnull source);
  void (*_Nonnull take)(void *_Nonnull context, const struct cis_occurrence *_Nonnull occurrence);
};

/// Returns the library's file name on this system.
const char *_Nonnull cis_library_name(void);

/// Limits the time and the memory of this process, because a damaged index may need any amount.
void cis_limit(void);

/// Reads an index, with each source file once for each module. A damaged index may end the process, because the
/// library trusts an index as a compiler's work.
///
/// Returns NULL, or the reason why the index cannot be read, which the caller frees.
char *_Nullable cis_read(const char *_Nonnull library, const char *_Nonnull store,
                         const struct cis_receiver *_Nonnull receiver);

#endif
