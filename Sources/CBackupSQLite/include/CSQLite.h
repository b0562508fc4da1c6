#ifndef C_SQLITE_H
#define C_SQLITE_H

#include <stddef.h>
#include <stdint.h>

/// The machine's own SQLite, loaded when it is first needed, so that nothing of it has to be there
/// to build. Every call but the first needs `csq_is_there` to have returned 1.

/// An open database.
struct csq_database;
/// A statement of an open database.
struct csq_statement;

/// Result codes of SQLite's (sqlite.org/rescode.html).
enum csq_result { CSQ_OK = 0, CSQ_INTERRUPT = 9, CSQ_ROW = 100, CSQ_DONE = 101 };

/// Types of values of SQLite's (sqlite.org/c3ref/c_blob.html).
enum csq_type { CSQ_INTEGER = 1, CSQ_FLOAT = 2, CSQ_TEXT = 3, CSQ_BLOB = 4, CSQ_NULL = 5 };

/// Whether the machine has a library with all that is needed; tried once, on any thread.
int csq_is_there(void);

/// A name under which the library is looked for, by its number from 0; NULL behind the last.
const char *csq_library_name(size_t index);

/// Opens the database in the file `path` to read and write it, made where nothing is. No value of it
/// may have more than `longest_value` bytes, and a statement ends with `CSQ_INTERRUPT` after about
/// `most_steps` steps of SQLite's machine, whatever a hostile schema has it do. `*database` is set on
/// failure too, for `csq_message`, and is NULL only for want of memory.
int csq_open(const char *path, int longest_value, int64_t most_steps,
             struct csq_database **database);

/// Opens a copy of the bytes of a database, in memory, to read it; as `csq_open` else. Fails if the
/// library is too old to do it.
int csq_open_copy(const void *bytes, size_t size, int longest_value, int64_t most_steps,
                  struct csq_database **database);

/// Has a database keep its write-ahead log and the index of it when it is closed, as Apple's SQLite does.
void csq_keep_log(struct csq_database *database);

/// Closes a database, which may be NULL; its statements have to be ended before.
void csq_close(struct csq_database *database);

/// SQLite's words for what failed last; valid until the next call.
const char *csq_message(struct csq_database *database);

/// Runs statements that give no rows.
int csq_execute(struct csq_database *database, const char *statements);

/// Prepares one statement.
int csq_prepare(struct csq_database *database, const char *text, struct csq_statement **statement);

/// Ends a statement, which may be NULL.
void csq_end(struct csq_statement *statement);

/// Goes on to the next row: `CSQ_ROW`, `CSQ_DONE`, or what failed.
int csq_step(struct csq_statement *statement);

/// Makes a statement ready to be run again.
void csq_reset(struct csq_statement *statement);

/// Sets a parameter, counted from 1, to a copy of `size` bytes of UTF-8.
int csq_bind_text(struct csq_statement *statement, int index, const char *text, size_t size);

/// Sets a parameter, counted from 1, to a copy of `size` bytes.
int csq_bind_blob(struct csq_statement *statement, int index, const void *bytes, size_t size);

/// Sets a parameter, counted from 1, to a number.
int csq_bind_integer(struct csq_statement *statement, int index, int64_t value);

/// The type of a column of the current row, counted from 0.
int csq_column_type(struct csq_statement *statement, int index);

/// A number of the current row; 0 for what is none.
int64_t csq_column_integer(struct csq_statement *statement, int index);

/// How many bytes the texts and blobs in the first `columns` columns of the current row have.
int64_t csq_row_size(struct csq_statement *statement, int columns);

/// The bytes of a text, as UTF-8, or of a blob of the current row, and how many these are. They are
/// there until the next step; NULL for none, as for want of memory.
const void *csq_column_bytes(struct csq_statement *statement, int index, size_t *size);

#endif
