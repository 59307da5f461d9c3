// SQLite, looked up when a store is opened first: a program that asks the agent, and never opens one, pays nothing for it.
#ifndef HSIP_CSQLITE_LOADER_H
#define HSIP_CSQLITE_LOADER_H

#include <sqlite3.h>

/// Each function that is looked up, without the `sqlite3_` of its name.
#define HSIP_SQLITE_FUNCTIONS(F)                                                                                   \
    F(libversion) F(open_v2) F(close_v2) F(errcode) F(system_errno) F(busy_timeout) F(limit) F(db_config)          \
    F(exec) F(changes) F(get_autocommit) F(file_control) F(backup_init) F(backup_step) F(backup_finish)            \
    F(prepare_v3) F(finalize) F(stmt_busy) F(step) F(reset) F(clear_bindings)                                      \
    F(bind_int64) F(bind_blob64) F(bind_zeroblob) F(bind_text64)                                                   \
    F(column_count) F(column_name) F(column_type) F(column_int64) F(column_text) F(column_blob) F(column_bytes)

#define HSIP_SQLITE_FIELD(name) __typeof__(&sqlite3_##name) _Nonnull name;
/// The functions, as sqlite3.h declares them.
struct hsip_sqlite {
    HSIP_SQLITE_FUNCTIONS(HSIP_SQLITE_FIELD)
};
#undef HSIP_SQLITE_FIELD

/// The functions; null where the library is not installed, has not all of them, or cannot be loaded now.
const struct hsip_sqlite *_Nullable hsip_sqlite_load(void);

/// `sqlite3_db_config` for the options that are on or off; Swift cannot call a function with open arguments.
static inline int hsip_sqlite_configure(const struct hsip_sqlite *_Nonnull functions, sqlite3 *_Nonnull database,
                                        int option, int value) {
    return functions->db_config(database, option, value, (int *)0);
}

#endif
