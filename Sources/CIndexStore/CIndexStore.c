#include "CIndexStore.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// The used functions of libIndexStore, as LLVM's indexstore/indexstore.h declares them.
struct library {
  const char *(*error_text)(void *);
  void (*dispose_error)(void *);
  void *(*create_store)(const char *, void **);
  void (*dispose_store)(void *);
  bool (*for_each_unit)(void *, unsigned, void *, bool (*)(void *, struct cis_text));
  void *(*create_unit)(void *, const char *, void **);
  void (*dispose_unit)(void *);
  bool (*is_system_unit)(void *);
  void (*unit_time)(void *, int64_t *, int64_t *);
  struct cis_text (*unit_folder)(void *);
  struct cis_text (*unit_module)(void *);
  bool (*for_each_dependency)(void *, void *, bool (*)(void *, void *));
  int (*dependency_kind)(void *);
  bool (*is_system_dependency)(void *);
  struct cis_text (*dependency_file)(void *);
  struct cis_text (*dependency_name)(void *);
  void *(*create_record)(void *, const char *, void **);
  void (*dispose_record)(void *);
  bool (*for_each_occurrence)(void *, void *, bool (*)(void *, void *));
  void *(*occurrence_symbol)(void *);
  uint64_t (*occurrence_roles)(void *);
  void (*occurrence_position)(void *, unsigned *, unsigned *);
  bool (*for_each_relation)(void *, void *, bool (*)(void *, void *));
  uint64_t (*relation_roles)(void *);
  void *(*relation_symbol)(void *);
  struct cis_text (*symbol_name)(void *);
  struct cis_text (*symbol_usr)(void *);
};

enum {
  RECORD_DEPENDENCY = 2,
  DEFINITION = 1 << 1,
  REFERENCE = 1 << 2,
  WRITE = 1 << 4,
  CALL = 1 << 5,
  IMPLICIT = 1 << 8,
  CHILD_OF = 1 << 9,
  OVERRIDE_OF = 1 << 11,
  CALLED_BY = 1 << 13,
  CONTAINED_BY = 1 << 16,
};

static bool find_all(void *handle, struct library *library) {
  const struct {
    const char *name;
    void *function;
  } functions[] = {
      {"error_get_description", &library->error_text},
      {"error_dispose", &library->dispose_error},
      {"store_create", &library->create_store},
      {"store_dispose", &library->dispose_store},
      {"store_units_apply_f", &library->for_each_unit},
      {"unit_reader_create", &library->create_unit},
      {"unit_reader_dispose", &library->dispose_unit},
      {"unit_reader_is_system_unit", &library->is_system_unit},
      {"unit_reader_get_modification_time", &library->unit_time},
      {"unit_reader_get_working_dir", &library->unit_folder},
      {"unit_reader_get_module_name", &library->unit_module},
      {"unit_reader_dependencies_apply_f", &library->for_each_dependency},
      {"unit_dependency_get_kind", &library->dependency_kind},
      {"unit_dependency_is_system", &library->is_system_dependency},
      {"unit_dependency_get_filepath", &library->dependency_file},
      {"unit_dependency_get_name", &library->dependency_name},
      {"record_reader_create", &library->create_record},
      {"record_reader_dispose", &library->dispose_record},
      {"record_reader_occurrences_apply_f", &library->for_each_occurrence},
      {"occurrence_get_symbol", &library->occurrence_symbol},
      {"occurrence_get_roles", &library->occurrence_roles},
      {"occurrence_get_line_col", &library->occurrence_position},
      {"occurrence_relations_apply_f", &library->for_each_relation},
      {"symbol_relation_get_roles", &library->relation_roles},
      {"symbol_relation_get_symbol", &library->relation_symbol},
      {"symbol_get_name", &library->symbol_name},
      {"symbol_get_usr", &library->symbol_usr},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    char name[64] = "indexstore_";
    strncat(name, functions[i].name, sizeof name - sizeof "indexstore_");
    void *found = dlsym(handle, name);
    if (found == NULL) return false;
    // POSIX requires this conversion of dlsym's result.
    *(void **)functions[i].function = found;
  }
  return true;
}

// The state of a reading.
struct reading {
  struct library library;
  void *store;
  const struct cis_receiver *receiver;
  void *unit;
  struct cis_occurrence occurrence;
  // The reason why the reading ended early, which the caller frees; NULL if it did not.
  char *obstacle;
};

static bool take_relation(void *context, void *relation) {
  struct reading *reading = context;
  const struct library *library = &reading->library;
  uint64_t roles = library->relation_roles(relation);
  void *symbol = library->relation_symbol(relation);
  if ((roles & OVERRIDE_OF) != 0)
    reading->occurrence.requirement_usr = library->symbol_usr(symbol);
  if ((roles & (CALLED_BY | CONTAINED_BY | CHILD_OF)) != 0)
    reading->occurrence.container_usr = library->symbol_usr(symbol);
  return true;
}

