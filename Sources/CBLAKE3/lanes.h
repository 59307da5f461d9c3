#ifndef CBLAKE3_LANES_H
#define CBLAKE3_LANES_H

#include <stddef.h>
#include <stdint.h>

enum { LANES = 8, CV = 32, BLOCK = 64, CHUNK = 1024 };
enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

/// Compresses `blocks` blocks one after the other in each of eight inputs, and writes eight chaining values.
///
/// `counter` is that of the first input; it rises from one to the next where `counts` is 1.
typedef void hsip_lanes(const uint8_t *const inputs[LANES], size_t blocks, uint64_t counter, int counts,
                        uint32_t flags, uint32_t first, uint32_t last, uint8_t *output);

hsip_lanes hsip_lanes_plain;
#if defined(__x86_64__)
hsip_lanes hsip_lanes_avx2;
#endif

static const uint32_t hsip_blake3_start[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                              0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};

/// Which word of the message each step of a round takes.
static const uint8_t hsip_blake3_order[7][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1}, {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4}, {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13}};

#define HSIP_ROTATE(word, count) ((word) >> (count) | (word) << (32 - (count)))
#define HSIP_QUARTER(s, a, b, c, d, x, y)                                                                          \
    do {                                                                                                           \
        s[a] = s[a] + s[b] + (x);                                                                                  \
        s[d] = HSIP_ROTATE(s[d] ^ s[a], 16);                                                                       \
        s[c] = s[c] + s[d];                                                                                        \
        s[b] = HSIP_ROTATE(s[b] ^ s[c], 12);                                                                       \
        s[a] = s[a] + s[b] + (y);                                                                                  \
        s[d] = HSIP_ROTATE(s[d] ^ s[a], 8);                                                                        \
        s[c] = s[c] + s[d];                                                                                        \
        s[b] = HSIP_ROTATE(s[b] ^ s[c], 7);                                                                        \
    } while (0)
#define HSIP_ROUND(s, m, o)                                                                                        \
    do {                                                                                                           \
        HSIP_QUARTER(s, 0, 4, 8, 12, m[o[0]], m[o[1]]);                                                            \
        HSIP_QUARTER(s, 1, 5, 9, 13, m[o[2]], m[o[3]]);                                                            \
        HSIP_QUARTER(s, 2, 6, 10, 14, m[o[4]], m[o[5]]);                                                           \
        HSIP_QUARTER(s, 3, 7, 11, 15, m[o[6]], m[o[7]]);                                                           \
        HSIP_QUARTER(s, 0, 5, 10, 15, m[o[8]], m[o[9]]);                                                           \
        HSIP_QUARTER(s, 1, 6, 11, 12, m[o[10]], m[o[11]]);                                                         \
        HSIP_QUARTER(s, 2, 7, 8, 13, m[o[12]], m[o[13]]);                                                          \
        HSIP_QUARTER(s, 3, 4, 9, 14, m[o[14]], m[o[15]]);                                                          \
    } while (0)

#endif
