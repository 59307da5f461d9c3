/* Eight threads on one vault, then each on one of its own, then one that is closed under them.
 *
 * Prints every message that was sealed, one a line. */
#include <hsip.h>

#include <pthread.h>
#include <string.h>

#include "expect.h"

enum { THREADS = 8, MESSAGES = 5 };

static hsip_vault *shared;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static void seal(hsip_vault *vault)
{
    hsip_bytes message;
    uint32_t left;

    ENDS(HSIP_OK, hsip_encrypt(vault, "bob", "from a thread", 13, &message, &left));
    pthread_mutex_lock(&writing);
    puts((char *)message.data);
    pthread_mutex_unlock(&writing);
    hsip_bytes_free(&message);
}

static void *on_one(void *unused)
{
    int count;

    for (count = 0; count < MESSAGES; count++)
        seal(shared);
    return unused;
}

static void *on_many(void *unused)
{
    hsip_vault *vault;

    ENDS(HSIP_OK, hsip_open(NULL, &vault));
    seal(vault);
    hsip_close(vault);
    return unused;
}

static void *until_closed(void *unused)
{
    hsip_bytes code;
    hsip_status status;

    /* Until it is closed; a call that began before ends well, or finds the vault locked. */
    do {
        status = hsip_pair(shared, "bob", &code);
        hsip_bytes_free(&code);
    } while (status == HSIP_OK);
    EXPECT(status == HSIP_USAGE || status == HSIP_LOCKED);
    return unused;
}

static void all(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    int each;

    for (each = 0; each < THREADS; each++)
        EXPECT(pthread_create(&threads[each], NULL, work, NULL) == 0);
    if (work == until_closed) {
        seal(shared);
        hsip_close(shared);
    }
    for (each = 0; each < THREADS; each++)
        pthread_join(threads[each], NULL);
}

int main(void)
{
    ENDS(HSIP_OK, hsip_open(NULL, &shared));
    all(on_one);
    all(on_many);
    all(until_closed);
    return 0;
}
