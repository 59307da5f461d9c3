/* Everything that a caller can do wrong. The vault of the environment has a session with bob and opens by itself. */
#include <hsip.h>

#include <stdint.h>
#include <string.h>

#include "expect.h"

static hsip_vault *shared;
static int questions;

static int32_t ask_wrongly(void *ctx, const char *question, char *answer, size_t cap)
{
    questions++;
    EXPECT(ctx == &questions && question != NULL && answer != NULL && cap >= 1024);
    if (questions == 1)
        EXPECT(strcmp(question, "misuse wants to open the vault.\nPassphrase or recovery code") == 0);
    /* More than there is room for; then nothing, which is a no. */
    return questions == 1 ? (int32_t)cap + 1 : 0;
}

static int32_t ask_nobody(void *ctx, const char *question, char *answer, size_t cap)
{
    (void)ctx, (void)question, (void)answer, (void)cap;
    return -1;
}

static int32_t ask_wrong_word(void *ctx, const char *question, char *answer, size_t cap)
{
    (void)ctx, (void)cap;
    questions++;
    EXPECT((strstr(question, "try again") != NULL) == (questions > 1));
    memcpy(answer, "wrong", 5);
    return 5;
}

static void opening(const char *secret)
{
    hsip_options options = {.size = sizeof options};
    struct {
        hsip_options known;
        uint64_t more;
    } newer;
    hsip_vault *vault = (hsip_vault *)&options;

    ENDS(HSIP_USAGE, hsip_open(NULL, NULL));
    options.size = 0;
    ENDS(HSIP_USAGE, hsip_open(&options, &vault));
    EXPECT(vault == NULL);
    options.size = sizeof options - 1;
    ENDS(HSIP_USAGE, hsip_open(&options, &vault));
    options.size = UINT32_MAX;
    ENDS(HSIP_USAGE, hsip_open(&options, &vault));
    options.size = sizeof options;
    options.program = "two\nlines";
    ENDS(HSIP_USAGE, hsip_open(&options, &vault));
    options.program = "a name of more than forty bytes, which is too long";
    ENDS(HSIP_MALFORMED, hsip_open(&options, &vault));
    options.program = "misuse";
    options.vault = "\xff";
    ENDS(HSIP_MALFORMED, hsip_open(&options, &vault));
    options.vault = "nosuch";
    ENDS(HSIP_NOT_FOUND, hsip_open(&options, &vault));
    options.vault = ".hidden";
    ENDS(HSIP_USAGE, hsip_open(&options, &vault));
    options.vault = NULL;

    memset(&newer, 0, sizeof newer);
    newer.known.size = sizeof newer;
    newer.more = 1;
    ENDS(HSIP_UNAVAILABLE, hsip_open(&newer.known, &vault));
    newer.more = 0;
    ENDS(HSIP_OK, hsip_open(&newer.known, &vault));
    hsip_close(vault);

    /* Without the secret somebody has to be asked. */
    unsetenv("HSIP_PASSPHRASE_FILE");
    ENDS(HSIP_LOCKED, hsip_open(&options, &vault));
    options.ask = ask_nobody;
    ENDS(HSIP_LOCKED, hsip_open(&options, &vault));
    options.ask = ask_wrongly;
    options.ctx = &questions;
    ENDS(HSIP_DENIED, hsip_open(&options, &vault));
    EXPECT(questions == 1);
    ENDS(HSIP_DENIED, hsip_open(&options, &vault));
    questions = 0;
    options.ask = ask_wrong_word;
    ENDS(HSIP_DENIED, hsip_open(&options, &vault));
    EXPECT(questions == 3);
    EXPECT(vault == NULL);
    setenv("HSIP_PASSPHRASE_FILE", "/nowhere/at/all", 1);
    ENDS(HSIP_NOT_FOUND, hsip_open(NULL, &vault));
    setenv("HSIP_PASSPHRASE_FILE", secret, 1);
}

