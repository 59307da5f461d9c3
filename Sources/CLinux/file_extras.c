#define _GNU_SOURCE
#include "file_extras.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int hsip_open_unnamed(const char *folder) { return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600); }

int hsip_make_temporary(char *name) { return mkostemp(name, O_CLOEXEC); }

int hsip_give_name(int descriptor, const char *path) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int hsip_rename_new(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE); }

void hsip_begin_writing_back(int descriptor, int64_t offset, int64_t count) {
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

static int look(int from, const char *path, int flags, struct hsip_facts *facts) {
    struct statx found;
    unsigned wanted = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_INO | STATX_SIZE;
    if (statx(from, path, flags, wanted, &found) != 0) return -1;
    *facts = (struct hsip_facts){
        .mode = found.stx_mode,
        .owner = found.stx_uid,
        .links = found.stx_nlink,
        .size = found.stx_size,
        .device = makedev(found.stx_dev_major, found.stx_dev_minor),
        .number = found.stx_ino,
    };
    return 0;
}

int hsip_look(int folder, const char *path, int follows, struct hsip_facts *facts) {
    return look(folder, path, (follows ? 0 : AT_SYMLINK_NOFOLLOW) | AT_NO_AUTOMOUNT, facts);
}

int hsip_look_open(int descriptor, struct hsip_facts *facts) { return look(descriptor, "", AT_EMPTY_PATH, facts); }