static bool take_occurrence(void *context, void *found) {
  struct reading *reading = context;
  const struct library *library = &reading->library;
  uint64_t roles = library->occurrence_roles(found);
  void *symbol = library->occurrence_symbol(found);
  reading->occurrence = (struct cis_occurrence){
      .is_definition = (roles & DEFINITION) != 0,
      .is_reference = (roles & REFERENCE) != 0,
      .is_call = (roles & CALL) != 0,
      .is_assignment = (roles & WRITE) != 0,
      .is_implicit = (roles & IMPLICIT) != 0,
      .name = library->symbol_name(symbol),
      .usr = library->symbol_usr(symbol),
  };
  library->occurrence_position(found, &reading->occurrence.line, &reading->occurrence.column);
  library->for_each_relation(found, reading, take_relation);
  reading->receiver->take(reading->receiver->context, &reading->occurrence);
  return true;
}

// Returns a copy with a NUL at its end, which the caller frees; NULL if memory is missing.
static char *copy_text(struct cis_text text) {
  char *copy = malloc(text.length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text.start, text.length);
  copy[text.length] = '\0';
  return copy;
}

// Ends the reading at a unit or record that cannot be read, because it is damaged or a build replaces it.
static bool fail(struct reading *reading, const char *name, void *error) {
  static const char words[] = " cannot be read; if a build is running, wait for it, then try again";
  if (error != NULL) reading->library.dispose_error(error);
  size_t size = strlen(name) + sizeof words;
  reading->obstacle = malloc(size);
  if (reading->obstacle != NULL) snprintf(reading->obstacle, size, "%s%s", name, words);
  return false;
}

static bool take_dependency(void *context, void *dependency) {
  struct reading *reading = context;
  const struct library *library = &reading->library;
  if (library->dependency_kind(dependency) != RECORD_DEPENDENCY ||
      library->is_system_dependency(dependency))
    return true;
  struct cis_source source = {
      .file = library->dependency_file(dependency),
      .folder = library->unit_folder(reading->unit),
      .module = library->unit_module(reading->unit),
  };
  int64_t nanoseconds;
  library->unit_time(reading->unit, &source.seconds, &nanoseconds);
  if (!reading->receiver->begin(reading->receiver->context, &source)) return true;
  char *name = copy_text(library->dependency_name(dependency));
  if (name == NULL) return true;
  void *error = NULL;
  void *record = library->create_record(reading->store, name, &error);
  if (record == NULL) {
    fail(reading, name, error);
  } else {
    library->for_each_occurrence(record, reading, take_occurrence);
    library->dispose_record(record);
  }
  free(name);
  return record != NULL;
}

static bool take_unit(void *context, struct cis_text text) {
  struct reading *reading = context;
  const struct library *library = &reading->library;
  char *name = copy_text(text);
  if (name == NULL) return true;
  void *error = NULL;
  reading->unit = library->create_unit(reading->store, name, &error);
  if (reading->unit == NULL) fail(reading, name, error);
  free(name);
  if (reading->unit == NULL) return false;
  if (!library->is_system_unit(reading->unit))
    library->for_each_dependency(reading->unit, reading, take_dependency);
  library->dispose_unit(reading->unit);
  return reading->obstacle == NULL;
}

const char *cis_library_name(void) {
#ifdef __APPLE__
  return "libIndexStore.dylib";
#else
  return "libIndexStore.so";
#endif
}

void cis_limit(void) {
  const rlim_t seconds = 600;
  const struct rlimit time = {.rlim_cur = seconds, .rlim_max = seconds};
  setrlimit(RLIMIT_CPU, &time);
  // These sanitizers reserve many terabytes.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  const rlim_t bytes = (rlim_t)8 << 30;
  const struct rlimit memory = {.rlim_cur = bytes, .rlim_max = bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

char *cis_read(const char *library, const char *store, const struct cis_receiver *receiver) {
  struct reading reading = {.receiver = receiver};
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return strdup(dlerror());
  if (!find_all(handle, &reading.library)) return strdup("the library lacks a function");
  void *error = NULL;
  reading.store = reading.library.create_store(store, &error);
  if (reading.store == NULL) {
    char *text = strdup(error == NULL ? "it is no index" : reading.library.error_text(error));
    if (error != NULL) reading.library.dispose_error(error);
    return text;
  }
  reading.library.for_each_unit(reading.store, 1, &reading, take_unit);
  reading.library.dispose_store(reading.store);
  return reading.obstacle;
}
