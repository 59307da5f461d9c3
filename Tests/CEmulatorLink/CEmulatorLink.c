#define _GNU_SOURCE
#include "CEmulatorLink.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BAD_REFERENCE 0x000a0005u
#define NO_CONNECTION 0x000a0008u
#define IO_ERROR 0x000a000au
#define SMALL 0x000a0006u

struct link {
    uint64_t magic;
    uint32_t version;
    uint32_t (*transmit)(void *, size_t, const uint8_t *);
    uint32_t (*receive)(void *, size_t *, uint8_t *, int32_t);
    void (*finalize)(void *);
    uint32_t (*cancel)(void *);
    uint32_t (*handles)(void *, void *, size_t *);
    uint32_t (*locality)(void *, uint8_t);
    int socket;
    struct hsip_tap *tap;
};

static void note(struct hsip_tap *tap, const uint8_t *bytes, size_t count) {
    if (count > tap->room - tap->count) return;
    memcpy(tap->bytes + tap->count, bytes, count);
    tap->count += count;
}

static int reach(const char *path) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof place.sun_path) return -1;
    strcpy(place.sun_path, path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && connect(made, (struct sockaddr *)&place, sizeof place) != 0) {
        close(made);
        made = -1;
    }
    return made;
}

static int take(int socket, uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = recv(socket, bytes, count, 0);
        if (got <= 0) return -1;
        bytes += got;
        count -= (size_t)got;
    }
    return 0;
}

static size_t length(const uint8_t *header) {
    return (size_t)header[2] << 24 | (size_t)header[3] << 16 | (size_t)header[4] << 8 | header[5];
}

static uint32_t transmit(void *context, size_t count, const uint8_t *bytes) {
    struct link *link = context;
    link->tap->commands += 1;
    if (link->tap->commands == link->tap->lost_at && link->socket >= 0) {
        close(link->socket);
        link->socket = -1;
    }
    if (link->socket < 0) return IO_ERROR;
    note(link->tap, bytes, count);
    return send(link->socket, bytes, count, MSG_NOSIGNAL) == (ssize_t)count ? 0 : IO_ERROR;
}

static uint32_t receive(void *context, size_t *size, uint8_t *bytes, int32_t timeout) {
    (void)timeout;
    struct link *link = context;
    if (bytes == NULL) {
        *size = 4096;
        return 0;
    }
    if (link->socket < 0 || *size < 10 || take(link->socket, bytes, 10) != 0) return IO_ERROR;
    size_t count = length(bytes);
    if (count < 10 || count > *size) return SMALL;
    if (take(link->socket, bytes + 10, count - 10) != 0) return IO_ERROR;
    note(link->tap, bytes, count);
    *size = count;
    struct hsip_tap *tap = link->tap;
    if (tap->answered_at > 0 && tap->commands >= tap->answered_at && tap->commands < tap->answered_at + tap->answers) {
        uint8_t answer[10] = {0x80, 0x01, 0, 0, 0, 10, (uint8_t)(tap->answer >> 24), (uint8_t)(tap->answer >> 16),
                              (uint8_t)(tap->answer >> 8), (uint8_t)tap->answer};
        memcpy(bytes, answer, sizeof answer);
        *size = sizeof answer;
    }
    return 0;
}

static void finalize(void *context) {
    struct link *link = context;
    if (link->socket >= 0) close(link->socket);
    link->socket = -1;
}

uint32_t hsip_link_start(void *context, size_t *size, const char *path, struct hsip_tap *tap) {
    if (context == NULL) {
        *size = sizeof(struct link);
        return 0;
    }
    if (*size < sizeof(struct link)) return BAD_REFERENCE;
    int made = reach(path);
    if (made < 0) return NO_CONNECTION;
    struct link *link = context;
    *link = (struct link){.magic = 0x4c494e4b, .version = 1, .transmit = transmit, .receive = receive,
                          .finalize = finalize, .socket = made, .tap = tap};
    return 0;
}

int hsip_link_answers(const char *path) {
    int made = reach(path);
    if (made >= 0) close(made);
    return made >= 0;
}

ptrdiff_t hsip_link_send(const char *path, const uint8_t *command, size_t count, uint8_t *answer, size_t room) {
    int made = reach(path);
    if (made < 0) return -1;
    ptrdiff_t result = -1;
    if (send(made, command, count, MSG_NOSIGNAL) == (ssize_t)count && take(made, answer, 10) == 0) {
        size_t all = length(answer);
        if (all >= 10 && all <= room && take(made, answer + 10, all - 10) == 0) result = (ptrdiff_t)all;
    }
    close(made);
    return result;
}

int hsip_tap_saw(const struct hsip_tap *tap, const uint8_t *bytes, size_t count) {
    return memmem(tap->bytes, tap->count, bytes, count) != NULL;
}
