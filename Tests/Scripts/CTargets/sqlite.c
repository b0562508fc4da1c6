#include "CSQLite.h"
#include "calls.h"

#include <string.h>
#include <unistd.h>

/// Runs a statement with a value bound, which has to come back as it was.
static void try_value(struct csq_database *database, const char *bytes, size_t size) {
  struct csq_statement *statement;
  EXPECT(csq_prepare(database, "SELECT ?, ?, ?, NULL, 0.5", &statement) == CSQ_OK);
  // A copy that ends where the value does, so that what is read beyond it is seen.
  char *copy = malloc(size + 1);
  EXPECT(copy != NULL);
  memcpy(copy, bytes, size);
  copy[size] = '\0';
  EXPECT(csq_bind_text(statement, 1, copy, size) == CSQ_OK);
  EXPECT(csq_bind_blob(statement, 2, copy, size) == CSQ_OK);
  EXPECT(csq_bind_integer(statement, 3, INT64_MIN) == CSQ_OK);
  EXPECT(csq_bind_integer(statement, 9, 0) != CSQ_OK);
  EXPECT(csq_bind_blob(statement, 1, copy, (size_t)INT32_MAX + 1) != CSQ_OK);
  free(copy);
  for (int round = 0; round < 2; round++) {
    EXPECT(csq_step(statement) == CSQ_ROW);
    for (int column = 0; column < 2; column++) {
      size_t found = 0;
      const void *value = csq_column_bytes(statement, column, &found);
      EXPECT(found == size && (size == 0 || memcmp(value, bytes, size) == 0));
      EXPECT(csq_column_type(statement, column) == (column == 0 ? CSQ_TEXT : CSQ_BLOB));
    }
    EXPECT(csq_column_integer(statement, 2) == INT64_MIN);
    EXPECT(csq_column_type(statement, 2) == CSQ_INTEGER);
    EXPECT(csq_column_type(statement, 3) == CSQ_NULL);
    EXPECT(csq_column_type(statement, 4) == CSQ_FLOAT);
    EXPECT(csq_step(statement) == CSQ_DONE);
    csq_reset(statement);
  }
  csq_end(statement);
}

void try_sqlite(void) {
  EXPECT(strstr(csq_library_name(0), "libsqlite3") != NULL);
  size_t names = 0;
  while (csq_library_name(names) != NULL) names++;
  EXPECT(names > 0 && csq_library_name(names + 1) == NULL && csq_library_name(SIZE_MAX) == NULL);
  if (!csq_is_there()) {
    puts("SKIPPED: there is no SQLite to be loaded");
    return;
  }
  EXPECT(csq_is_there() == 1);
  struct csq_database *database;
  EXPECT(csq_open("no/such/folder/file", 1000, 1000, &database) != CSQ_OK);
  EXPECT(strlen(csq_message(database)) > 0);
  csq_close(database);
  csq_close(NULL);
  csq_end(NULL);

  EXPECT(csq_open("logged", 1000, 100000, &database) == CSQ_OK);
  csq_keep_log(database);
  EXPECT(csq_execute(database, "PRAGMA journal_mode = WAL; CREATE TABLE t(a)") == CSQ_OK);
  csq_close(database);
  EXPECT(access("logged-wal", F_OK) == 0);

  EXPECT(csq_open("database", 1000, 100000, &database) == CSQ_OK);
  EXPECT(csq_execute(database, "CREATE TABLE t(a)") == CSQ_OK);
  EXPECT(csq_execute(database, "CREATE TABLE t(a)") != CSQ_OK);
  EXPECT(strstr(csq_message(database), "exists") != NULL);
  struct csq_statement *statement;
  EXPECT(csq_prepare(database, "no SQL", &statement) != CSQ_OK && statement == NULL);
  try_value(database, "", 0);
  try_value(database, "text\0more", 9);

  // A value that is too long, and a statement that never ends.
  EXPECT(csq_execute(database, "INSERT INTO t VALUES (zeroblob(2000))") != CSQ_OK);
  EXPECT(csq_execute(database, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                               "SELECT sum(i) FROM n") == CSQ_INTERRUPT);
  EXPECT(csq_execute(database, "SELECT 1") == CSQ_OK);
  csq_close(database);

  FILE *file = fopen("database", "rb");
  static unsigned char bytes[1 << 16];
  EXPECT(file != NULL);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  // As a database with a log has it.
  bytes[18] = bytes[19] = 2;
  EXPECT(csq_open_copy(bytes, size, 1000, 1000, &database) == CSQ_OK);
  memset(bytes, 0, size);
  EXPECT(csq_execute(database, "SELECT a FROM t") == CSQ_OK);
  EXPECT(csq_execute(database, "INSERT INTO t VALUES (1)") != CSQ_OK);
  csq_close(database);
  for (size_t i = 0; i < 200; i++) {
    csq_open_copy(bytes, i, 1000, 1000, &database);
    csq_execute(database, "SELECT a FROM t");
    csq_close(database);
  }
}
