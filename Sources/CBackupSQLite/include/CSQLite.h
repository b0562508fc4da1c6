#ifndef C_SQLITE_H
#define C_SQLITE_H

#include <stddef.h>
#include <stdint.h>

/// The machine's own SQLite. It is loaded when it is first needed, so a build does not need it. Call all
/// functions but the first only after `csq_is_there` has returned 1.

/// An open database.
struct csq_database;
/// A statement of an open database.
struct csq_statement;

/// Result codes of SQLite (sqlite.org/rescode.html).
enum csq_result { CSQ_OK = 0, CSQ_INTERRUPT = 9, CSQ_ROW = 100, CSQ_DONE = 101 };

/// Types of values in SQLite (sqlite.org/c3ref/c_blob.html).
enum csq_type { CSQ_INTEGER = 1, CSQ_FLOAT = 2, CSQ_TEXT = 3, CSQ_BLOB = 4, CSQ_NULL = 5 };

/// Returns 1 if the machine has a library with all functions. It is tried once, on any thread.
int csq_is_there(void);

/// Returns the name of a library that is tried, by its number from 0; NULL after the last.
const char *csq_library_name(size_t index);

/// Opens the database in the file `path` for reading and writing, and creates it if it is missing.
///
/// No value in it may have more than `longest_value` bytes. Even with a hostile schema, a statement ends with
/// `CSQ_INTERRUPT` after about `most_steps` steps of SQLite's machine. `*database` is set on failure too, for
/// `csq_message`, and is NULL only if memory is missing.
int csq_open(const char *path, int longest_value, int64_t most_steps,
             struct csq_database **database);

/// Opens a copy of the bytes of a database in memory for reading, with the limits of `csq_open`. Fails if the
/// library is too old.
int csq_open_copy(const void *bytes, size_t size, int longest_value, int64_t most_steps,
                  struct csq_database **database);

/// Makes a database keep its write-ahead log and the log's index when it is closed, as Apple's SQLite does.
void csq_keep_log(struct csq_database *database);

/// Closes a database, which may be NULL. Its statements must be ended before.
void csq_close(struct csq_database *database);

/// Returns SQLite's message for the last failure, which is valid until the next call.
const char *csq_message(struct csq_database *database);

/// Runs statements without rows.
int csq_execute(struct csq_database *database, const char *statements);

/// Prepares one statement.
int csq_prepare(struct csq_database *database, const char *text, struct csq_statement **statement);

/// Ends a statement, which may be NULL.
void csq_end(struct csq_statement *statement);

/// Continues to the next row. Returns `CSQ_ROW`, `CSQ_DONE` or an error code.
int csq_step(struct csq_statement *statement);

/// Makes a statement ready to be run again.
void csq_reset(struct csq_statement *statement);

/// Sets a parameter, counted from 1, to a copy of `size` bytes of UTF-8.
int csq_bind_text(struct csq_statement *statement, int index, const char *text, size_t size);

/// Sets a parameter, counted from 1, to a copy of `size` bytes.
int csq_bind_blob(struct csq_statement *statement, int index, const void *bytes, size_t size);

/// Sets a parameter, counted from 1, to a number.
int csq_bind_integer(struct csq_statement *statement, int index, int64_t value);

/// Returns the type of a column in the current row, counted from 0.
int csq_column_type(struct csq_statement *statement, int index);

/// Returns a number in the current row; 0 for a value that is not a number.
int64_t csq_column_integer(struct csq_statement *statement, int index);

/// Returns the number of bytes in the texts and blobs of the first `columns` columns of the current row.
int64_t csq_row_size(struct csq_statement *statement, int columns);

/// Returns the bytes of a text, as UTF-8, or of a blob in the current row, and writes their number to `size`.
/// They are valid until the next step. NULL for no bytes, or if memory is missing.
const void *csq_column_bytes(struct csq_statement *statement, int index, size_t *size);

#endif
