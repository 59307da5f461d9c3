#define _GNU_SOURCE
#include "spawn_extras.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int hsip_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

short hsip_spawn_session(void) { return POSIX_SPAWN_SETSID; }

int hsip_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int hsip_open_pty(char *name, unsigned long size) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && (grantpt(fd) != 0 || unlockpt(fd) != 0 || ptsname_r(fd, name, size) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

int hsip_flush_file_system(int descriptor) { return syncfs(descriptor); }

char **hsip_environment(void) { return environ; }

int hsip_memory_file(void) { return memfd_create("hsip", MFD_ALLOW_SEALING); }

int hsip_seal_memory_file(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}
