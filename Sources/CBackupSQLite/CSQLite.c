#include "CSQLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The used functions of SQLite, as sqlite.org/c3ref declares them.
static struct {
  int (*open_v2)(const char *, void **, int, const char *);
  int (*close_v2)(void *);
  const char *(*errmsg)(void *);
  int (*errcode)(void *);
  int (*limit)(void *, int, int);
  void (*progress_handler)(void *, int, int (*)(void *), void *);
  int (*exec)(void *, const char *, int (*)(void *, int, char **, char **), void *, char **);
  int (*prepare_v2)(void *, const char *, int, void **, const char **);
  int (*finalize)(void *);
  int (*step)(void *);
  int (*reset)(void *);
  int (*bind_text)(void *, int, const char *, int, void (*)(void *));
  int (*bind_blob)(void *, int, const void *, int, void (*)(void *));
  int (*bind_int64)(void *, int, int64_t);
  int (*column_type)(void *, int);
  int64_t (*column_int64)(void *, int);
  const unsigned char *(*column_text)(void *, int);
  const void *(*column_blob)(void *, int);
  int (*column_bytes)(void *, int);
  // Older libraries lack these.
  void *(*malloc64)(uint64_t);
  int (*deserialize)(void *, const char *, unsigned char *, int64_t, int64_t, unsigned);
  int (*file_control)(void *, const char *, int, void *);
} sqlite;

// Apple's dlopen may search the working directory for a name without a slash, and a file from somebody's backup
// may be there. Those of glibc and musl search only the system's folders.
static const char *const library_names[] = {
#ifdef __APPLE__
    "/usr/lib/libsqlite3.dylib",
#else
    "libsqlite3.so.0",
    "libsqlite3.so",
#endif
};
static const size_t library_count = sizeof library_names / sizeof *library_names;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

enum {
  OPEN_READWRITE = 0x2,
  OPEN_CREATE = 0x4,
  OPEN_FULLMUTEX = 0x10000,
  LIMIT_LENGTH = 0,
  CONTROL_PERSIST_WAL = 10,
  DESERIALIZE_FREEONCLOSE = 0x1,
  DESERIALIZE_READONLY = 0x4,
  RESULT_ERROR = 1,
  RESULT_NOMEM = 7,
  RESULT_CANTOPEN = 14,
  RESULT_TOOBIG = 18,
  // The number of steps of SQLite's machine between two calls of the handler.
  STEPS_AT_ONCE = 1000,
};

// Finds a function. POSIX requires this conversion of dlsym's result, which is an object pointer.
static int find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  *(void **)function = found;
  return found != NULL;
}

static int find_all(void *library) {
  return find(library, "sqlite3_open_v2", &sqlite.open_v2) &&
         find(library, "sqlite3_close_v2", &sqlite.close_v2) &&
         find(library, "sqlite3_errmsg", &sqlite.errmsg) &&
         find(library, "sqlite3_errcode", &sqlite.errcode) &&
         find(library, "sqlite3_limit", &sqlite.limit) &&
         find(library, "sqlite3_progress_handler", &sqlite.progress_handler) &&
         find(library, "sqlite3_exec", &sqlite.exec) &&
         find(library, "sqlite3_prepare_v2", &sqlite.prepare_v2) &&
         find(library, "sqlite3_finalize", &sqlite.finalize) &&
         find(library, "sqlite3_step", &sqlite.step) &&
         find(library, "sqlite3_reset", &sqlite.reset) &&
         find(library, "sqlite3_bind_text", &sqlite.bind_text) &&
         find(library, "sqlite3_bind_blob", &sqlite.bind_blob) &&
         find(library, "sqlite3_bind_int64", &sqlite.bind_int64) &&
         find(library, "sqlite3_column_type", &sqlite.column_type) &&
         find(library, "sqlite3_column_int64", &sqlite.column_int64) &&
         find(library, "sqlite3_column_text", &sqlite.column_text) &&
         find(library, "sqlite3_column_blob", &sqlite.column_blob) &&
         find(library, "sqlite3_column_bytes", &sqlite.column_bytes);
}

static void load(void) {
  for (size_t i = 0; i < library_count && !is_there; i++) {
    void *library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) continue;
    is_there = find_all(library);
    if (!is_there) {
      dlclose(library);
      continue;
    }
    find(library, "sqlite3_malloc64", &sqlite.malloc64);
    find(library, "sqlite3_deserialize", &sqlite.deserialize);
    find(library, "sqlite3_file_control", &sqlite.file_control);
  }
}

int csq_is_there(void) {
  pthread_once(&once, load);
  return is_there;
}

const char *csq_library_name(size_t index) {
  return index < library_count ? library_names[index] : NULL;
}

struct csq_database {
  void *handle;
  // The number of steps of SQLite's machine that the current statement may still make.
  int64_t steps_left;
  int64_t most_steps;
  // The message of a failure before SQLite was called; NULL for none.
  const char *obstacle;
};

struct csq_statement {
  void *handle;
  struct csq_database *database;
};

static int has_to_end(void *context) {
  struct csq_database *database = context;
  database->steps_left -= STEPS_AT_ONCE;
  return database->steps_left <= 0;
}

