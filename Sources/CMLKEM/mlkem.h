/*
 * ML-KEM-768 (FIPS 203) of the BoringSSL inside swift-crypto 4.5.2.
 *
 * Its Swift API leaves copies of the secret key on the heap and takes no randomness from outside, so these
 * functions are called themselves, with memory of ours. A release that renames one fails to link; the sizes
 * of the two keys are those of crypto/fipsmodule/bcm_interface.h there.
 */
#ifndef HSIP_MLKEM_H
#define HSIP_MLKEM_H

#include <stddef.h>
#include <stdint.h>

/* Both want memory aligned to 2. */
enum {
    hsip_mlkem_public_size = 512 * (3 + 9) + 64,
    hsip_mlkem_private_size = 512 * (3 + 3 + 9) + 96,
};

/* A range of bytes that a parser moves through (CBS). */
struct hsip_mlkem_input {
    const uint8_t *data;
    size_t count;
};

/* From a seed of 64 bytes: the encoded public key of 1,184 bytes, and the private key. */
int CCryptoBoringSSL_BCM_mlkem768_generate_key_external_seed(uint8_t *encoded, void *private_key, const uint8_t *seed);
/* 1, or 0 if a coefficient is 3,329 or more (FIPS 203 section 7.2). */
int CCryptoBoringSSL_MLKEM768_parse_public_key(void *public_key, struct hsip_mlkem_input *encoded);
/* A ciphertext of 1,088 bytes and a secret of 32, from 32 random bytes. */
int CCryptoBoringSSL_BCM_mlkem768_encap_external_entropy(uint8_t *ciphertext, uint8_t *secret, const void *public_key,
                                                         const uint8_t *entropy);
/* 1, or 0 if the seed has another length than 64. */
int CCryptoBoringSSL_MLKEM768_private_key_from_seed(void *private_key, const uint8_t *seed, size_t count);
/* 1, or 0 if the ciphertext has another length than 1,088. */
int CCryptoBoringSSL_MLKEM768_decap(uint8_t *secret, const uint8_t *ciphertext, size_t count, const void *private_key);

#endif
