#include "lanes.h"

#include <string.h>

/// One word of each of the eight inputs.
typedef uint32_t words __attribute__((vector_size(32)));

#define PAIR(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/// Eight words of eight inputs, so that each vector has the same word of all of them.
static inline __attribute__((always_inline)) void turn(words r[8]) {
    words s[8], t[8];
    for (int i = 0; i < 8; i += 2) {
        s[i] = PAIR(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        s[i + 1] = PAIR(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        t[i] = PAIR(s[i], s[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        t[i + 1] = PAIR(s[i], s[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        t[i + 2] = PAIR(s[i + 1], s[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        t[i + 3] = PAIR(s[i + 1], s[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = PAIR(t[i], t[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = PAIR(t[i], t[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static inline __attribute__((always_inline)) void lanes(const uint8_t *const inputs[LANES], size_t blocks,
                                                        uint64_t counter, int counts, uint32_t flags,
                                                        uint32_t first, uint32_t last, uint8_t *output) {
    words h[8], m[16], low, high;
    for (int i = 0; i < 8; i++) h[i] = (words){0} + hsip_blake3_start[i];
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t count = counter + (counts ? (uint64_t)lane : 0);
        low[lane] = (uint32_t)count;
        high[lane] = (uint32_t)(count >> 32);
    }
    for (size_t block = 0; block < blocks; block++) {
        uint32_t mark = flags | (block == 0 ? first : 0) | (block + 1 == blocks ? last : 0);
        for (int lane = 0; lane < LANES; lane++) {
            memcpy(&m[lane], inputs[lane] + block * BLOCK, 32);
            memcpy(&m[8 + lane], inputs[lane] + block * BLOCK + 32, 32);
        }
        turn(m);
        turn(m + 8);
        words s[16] = {h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]};
        for (int i = 0; i < 4; i++) s[8 + i] = (words){0} + hsip_blake3_start[i];
        s[12] = low;
        s[13] = high;
        s[14] = (words){0} + BLOCK;
        s[15] = (words){0} + mark;
        HSIP_ROUND(s, m, hsip_blake3_order[0]);
        HSIP_ROUND(s, m, hsip_blake3_order[1]);
        HSIP_ROUND(s, m, hsip_blake3_order[2]);
        HSIP_ROUND(s, m, hsip_blake3_order[3]);
        HSIP_ROUND(s, m, hsip_blake3_order[4]);
        HSIP_ROUND(s, m, hsip_blake3_order[5]);
        HSIP_ROUND(s, m, hsip_blake3_order[6]);
        for (int i = 0; i < 8; i++) h[i] = s[i] ^ s[i + 8];
    }
    turn(h);
    for (int lane = 0; lane < LANES; lane++) memcpy(output + lane * CV, &h[lane], CV);
}

void hsip_lanes_plain(const uint8_t *const inputs[LANES], size_t blocks, uint64_t counter, int counts,
                      uint32_t flags, uint32_t first, uint32_t last, uint8_t *output) {
    lanes(inputs, blocks, counter, counts, flags, first, last, output);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void hsip_lanes_avx2(const uint8_t *const inputs[LANES], size_t blocks,
                                                     uint64_t counter, int counts, uint32_t flags,
                                                     uint32_t first, uint32_t last, uint8_t *output) {
    lanes(inputs, blocks, counter, counts, flags, first, last, output);
}
#endif
