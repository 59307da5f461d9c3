// A transport of libfido2 to an authenticator's socket, which counts packets and can lose or spoil them.
#ifndef HSIP_CKEY_LINK_H
#define HSIP_CKEY_LINK_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// How many packets went either way, and what happens to one of them; 0 for nothing.
struct hsip_key_tap {
    int packets;
    int lost_at;
    int spoiled_at;
    /// How often the authenticator said that it waits for a touch.
    int waits;
};

/// Has a device (fido_dev_t) reach the authenticator at a path instead of a node; 0, or a code of the library.
///
/// The path given to fido_dev_open must be the one that `hsip_key_path` writes.
int hsip_key_prepare(void *device);

/// How often the authenticator said that it waits for a touch.
int hsip_key_waits(struct hsip_key_tap *tap);

/// The path of a device: the tap, or 0x0 for none, and the socket.
void hsip_key_path(struct hsip_key_tap *tap, const char *socket, char *path, size_t room);

#pragma clang assume_nonnull end

#endif
