#include "CKeyLink.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PACKET 64

// fido_dev_io_t of the library's public interface.
struct io {
    void *(*open)(const char *);
    void (*close)(void *);
    int (*read)(void *, unsigned char *, size_t, int);
    int (*write)(void *, const unsigned char *, size_t);
};

struct line {
    int socket;
    struct hsip_key_tap *tap;
};

static int is_lost(struct line *line) {
    line->tap->packets += 1;
    if (line->tap->lost_at > 0 && line->tap->packets >= line->tap->lost_at) shutdown(line->socket, SHUT_RDWR);
    return line->tap->lost_at > 0 && line->tap->packets >= line->tap->lost_at;
}

static void *line_open(const char *path) {
    void *tap = NULL;
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    static struct hsip_key_tap none;
    if (sscanf(path, "%p %107s", &tap, place.sun_path) != 2) return NULL;
    if (tap == NULL) tap = &none;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return NULL;
    struct line *line = malloc(sizeof *line);
    if (line == NULL || connect(made, (struct sockaddr *)&place, sizeof place) != 0) {
        close(made);
        free(line);
        return NULL;
    }
    *line = (struct line){made, tap};
    return line;
}

static void line_close(void *handle) {
    struct line *line = handle;
    close(line->socket);
    free(line);
}

static int line_read(void *handle, unsigned char *bytes, size_t count, int milliseconds) {
    struct line *line = handle;
    struct pollfd wait = {line->socket, POLLIN, 0};
    if (count != PACKET || is_lost(line) || poll(&wait, 1, milliseconds) != 1) return -1;
    if (recv(line->socket, bytes, PACKET, MSG_WAITALL) != PACKET) return -1;
    if (bytes[4] == 0xBB) __atomic_add_fetch(&line->tap->waits, 1, __ATOMIC_SEQ_CST);
    // The channel stays, so that the packet is read.
    if (line->tap->packets == line->tap->spoiled_at) memset(bytes + 4, 0xA5, PACKET - 4);
    return PACKET;
}

static int line_write(void *handle, const unsigned char *bytes, size_t count) {
    struct line *line = handle;
    // The first byte is the number of a report.
    if (count != PACKET + 1 || is_lost(line)) return -1;
    return send(line->socket, bytes + 1, PACKET, MSG_NOSIGNAL) == PACKET ? (int)count : -1;
}

int hsip_key_prepare(void *device) {
    static const struct io io = {line_open, line_close, line_read, line_write};
    void *library = dlopen("libfido2.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return -9;
    int (*set)(void *, const struct io *) = (int (*)(void *, const struct io *))dlsym(library, "fido_dev_set_io_functions");
    return set == NULL ? -9 : set(device, &io);
}

void hsip_key_path(struct hsip_key_tap *tap, const char *socket, char *path, size_t room) {
    snprintf(path, room, "%p %s", (void *)tap, socket);
}

int hsip_key_waits(struct hsip_key_tap *tap) { return __atomic_load_n(&tap->waits, __ATOMIC_SEQ_CST); }
