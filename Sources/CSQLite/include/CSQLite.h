// SQLite, looked up when a store is opened first: a program that asks the agent pays nothing for it.
//
// The functions have their own names, and are declared by the header of the library. Only those that CSQLite.c names are
// there. `sqlite3_open_v2` or `sqlite3_libversion` comes first: it loads the library.
#ifndef HSIP_CSQLITE_H
#define HSIP_CSQLITE_H

#include <sqlite3.h>

/// What `sqlite3_open_v2` answers, without a connection, where the library is not installed.
#define CSQLITE_MISSING SQLITE_NOTFOUND

/// `sqlite3_db_config` for the options that are on or off; Swift cannot call a function with open arguments.
int csqlite_configure(sqlite3 *database, int option, int value);

#endif
