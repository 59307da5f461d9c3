#include "CBLAKE3.h"
#include "lanes.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are read as they lie in memory"
#endif

#if defined(__x86_64__)
#include <cpuid.h>

/// Whether the processor has AVX2, and the system keeps its registers.
static int has_avx2(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}
#endif

static hsip_lanes *quickest(void) {
#if defined(__x86_64__)
    // Every thread that asks finds the same.
    static int known;
    int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (found == 0) {
        found = has_avx2() ? 2 : 1;
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    if (found == 2) return hsip_lanes_avx2;
#endif
    return hsip_lanes_plain;
}

static void compress(uint32_t h[8], const uint8_t block[BLOCK], uint64_t counter, uint32_t count, uint32_t flags) {
    uint32_t m[16], s[16];
    memcpy(m, block, BLOCK);
    memcpy(s, h, CV);
    memcpy(s + 8, hsip_blake3_start, 16);
    s[12] = (uint32_t)counter;
    s[13] = (uint32_t)(counter >> 32);
    s[14] = count;
    s[15] = flags;
    for (int round = 0; round < 7; round++) HSIP_ROUND(s, m, hsip_blake3_order[round]);
    for (int i = 0; i < 8; i++) h[i] = s[i] ^ s[i + 8];
}

/// The chaining value of one chunk, of 1,024 bytes or fewer.
static void chunk(const uint8_t *input, size_t count, uint64_t counter, uint32_t root, uint8_t output[CV]) {
    uint32_t h[8];
    memcpy(h, hsip_blake3_start, CV);
    uint32_t flags = CHUNK_START;
    for (; count > BLOCK; input += BLOCK, count -= BLOCK, flags = 0) compress(h, input, counter, BLOCK, flags);
    uint8_t block[BLOCK] = {0};
    if (count > 0) memcpy(block, input, count);
    compress(h, block, counter, (uint32_t)count, flags | CHUNK_END | root);
    memcpy(output, h, CV);
}

static void parent(const uint8_t pair[2 * CV], uint32_t root, uint8_t output[CV]) {
    uint32_t h[8];
    memcpy(h, hsip_blake3_start, CV);
    compress(h, pair, 0, BLOCK, PARENT | root);
    memcpy(output, h, CV);
}

/// The parents of so many chaining values, in pairs; one that is left over goes up as it is. Returns their number.
static size_t parents(const uint8_t *values, size_t count, hsip_lanes *lanes, uint8_t *output) {
    size_t pairs = count / 2, done = 0;
    for (; pairs - done >= LANES / 2; done += LANES) {
        // Lanes without a pair of their own do a pair once more, and are not written.
        const uint8_t *inputs[LANES];
        uint8_t made[LANES * CV];
        size_t used = pairs - done < LANES ? pairs - done : LANES;
        for (size_t lane = 0; lane < LANES; lane++)
            inputs[lane] = values + (done + (lane < used ? lane : 0)) * 2 * CV;
        lanes(inputs, 1, 0, 0, PARENT, 0, 0, made);
        memcpy(output + done * CV, made, used * CV);
        if (used < LANES) {
            done += used;
            break;
        }
    }
    for (; done < pairs; done++) parent(values + done * 2 * CV, 0, output + done * CV);
    if (count & 1) memcpy(output + pairs * CV, values + (count - 1) * CV, CV);
    return pairs + (count & 1);
}

/// The chaining values of a subtree of more than one chunk, eight of them or fewer but two at least. Returns their number.
static size_t subtree(const uint8_t *input, size_t count, uint64_t counter, hsip_lanes *lanes, uint8_t *output) {
    if (count <= LANES * CHUNK) {
        if (count == LANES * CHUNK) {
            const uint8_t *inputs[LANES];
            for (size_t lane = 0; lane < LANES; lane++) inputs[lane] = input + lane * CHUNK;
            lanes(inputs, CHUNK / BLOCK, counter, 1, 0, CHUNK_START, CHUNK_END, output);
            return LANES;
        }
        size_t made = 0;
        for (size_t done = 0; done < count; done += CHUNK, made++) {
            size_t size = count - done < CHUNK ? count - done : CHUNK;
            chunk(input + done, size, counter + made, 0, output + made * CV);
        }
        return made;
    }
    // The left side is the largest whole tree that leaves something for the right one.
    size_t left = LANES * CHUNK;
    while (left * 2 < count) left *= 2;
    uint8_t both[2 * LANES * CV];
    size_t made = subtree(input, left, counter, lanes, both);
    made += subtree(input + left, count - left, counter + left / CHUNK, lanes, both + made * CV);
    return parents(both, made, lanes, output);
}

static void hash(const uint8_t *input, size_t count, hsip_lanes *lanes, uint8_t output[CV]) {
    if (count <= CHUNK) {
        chunk(input, count, 0, ROOT, output);
        return;
    }
    uint8_t values[LANES * CV], above[LANES * CV];
    size_t left = subtree(input, count, 0, lanes, values);
    while (left > 2) {
        left = parents(values, left, lanes, above);
        memcpy(values, above, left * CV);
    }
    parent(values, ROOT, output);
}

void hsip_blake3(const uint8_t *input, size_t count, uint8_t output[32]) { hash(input, count, quickest(), output); }

void hsip_blake3_plain(const uint8_t *input, size_t count, uint8_t output[32]) {
    hash(input, count, hsip_lanes_plain, output);
}
