/* A security key in software, as a library of OpenSSH's interface sk-api.h: ssh-keygen makes keys in it, and ssh-sk-helper
 * lets it sign. What happens to it is said by files in PLACE: `away`, `pin` (its PIN), `touch` (yes, no, never, late). */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

enum { ECDSA = 0, ED25519 = 1, GENERAL = -1, PIN_REQUIRED = -3, NOT_FOUND = -4 };

struct enrolled {
    uint8_t flags;
    uint8_t *public_key;
    size_t public_key_len;
    uint8_t *key_handle;
    size_t key_handle_len;
    uint8_t *signature;
    size_t signature_len;
    uint8_t *certificate;
    size_t certificate_len;
    uint8_t *authdata;
    size_t authdata_len;
};

struct signed_answer {
    uint8_t flags;
    uint32_t counter;
    uint8_t *r;
    size_t r_len;
    uint8_t *s;
    size_t s_len;
};

/* The first line of a file in PLACE; 0 if it is not there. */
static int said(const char *name, char *line, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", PLACE, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fgets(line, (int)size, file) == NULL)
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    fclose(file);
    return 1;
}

static void tells(const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/told", PLACE);
    FILE *file = fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", text);
        fclose(file);
    }
}

/* Whether the person did what is needed: 0, or why not. */
static int person(const char *pin)
{
    char line[64];
    if (said("away", line, sizeof line))
        return NOT_FOUND;
    if (said("pin", line, sizeof line)) {
        if (pin == NULL)
            return PIN_REQUIRED;
        if (strcmp(pin, line) != 0) {
            tells("wrong");
            return PIN_REQUIRED;
        }
    }
    if (!said("touch", line, sizeof line))
        return 0;
    tells("blinks");
    if (strcmp(line, "never") == 0)
        sleep(60);
    if (strcmp(line, "slow") == 0)
        usleep(800000);
    if (strcmp(line, "late") == 0)
        sleep(6);
    return strcmp(line, "slow") == 0 ? 0 : GENERAL;
}

static uint32_t counted(void)
{
    char line[32] = "0", path[512];
    said("counter", line, sizeof line);
    uint32_t counter = (uint32_t)strtoul(line, NULL, 10) + 1;
    snprintf(path, sizeof path, "%s/counter", PLACE);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "%u\n", counter);
        fclose(file);
    }
    return counter;
}

static EC_KEY *curve_key(const uint8_t seed[32])
{
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *number = BN_bin2bn(seed, 32, NULL);
    BN_rshift1(number, number);
    EC_POINT *point = EC_POINT_new(EC_KEY_get0_group(key));
    EC_POINT_mul(EC_KEY_get0_group(key), point, number, NULL, NULL, NULL);
    EC_KEY_set_private_key(key, number);
    EC_KEY_set_public_key(key, point);
    BN_free(number);
    EC_POINT_free(point);
    return key;
}

uint32_t sk_api_version(void) { return 0x000a0000; }

int sk_enroll(uint32_t alg, const uint8_t *challenge, size_t challenge_len, const char *application, uint8_t flags,
              const char *pin, void **options, struct enrolled **answer)
{
    (void)challenge, (void)challenge_len, (void)application, (void)options;
    int refused = person(pin);
    if (refused)
        return refused;
    struct enrolled *made = calloc(1, sizeof *made);
    made->flags = flags;
    made->key_handle_len = 32;
    made->key_handle = malloc(32);
    RAND_bytes(made->key_handle, 32);
    made->public_key = calloc(1, 65);
    if (alg == ED25519) {
        EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, made->key_handle, 32);
        made->public_key_len = 32;
        EVP_PKEY_get_raw_public_key(key, made->public_key, &made->public_key_len);
        EVP_PKEY_free(key);
    } else {
        EC_KEY *key = curve_key(made->key_handle);
        made->public_key_len = EC_POINT_point2oct(EC_KEY_get0_group(key), EC_KEY_get0_public_key(key),
                                                  POINT_CONVERSION_UNCOMPRESSED, made->public_key, 65, NULL);
        EC_KEY_free(key);
    }
    made->signature_len = made->certificate_len = made->authdata_len = 8;
    made->signature = calloc(1, 8);
    made->certificate = calloc(1, 8);
    made->authdata = calloc(1, 8);
    *answer = made;
    return 0;
}

int sk_sign(uint32_t alg, const uint8_t *data, size_t data_len, const char *application, const uint8_t *key_handle,
            size_t key_handle_len, uint8_t flags, const char *pin, void **options, struct signed_answer **answer)
{
    (void)options;
    int refused = person(pin);
    if (refused)
        return refused;
    if (key_handle_len != 32)
        return GENERAL;
    char text[64];
    struct signed_answer *made = calloc(1, sizeof *made);
    made->flags = said("careless", text, sizeof text) ? 0 : flags & 5;
    made->counter = counted();
    uint8_t whole[69];
    SHA256((const uint8_t *)application, strlen(application), whole);
    whole[32] = made->flags;
    for (int at = 0; at < 4; at++)
        whole[33 + at] = (uint8_t)(made->counter >> (24 - 8 * at));
    SHA256(data, data_len, whole + 37);
    if (alg == ED25519) {
        EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key_handle, 32);
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        made->r_len = 64;
        made->r = malloc(64);
        EVP_DigestSignInit(context, NULL, NULL, NULL, key);
        EVP_DigestSign(context, made->r, &made->r_len, whole, sizeof whole);
        EVP_MD_CTX_free(context);
        EVP_PKEY_free(key);
    } else {
        EC_KEY *key = curve_key(key_handle);
        uint8_t digest[32];
        SHA256(whole, sizeof whole, digest);
        ECDSA_SIG *pair = ECDSA_do_sign(digest, 32, key);
        made->r_len = (size_t)BN_num_bytes(ECDSA_SIG_get0_r(pair));
        made->s_len = (size_t)BN_num_bytes(ECDSA_SIG_get0_s(pair));
        made->r = malloc(made->r_len);
        made->s = malloc(made->s_len);
        BN_bn2bin(ECDSA_SIG_get0_r(pair), made->r);
        BN_bn2bin(ECDSA_SIG_get0_s(pair), made->s);
        ECDSA_SIG_free(pair);
        EC_KEY_free(key);
    }
    tells("signed");
    *answer = made;
    return 0;
}

int sk_load_resident_keys(const char *pin, void **options, void ***keys, size_t *count)
{
    (void)pin, (void)options, (void)keys;
    *count = 0;
    return GENERAL;
}
