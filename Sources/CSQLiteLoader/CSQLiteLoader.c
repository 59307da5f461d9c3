#define _GNU_SOURCE
#include "CSQLiteLoader.h"

#include <dlfcn.h>
#include <pthread.h>

static struct hsip_sqlite table;
static int is_loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int load(void) {
    // A process that loaded libhsip may have a SQLite of its own for everybody. The calls inside the library would go to
    // that one, so all of them do.
    int is_for_all = dlsym(RTLD_DEFAULT, "sqlite3_open_v2") != NULL;
    void *library = is_for_all ? RTLD_DEFAULT : dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!is_for_all && library == NULL) return 0;
#define FIND(name) \
    if ((*(void **)(&table.name) = dlsym(library, "sqlite3_" #name)) == NULL) return 0;
    HSIP_SQLITE_FUNCTIONS(FIND)
    return 1;
}

const struct hsip_sqlite *hsip_sqlite_load(void) {
    pthread_mutex_lock(&lock);
    // What failed is tried again: a process without free descriptors may have some later.
    if (!is_loaded) is_loaded = load();
    int is_there = is_loaded;
    pthread_mutex_unlock(&lock);
    return is_there ? &table : NULL;
}
