// Written from the descriptions: Blowfish (Schneier, Fast Software Encryption 1993), the expensive key schedule
// (Provos and Mazières, USENIX 1999), and the key derivation around it as OpenSSH's PROTOCOL.key names it.
#include "CBcrypt.h"

#include <sodium.h>
#include <string.h>

enum {
    subkeys = 18,
    box = 256,
    schedule_rounds = 64,
    digest_words = 16,
    text_words = 8,
    text_bytes = 4 * text_words,
    longest_key = 1024,
    longest_salt = 1 << 20,
};

/// "OxychromaticBlowfishSwatDynamite", 32 bits a word.
static const uint32_t plaintext[text_words] = {
    0x4F787963, 0x68726F6D, 0x61746963, 0x426C6F77,
    0x66697368, 0x53776174, 0x44796E61, 0x6D697465,
};

/// Subkeys and boxes; the words of pi lie in the same order.
typedef struct {
    uint32_t p[subkeys];
    uint32_t s[4][box];
} blowfish;

/// Everything that tells of the passphrase, so that it can be locked and wiped together.
typedef struct {
    blowfish cipher;
    crypto_hash_sha512_state hash;
    uint8_t digest[crypto_hash_sha512_BYTES];
    uint32_t pass[digest_words];
    uint32_t salt[digest_words];
    uint8_t block[text_bytes];
    uint8_t sum[text_bytes];
} scratch;

static inline uint32_t mix(const blowfish *c, uint32_t x) {
    return ((c->s[0][x >> 24] + c->s[1][x >> 16 & 0xFF]) ^ c->s[2][x >> 8 & 0xFF]) + c->s[3][x & 0xFF];
}

static inline void encipher(const blowfish *c, uint32_t *left, uint32_t *right) {
    uint32_t l = *left ^ c->p[0];
    uint32_t r = *right;
    for (int round = 1; round <= 16; round += 2) {
        r ^= mix(c, l) ^ c->p[round];
        l ^= mix(c, r) ^ c->p[round + 1];
    }
    *left = r ^ c->p[17];
    *right = l;
}

/// The key schedule: the key goes into the subkeys, then everything is replaced by what the cipher makes of
/// itself, with the salt mixed in if there is one. Keys and salts here are always 16 words.
static void expand(blowfish *c, const uint32_t *key, const uint32_t *salt) {
    for (int i = 0; i < subkeys; i++) c->p[i] ^= key[i % digest_words];
    uint32_t l = 0, r = 0;
    int next = 0;
    for (int i = 0; i < subkeys; i += 2) {
        if (salt) {
            l ^= salt[next];
            r ^= salt[next + 1];
            next = (next + 2) % digest_words;
        }
        encipher(c, &l, &r);
        c->p[i] = l;
        c->p[i + 1] = r;
    }
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < box; i += 2) {
            if (salt) {
                l ^= salt[next];
                r ^= salt[next + 1];
                next = (next + 2) % digest_words;
            }
            encipher(c, &l, &r);
            c->s[b][i] = l;
            c->s[b][i + 1] = r;
        }
    }
}

static void load(uint32_t *words, const uint8_t *digest) {
    for (int i = 0; i < digest_words; i++) {
        const uint8_t *d = digest + 4 * i;
        words[i] = (uint32_t)d[0] << 24 | (uint32_t)d[1] << 16 | (uint32_t)d[2] << 8 | d[3];
    }
}

/// bcrypt with digests for passphrase and salt, and with its own text; the words come out little-endian.
static void bcrypt(scratch *t) {
    memcpy(t->cipher.p, hsip_blowfish_pi, sizeof t->cipher.p);
    memcpy(t->cipher.s, hsip_blowfish_pi + subkeys, sizeof t->cipher.s);
    expand(&t->cipher, t->pass, t->salt);
    for (int i = 0; i < schedule_rounds; i++) {
        expand(&t->cipher, t->salt, NULL);
        expand(&t->cipher, t->pass, NULL);
    }
    for (int i = 0; i < text_words; i += 2) {
        uint32_t l = plaintext[i], r = plaintext[i + 1];
        for (int round = 0; round < 64; round++) encipher(&t->cipher, &l, &r);
        for (int byte = 0; byte < 4; byte++) {
            t->block[4 * i + byte] = (uint8_t)(l >> 8 * byte);
            t->block[4 * i + 4 + byte] = (uint8_t)(r >> 8 * byte);
        }
    }
}

int hsip_bcrypt_pbkdf(
    const uint8_t *pass, size_t pass_count,
    const uint8_t *salt, size_t salt_count,
    uint8_t *key, size_t key_count,
    uint32_t rounds
) {
    if (rounds == 0 || pass_count == 0 || salt_count == 0 || salt_count > longest_salt) return -1;
    if (key_count == 0 || key_count > longest_key || sodium_init() < 0) return -1;
    scratch *t = sodium_malloc(sizeof *t);
    if (!t) return -1;
    crypto_hash_sha512(t->digest, pass, pass_count);
    load(t->pass, t->digest);

    // The bytes of a block do not lie side by side in the key but `stride` apart.
    size_t stride = (key_count + text_bytes - 1) / text_bytes;
    size_t amount = (key_count + stride - 1) / stride;
    for (size_t number = 1; number <= stride; number++) {
        uint8_t counter[4] = {0, 0, (uint8_t)(number >> 8), (uint8_t)number};
        crypto_hash_sha512_init(&t->hash);
        crypto_hash_sha512_update(&t->hash, salt, salt_count);
        crypto_hash_sha512_update(&t->hash, counter, sizeof counter);
        crypto_hash_sha512_final(&t->hash, t->digest);
        load(t->salt, t->digest);
        bcrypt(t);
        memcpy(t->sum, t->block, text_bytes);
        for (uint32_t round = 1; round < rounds; round++) {
            crypto_hash_sha512(t->digest, t->block, text_bytes);
            load(t->salt, t->digest);
            bcrypt(t);
            for (int i = 0; i < text_bytes; i++) t->sum[i] ^= t->block[i];
        }
        for (size_t i = 0; i < amount; i++) {
            size_t place = i * stride + number - 1;
            if (place < key_count) key[place] = t->sum[i];
        }
    }
    sodium_free(t);
    return 0;
}
