// Hidden, so that SQLite's own calls of these names never end here.
#pragma GCC visibility push(hidden)
#include "CSQLite.h"
#pragma GCC visibility pop

#include <dlfcn.h>
#include <pthread.h>

typedef void destructor(void *);
typedef int row_callback(void *, int, char **, char **);

#define EACH_LATER_FUNCTION(F)                                                                                        \
    F(int, sqlite3_close, (sqlite3 * a), (a))                                                                         \
    F(int, sqlite3_close_v2, (sqlite3 * a), (a))                                                                      \
    F(int, sqlite3_exec, (sqlite3 * a, const char *b, row_callback *c, void *d, char **e), (a, b, c, d, e))           \
    F(int, sqlite3_changes, (sqlite3 * a), (a))                                                                       \
    F(int, sqlite3_busy_timeout, (sqlite3 * a, int b), (a, b))                                                        \
    F(int, sqlite3_errcode, (sqlite3 * a), (a))                                                                       \
    F(int, sqlite3_system_errno, (sqlite3 * a), (a))                                                                  \
    F(int, sqlite3_limit, (sqlite3 * a, int b, int c), (a, b, c))                                                     \
    F(int, sqlite3_get_autocommit, (sqlite3 * a), (a))                                                                \
    F(int, sqlite3_file_control, (sqlite3 * a, const char *b, int c, void *d), (a, b, c, d))                          \
    F(int, sqlite3_prepare_v2, (sqlite3 * a, const char *b, int c, sqlite3_stmt **d, const char **e), (a, b, c, d, e)) \
    F(int, sqlite3_prepare_v3,                                                                                        \
      (sqlite3 * a, const char *b, int c, unsigned d, sqlite3_stmt **e, const char **f), (a, b, c, d, e, f))          \
    F(int, sqlite3_stmt_busy, (sqlite3_stmt * a), (a))                                                                \
    F(int, sqlite3_bind_blob, (sqlite3_stmt * a, int b, const void *c, int d, destructor *e), (a, b, c, d, e))        \
    F(int, sqlite3_bind_blob64, (sqlite3_stmt * a, int b, const void *c, sqlite3_uint64 d, destructor *e),            \
      (a, b, c, d, e))                                                                                                \
    F(int, sqlite3_bind_int64, (sqlite3_stmt * a, int b, sqlite3_int64 c), (a, b, c))                                 \
    F(int, sqlite3_bind_text64,                                                                                       \
      (sqlite3_stmt * a, int b, const char *c, sqlite3_uint64 d, destructor *e, unsigned char f), (a, b, c, d, e, f)) \
    F(int, sqlite3_bind_zeroblob, (sqlite3_stmt * a, int b, int c), (a, b, c))                                        \
    F(int, sqlite3_clear_bindings, (sqlite3_stmt * a), (a))                                                           \
    F(int, sqlite3_step, (sqlite3_stmt * a), (a))                                                                     \
    F(int, sqlite3_reset, (sqlite3_stmt * a), (a))                                                                    \
    F(int, sqlite3_finalize, (sqlite3_stmt * a), (a))                                                                 \
    F(int, sqlite3_column_count, (sqlite3_stmt * a), (a))                                                             \
    F(const char *, sqlite3_column_name, (sqlite3_stmt * a, int b), (a, b))                                           \
    F(int, sqlite3_column_type, (sqlite3_stmt * a, int b), (a, b))                                                    \
    F(int, sqlite3_column_bytes, (sqlite3_stmt * a, int b), (a, b))                                                   \
    F(const void *, sqlite3_column_blob, (sqlite3_stmt * a, int b), (a, b))                                           \
    F(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * a, int b), (a, b))                                         \
    F(const unsigned char *, sqlite3_column_text, (sqlite3_stmt * a, int b), (a, b))                                  \
    F(sqlite3_backup *, sqlite3_backup_init, (sqlite3 * a, const char *b, sqlite3 *c, const char *d), (a, b, c, d))   \
    F(int, sqlite3_backup_step, (sqlite3_backup * a, int b), (a, b))                                                  \
    F(int, sqlite3_backup_finish, (sqlite3_backup * a), (a))

#define FIELD(type, name, parameters, arguments) __typeof__(&name) name;
static struct {
    FIELD(, sqlite3_open_v2, , )
    FIELD(, sqlite3_libversion, , )
    FIELD(, sqlite3_db_config, , )
    EACH_LATER_FUNCTION(FIELD)
} found;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) return;
#define FIND(type, name, parameters, arguments) \
    if ((*(void **)(&found.name) = dlsym(library, #name)) == NULL) return;
    FIND(, sqlite3_open_v2, , )
    FIND(, sqlite3_libversion, , )
    FIND(, sqlite3_db_config, , )
    EACH_LATER_FUNCTION(FIND)
    is_loaded = 1;
}

static int is_there(void) {
    pthread_once(&once, load);
    return is_loaded;
}

int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *system) {
    *database = NULL;
    return is_there() ? found.sqlite3_open_v2(path, database, flags, system) : CSQLITE_MISSING;
}

const char *sqlite3_libversion(void) { return is_there() ? found.sqlite3_libversion() : "missing"; }

int csqlite_configure(sqlite3 *database, int option, int value) {
    return found.sqlite3_db_config(database, option, value, (int *)0);
}

#define CALL(type, name, parameters, arguments) \
    type name parameters { return found.name arguments; }
EACH_LATER_FUNCTION(CALL)