static void words(void)
{
    char long_name[300];
    hsip_bytes out, other;
    uint32_t left = 7;

    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    ENDS(HSIP_USAGE, hsip_pair(shared, "bob", NULL));
    ENDS(HSIP_NOT_FOUND, hsip_pair(shared, "nobody", &out));
    EXPECT(out.data == NULL && out.size == 0);
    ENDS(HSIP_MALFORMED, hsip_pair(shared, "\xc3", &out));
    ENDS(HSIP_MALFORMED, hsip_pair(shared, long_name, &out));

    ENDS(HSIP_USAGE, hsip_encrypt(shared, NULL, "hi", 2, &out, &left));
    ENDS(HSIP_USAGE, hsip_encrypt(shared, "bob", NULL, 2, &out, &left));
    ENDS(HSIP_USAGE, hsip_encrypt(shared, "bob", "hi", 2, NULL, &left));
    ENDS(HSIP_NOT_FOUND, hsip_encrypt(shared, "nobody", "hi", 2, &out, &left));
    ENDS(HSIP_MALFORMED, hsip_encrypt(shared, "bob", "a\0b", 3, &out, &left));
    ENDS(HSIP_MALFORMED, hsip_encrypt(shared, "bob", "\xed\xa0\x80", 3, &out, &left));
    ENDS(HSIP_MALFORMED, hsip_encrypt(shared, "bob", "short", SIZE_MAX / 2, &out, &left));
    ENDS(HSIP_MALFORMED, hsip_encrypt(shared, "bob", "short", SIZE_MAX, &out, &left));
    ENDS(HSIP_USAGE, hsip_encrypt(shared, "bob", NULL, SIZE_MAX, &out, &left));
    EXPECT(out.data == NULL && left == 7);
    ENDS(HSIP_OK, hsip_encrypt(shared, "bob", NULL, 0, &out, &left));
    EXPECT(out.data[out.size] == 0 && strlen((char *)out.data) == out.size && left > 0 && left < 1000);

    ENDS(HSIP_USAGE, hsip_decrypt(shared, (char *)out.data, out.size, 4, &other, NULL));
    ENDS(HSIP_USAGE, hsip_decrypt(shared, (char *)out.data, out.size, 0, NULL, NULL));
    ENDS(HSIP_NOT_FOUND, hsip_decrypt(shared, (char *)out.data, out.size, 0, &other, NULL));
    ENDS(HSIP_NOT_FOUND, hsip_decrypt(shared, "nothing in it", 13, 0, &other, NULL));
    ENDS(HSIP_NOT_FOUND, hsip_decrypt(shared, NULL, 0, 0, &other, NULL));
    ENDS(HSIP_MALFORMED, hsip_decrypt(shared, (char *)out.data, out.size - 1, 0, &other, NULL));
    ENDS(HSIP_MALFORMED, hsip_decrypt(shared, "short", SIZE_MAX, 0, &other, NULL));
    ENDS(HSIP_USAGE, hsip_decrypt(shared, (char *)out.data, out.size, 0, &other, &other));
    EXPECT(other.data == NULL);
    hsip_bytes_free(&out);
    EXPECT(out.data == NULL && out.size == 0);
    hsip_bytes_free(&out);
    hsip_bytes_free(NULL);
}

static void secrets(void)
{
    hsip_bytes value;

    ENDS(HSIP_NOT_FOUND, hsip_secret_get(shared, "db", NULL, &value));
    EXPECT(value.data == NULL);
    ENDS(HSIP_USAGE, hsip_secret_get(shared, NULL, NULL, &value));
    ENDS(HSIP_USAGE, hsip_secret_get(shared, "db", NULL, NULL));
    ENDS(HSIP_USAGE, hsip_secret_set(shared, "db", NULL, NULL, 1));
    ENDS(HSIP_MALFORMED, hsip_secret_set(shared, "d\nb", NULL, (uint8_t *)"a", 1));
    ENDS(HSIP_MALFORMED, hsip_secret_set(shared, "db", "fi\neld", (uint8_t *)"a", 1));
    ENDS(HSIP_MALFORMED, hsip_secret_set(shared, "db", NULL, (uint8_t *)"a", SIZE_MAX / 2));
    ENDS(HSIP_MALFORMED, hsip_secret_set(shared, "db", NULL, (uint8_t *)"a", SIZE_MAX));
    ENDS(HSIP_OK, hsip_secret_set(shared, "db", NULL, (uint8_t *)"a\0b\n", 4));
    ENDS(HSIP_OK, hsip_secret_set(shared, "db", "user", (uint8_t *)"alice", 5));
    ENDS(HSIP_OK, hsip_secret_get(shared, "db", NULL, &value));
    EXPECT(value.size == 4 && memcmp(value.data, "a\0b\n", 5) == 0);
    hsip_bytes_free(&value);
    ENDS(HSIP_OK, hsip_secret_get(shared, "db", "user", &value));
    EXPECT(value.size == 5 && strcmp((char *)value.data, "alice") == 0);
    hsip_bytes_free(&value);
    ENDS(HSIP_NOT_FOUND, hsip_secret_get(shared, "db", "pin", &value));
}

static void reading(void)
{
    hsip_bytes value;
    int64_t end = 7;

    ENDS(HSIP_USAGE, hsip_secret_read(shared, "db", NULL, 0, 2, &value, &end));
    ENDS(HSIP_USAGE, hsip_secret_read(shared, "db", NULL, 0, 0, NULL, &end));
    ENDS(HSIP_USAGE, hsip_secret_read(shared, NULL, NULL, 0, 0, &value, NULL));
    ENDS(HSIP_NOT_FOUND, hsip_secret_read(shared, "nosuch", NULL, 0, HSIP_EVEN_EXPIRED, &value, &end));
    EXPECT(value.data == NULL && end == 0);
    ENDS(HSIP_NOT_FOUND, hsip_secret_read(shared, "db", NULL, 99, 0, &value, NULL));
    ENDS(HSIP_OK, hsip_secret_read(shared, "db", NULL, 1, 0, &value, &end));
    EXPECT(value.size == 4 && memcmp(value.data, "a\0b\n", 5) == 0 && end == 0);
    hsip_bytes_free(&value);
    ENDS(HSIP_OK, hsip_secret_read(shared, "db", "user", 0, HSIP_EVEN_EXPIRED, &value, NULL));
    EXPECT(value.size == 5 && memcmp(value.data, "alice", 5) == 0);
    hsip_bytes_free(&value);
}