int csq_open(const char *path, int longest_value, int64_t most_steps,
             struct csq_database **database) {
  *database = calloc(1, sizeof **database);
  if (*database == NULL) return RESULT_NOMEM;
  (*database)->most_steps = (*database)->steps_left = most_steps;
  int result = sqlite.open_v2(path, &(*database)->handle,
                              OPEN_READWRITE | OPEN_CREATE | OPEN_FULLMUTEX, NULL);
  if (result != CSQ_OK) return result;
  sqlite.limit((*database)->handle, LIMIT_LENGTH, longest_value);
  sqlite.progress_handler((*database)->handle, STEPS_AT_ONCE, has_to_end, *database);
  return CSQ_OK;
}

int csq_open_copy(const void *bytes, size_t size, int longest_value, int64_t most_steps,
                  struct csq_database **database) {
  int result = csq_open(":memory:", longest_value, most_steps, database);
  if (result != CSQ_OK) return result;
  if (sqlite.malloc64 == NULL || sqlite.deserialize == NULL) {
    (*database)->obstacle = "this version cannot read a database in memory; version 3.36 can";
    return RESULT_ERROR;
  }
  unsigned char *copy = sqlite.malloc64(size);
  if (copy == NULL) return RESULT_NOMEM;
  memcpy(copy, bytes, size);
  // These are the versions of the file format. With 2, SQLite would look for a log, which memory does not have.
  for (size_t i = 18; i < 20 && i < size; i++) {
    if (copy[i] == 2) copy[i] = 1;
  }
  return sqlite.deserialize((*database)->handle, "main", copy, (int64_t)size, (int64_t)size,
                            DESERIALIZE_FREEONCLOSE | DESERIALIZE_READONLY);
}

void csq_keep_log(struct csq_database *database) {
  int keeps = 1;
  if (sqlite.file_control != NULL) {
    sqlite.file_control(database->handle, "main", CONTROL_PERSIST_WAL, &keeps);
  }
}

void csq_close(struct csq_database *database) {
  if (database == NULL) return;
  sqlite.close_v2(database->handle);
  free(database);
}

const char *csq_message(struct csq_database *database) {
  if (database == NULL || database->handle == NULL) return "out of memory";
  if (database->obstacle != NULL) return database->obstacle;
  // SQLite's error number of the system comes from a later call, which succeeded.
  if ((sqlite.errcode(database->handle) & 0xFF) == RESULT_CANTOPEN) {
    return "unable to open database file, but not why; check the free space and permissions of the "
           "volume and the limit on open files";
  }
  return sqlite.errmsg(database->handle);
}

int csq_execute(struct csq_database *database, const char *statements) {
  database->steps_left = database->most_steps;
  return sqlite.exec(database->handle, statements, NULL, NULL, NULL);
}

int csq_prepare(struct csq_database *database, const char *text,
                struct csq_statement **statement) {
  database->steps_left = database->most_steps;
  *statement = NULL;
  void *handle = NULL;
  int result = sqlite.prepare_v2(database->handle, text, -1, &handle, NULL);
  if (result != CSQ_OK) return result;
  *statement = calloc(1, sizeof **statement);
  if (*statement == NULL) {
    sqlite.finalize(handle);
    return RESULT_NOMEM;
  }
  (*statement)->handle = handle;
  (*statement)->database = database;
  return CSQ_OK;
}

void csq_end(struct csq_statement *statement) {
  if (statement == NULL) return;
  sqlite.finalize(statement->handle);
  free(statement);
}

int csq_step(struct csq_statement *statement) { return sqlite.step(statement->handle); }

void csq_reset(struct csq_statement *statement) {
  sqlite.reset(statement->handle);
  statement->database->steps_left = statement->database->most_steps;
}

// SQLITE_TRANSIENT makes SQLite copy the bytes at once.
#define TRANSIENT ((void (*)(void *))(intptr_t)-1)

int csq_bind_text(struct csq_statement *statement, int index, const char *text, size_t size) {
  if (size > INT32_MAX) return RESULT_TOOBIG;
  return sqlite.bind_text(statement->handle, index, text, (int)size, TRANSIENT);
}

int csq_bind_blob(struct csq_statement *statement, int index, const void *bytes, size_t size) {
  if (size > INT32_MAX) return RESULT_TOOBIG;
  return sqlite.bind_blob(statement->handle, index, bytes, (int)size, TRANSIENT);
}

int csq_bind_integer(struct csq_statement *statement, int index, int64_t value) {
  return sqlite.bind_int64(statement->handle, index, value);
}

int csq_column_type(struct csq_statement *statement, int index) {
  return sqlite.column_type(statement->handle, index);
}

int64_t csq_column_integer(struct csq_statement *statement, int index) {
  return sqlite.column_int64(statement->handle, index);
}

int64_t csq_row_size(struct csq_statement *statement, int columns) {
  int64_t size = 0;
  for (int i = 0; i < columns; i++) {
    int type = sqlite.column_type(statement->handle, i);
    if (type == CSQ_TEXT || type == CSQ_BLOB) size += sqlite.column_bytes(statement->handle, i);
  }
  return size;
}

const void *csq_column_bytes(struct csq_statement *statement, int index, size_t *size) {
  int type = sqlite.column_type(statement->handle, index);
  const void *bytes = type == CSQ_BLOB ? sqlite.column_blob(statement->handle, index)
                                       : (const void *)sqlite.column_text(statement->handle, index);
  int count = bytes == NULL ? 0 : sqlite.column_bytes(statement->handle, index);
  *size = count < 0 ? 0 : (size_t)count;
  return bytes;
}
