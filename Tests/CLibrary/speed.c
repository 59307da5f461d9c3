/* hsip_ios_encrypt beside the bare calls of libsodium: random bytes, the cipher, its base64. Prints both times, their ratio and
 * whether it is at least 0.8; ends with 1 where it is not.
 *
 *     cc -O2 speed.c $(pkg-config --cflags --libs hsip libsodium) -o speed && ./speed
 */
#include <hsip.h>

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 41, REPEATS = 4000, HEADER = 61 };

static char text[1025];
static uint8_t key[32], peer[32];
static size_t size;

/* Processor time of this thread: the neighbours' time is not ours. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void ours(void)
{
    char *message = hsip_ios_encrypt(text, key, peer);

    if (message == NULL)
        abort();
    hsip_ios_free_string(message);
}

static void bare(void)
{
    size_t encoded = sodium_base64_encoded_len(HEADER + size, sodium_base64_VARIANT_ORIGINAL);
    uint8_t *envelope = malloc(HEADER + size);
    char *message = malloc(4 + encoded);

    if (envelope == NULL || message == NULL)
        abort();
    envelope[0] = 1;
    memcpy(envelope + 1, peer, 32);
    randombytes_buf(envelope + 33, 12);
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(envelope + HEADER, envelope + 45, NULL, (uint8_t *)text, size,
                                                       (const uint8_t *)"HSIP-KEYBOARD-v1", 16, NULL, envelope + 33, key);
    memcpy(message, "\xf0\x9f\x94\x92", 4);
    sodium_bin2base64(message + 4, encoded, envelope, HEADER + size, sodium_base64_VARIANT_ORIGINAL);
    free(envelope);
    free(message);
}

static double time_of(void (*work)(void))
{
    double start = now();
    int count;

    for (count = 0; count < REPEATS; count++)
        work();
    return (now() - start) / REPEATS;
}

static int ascending(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;

    return difference < 0 ? -1 : difference > 0;
}

static int measure(size_t count)
{
    double mine[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
    int round;

    size = count;
    memset(text, 'x', size);
    text[size] = 0;
    time_of(ours);
    for (round = 0; round < ROUNDS; round++) {
        mine[round] = time_of(ours);
        theirs[round] = time_of(bare);
        ratio[round] = theirs[round] / mine[round];
    }
    qsort(mine, ROUNDS, sizeof *mine, ascending);
    qsort(theirs, ROUNDS, sizeof *theirs, ascending);
    qsort(ratio, ROUNDS, sizeof *ratio, ascending);
    printf("hsip_ios_encrypt %4zu bytes  %.2f us  %.2f us bare libsodium  %.2f  speed >= 0.80  %s\n", size,
           mine[ROUNDS / 2] * 1e6, theirs[ROUNDS / 2] * 1e6, ratio[ROUNDS / 2], ratio[ROUNDS / 2] >= 0.8 ? "ok" : "MISS");
    return ratio[ROUNDS / 2] < 0.8;
}

int main(void)
{
    if (sodium_init() < 0)
        return 2;
    randombytes_buf(key, sizeof key);
    return measure(140) | measure(1024);
}
