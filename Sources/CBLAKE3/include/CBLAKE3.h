#ifndef CBLAKE3_H
#define CBLAKE3_H

#include <stddef.h>
#include <stdint.h>

/// BLAKE3 without a key (the BLAKE3 paper, section 2): 32 bytes of output, an input of any length.
///
/// Eight chunks are hashed side by side, so long inputs are quick. Nothing is allocated. `output` must not overlap
/// `input`; `input` may be NULL where `count` is 0.
void hsip_blake3(const uint8_t *input, size_t count, uint8_t output[32]);

/// The same with the instructions that every processor of the kind has: for tests.
void hsip_blake3_plain(const uint8_t *input, size_t count, uint8_t output[32]);

#endif
