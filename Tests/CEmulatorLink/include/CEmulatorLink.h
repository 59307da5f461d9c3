// A transport of tpm2-tss to an emulator's socket, which notes what crosses the bus and can lose its connection.
#ifndef HSIP_CEMULATOR_LINK_H
#define HSIP_CEMULATOR_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "CKeyLink.h"

#pragma clang assume_nonnull begin

/// What crosses the bus, in both directions, and how many commands did.
struct hsip_tap {
    uint8_t *bytes;
    size_t count, room;
    int commands;
    /// The connection is lost in the place of this command, counted from 1; 0 for never.
    int lost_at;
    /// The answer to this command is replaced by a code; 0 for none.
    int answered_at;
    uint32_t answer;
    /// For so many commands.
    int answers;
};

/// Starts a transport in memory of the caller; without it, tells the size. 0, or a code of the library.
uint32_t hsip_link_start(void *_Nullable context, size_t *size, const char *path, struct hsip_tap *tap);

/// Whether these bytes crossed the bus.
int hsip_tap_saw(const struct hsip_tap *tap, const uint8_t *bytes, size_t count);

/// Whether somebody takes connections there.
int hsip_link_answers(const char *path);

/// Sends one command as it is and takes the answer; bytes of it, or -1.
ptrdiff_t hsip_link_send(const char *path, const uint8_t *command, size_t count, uint8_t *answer, size_t room);

#pragma clang assume_nonnull end

#endif
