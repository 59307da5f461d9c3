// The key derivation of OpenSSH's key files (bcrypt_pbkdf). In C, because a build for debugging would take
// seconds for it in Swift.
#ifndef HSIP_CBCRYPT_H
#define HSIP_CBCRYPT_H

#include <stddef.h>
#include <stdint.h>

/// Words of 32 bits in the tables of Blowfish: 18 subkeys, then four boxes of 256.
#define HSIP_BLOWFISH_WORDS 1042

/// The fractional part of pi, 32 bits a word: where every key schedule of Blowfish begins.
extern const uint32_t hsip_blowfish_pi[HSIP_BLOWFISH_WORDS];

/// Writes `key_count` bytes made of a passphrase and a salt; `rounds` is linear in time.
///
/// Returns 0; -1 when a size or the number of rounds is zero or too large (a key has at most 1,024 bytes, a salt
/// 1 MiB), or locked memory was not to be had. Then the key is left as it was. What it computes with lies in
/// locked memory and is wiped.
int hsip_bcrypt_pbkdf(
    const uint8_t *pass, size_t pass_count,
    const uint8_t *salt, size_t salt_count,
    uint8_t *key, size_t key_count,
    uint32_t rounds
);

#endif