static void answers(void)
{
    hsip_bytes reply, json;

    ENDS(HSIP_USAGE, hsip_call(shared, "{}", NULL));
    ENDS(HSIP_USAGE, hsip_call(shared, NULL, &json));
    EXPECT(json.data == NULL);
    ENDS(HSIP_USAGE, hsip_call(shared, "{}", &json));
    EXPECT(strstr((char *)json.data, "\"ok\":false") != NULL);
    hsip_bytes_free(&json);
    ENDS(HSIP_USAGE, hsip_call(NULL, "{\"command\":\"contact list\"}", &json));
    EXPECT(strstr((char *)json.data, "\"code\":\"usage\"") != NULL);
    hsip_bytes_free(&json);
    ENDS(HSIP_OK, hsip_call(shared, "{\"command\":\"contact list\"}", &json));
    EXPECT(json.data[json.size] == 0 && strlen((char *)json.data) == json.size);
    hsip_bytes_free(&json);

    ENDS(HSIP_USAGE, hsip_accept(shared, NULL, 1, NULL, NULL, NULL));
    ENDS(HSIP_MALFORMED, hsip_accept(shared, "no code", 7, NULL, NULL, NULL));
    ENDS(HSIP_MALFORMED, hsip_accept(shared, "no code", 7, "\xff", &reply, &json));
    EXPECT(reply.data == NULL && json.data != NULL);
    hsip_bytes_free(&json);
    ENDS(HSIP_MALFORMED, hsip_accept(shared, "no code", (size_t)3 << 20, NULL, &reply, NULL));
    ENDS(HSIP_MALFORMED, hsip_accept(shared, "no code", SIZE_MAX, NULL, &reply, NULL));
    ENDS(HSIP_USAGE, hsip_accept(shared, "no code", 7, NULL, &json, &json));
    EXPECT(json.data == NULL);
    ENDS(HSIP_OK, hsip_pair(shared, NULL, &reply));
    ENDS(HSIP_CONFLICT, hsip_accept(shared, (char *)reply.data, reply.size, NULL, NULL, &json));
    hsip_bytes_free(&reply);
    hsip_bytes_free(&json);
}

static void names(void)
{
    hsip_bytes out;
    hsip_vault *vault = NULL, *first;

    hsip_close(NULL);
    ENDS(HSIP_USAGE, hsip_pair(NULL, NULL, &out));
    ENDS(HSIP_USAGE, hsip_pair((hsip_vault *)(uintptr_t)8, NULL, &out));
    hsip_close((hsip_vault *)(uintptr_t)8);
    ENDS(HSIP_OK, hsip_open(NULL, &vault));
    first = vault;
    hsip_close(vault);
    hsip_close(vault);
    ENDS(HSIP_USAGE, hsip_pair(vault, NULL, &out));
    ENDS(HSIP_OK, hsip_open(NULL, &vault));
    EXPECT(vault != first);
    ENDS(HSIP_USAGE, hsip_pair(first, NULL, &out));
    hsip_close(vault);
}

static void old_calls(void)
{
    static const uint8_t key[32] = {1};
    char *message = hsip_ios_encrypt("hi", key, key);

    EXPECT(message != NULL && hsip_ios_contains_message(message));
    hsip_ios_free_string(message);
    hsip_ios_free_string(NULL);
    EXPECT(hsip_ios_encrypt(NULL, key, key) == NULL);
    EXPECT(hsip_ios_encrypt("hi", NULL, key) == NULL);
    EXPECT(hsip_ios_encrypt("hi", key, NULL) == NULL);
    EXPECT(hsip_ios_encrypt("\xff", key, key) == NULL);
    EXPECT(hsip_ios_decrypt(NULL, key) == NULL);
    EXPECT(hsip_ios_decrypt("hi", NULL) == NULL);
    EXPECT(hsip_ios_decrypt("", key) == NULL);
    EXPECT(!hsip_ios_contains_message(NULL));
    EXPECT(hsip_ios_get_emoji_fingerprint(NULL, key) == NULL);
    EXPECT(hsip_ios_get_emoji_fingerprint(key, NULL) == NULL);
    EXPECT(strcmp(hsip_status_name(HSIP_OK), "ok") == 0);
    EXPECT(strcmp(hsip_status_name(16), "unknown") == 0);
    EXPECT(strcmp(hsip_status_name(INT32_MIN), "unknown") == 0);
    EXPECT(hsip_version()[0] != 0);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    setenv("HSIP_PASSPHRASE_FILE", argv[1], 1);
    opening(argv[1]);
    ENDS(HSIP_OK, hsip_open(NULL, &shared));
    words();
    secrets();
    reading();
    answers();
    names();
    old_calls();
    hsip_close(shared);
    puts("as promised");
    return 0;
}
