#ifndef CINDEXSTORE_H
#define CINDEXSTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads the index that a compiler writes in a debug build, by the toolchain's libIndexStore, which is
/// loaded when this is called.

/// UTF-8 without a NUL at its end; it lives as long as the call that it is given to.
struct cis_text {
  const char *_Nullable start;
  size_t length;
};

/// What the index has of one source file of one module.
struct cis_source {
  /// Absolute, or relative to the folder.
  struct cis_text file;
  struct cis_text folder;
  struct cis_text module;
  /// When the compiler wrote this, in seconds since 1970.
  int64_t seconds;
};

/// A place in a source file that names a symbol.
struct cis_occurrence {
  unsigned line;
  /// From 1, in bytes.
  unsigned column;
  bool is_definition;
  bool is_reference;
  bool is_call;
  bool is_assignment;
  /// Whether the source does not name the symbol here, as in the initializer that a compiler adds.
  bool is_implicit;
  struct cis_text name;
  struct cis_text usr;
  /// The function or variable around it; empty if it is in no other.
  struct cis_text container_usr;
  /// The requirement of a protocol that the symbol meets by a conformance here; empty for no other symbol.
  struct cis_text requirement_usr;
};

/// Takes what is read.
struct cis_receiver {
  void *_Nonnull context;
  /// Returns whether the occurrences of a source file are to be read.
  bool (*_Nonnull begin)(void *_Nonnull context, const struct cis_source *_Nonnull source);
  void (*_Nonnull take)(void *_Nonnull context, const struct cis_occurrence *_Nonnull occurrence);
};

/// The library's file name on this system.
const char *_Nonnull cis_library_name(void);

/// Limits the time and the memory of this process, which reads an index: what is damaged may ask for any.
void cis_limit(void);

/// Reads an index, each source file once for each module. A damaged one may end the process: the library
/// trusts an index, since compilers write it.
///
/// Returns NULL, or why it cannot be read, which the caller frees.
char *_Nullable cis_read(const char *_Nonnull library, const char *_Nonnull store,
                         const struct cis_receiver *_Nonnull receiver);

#endif
