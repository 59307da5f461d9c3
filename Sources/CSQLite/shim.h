#include <sqlite3.h>

/// `sqlite3_db_config` for the options that are on or off; Swift cannot call a function with open arguments.
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}
