/* A child may use what knows no vault; a vault is its parent's alone. */
#include <hsip.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static hsip_vault *vault;

static void child_of_a_user(void)
{
    static const uint8_t key[32] = {1};
    hsip_vault *own;
    hsip_bytes out;
    uint32_t left;
    char *message, *text;

    ENDS(HSIP_UNAVAILABLE, hsip_encrypt(vault, "bob", "hi", 2, &out, &left));
    ENDS(HSIP_UNAVAILABLE, hsip_pair(vault, NULL, &out));
    ENDS(HSIP_UNAVAILABLE, hsip_decrypt(vault, "hi", 2, 0, &out, NULL));
    ENDS(HSIP_UNAVAILABLE, hsip_open(NULL, &own));
    EXPECT(own == NULL);
    hsip_close(vault);
    message = hsip_ios_encrypt("in a child", key, key);
    text = hsip_ios_decrypt(message, key);
    EXPECT(strcmp(text, "in a child") == 0);
    hsip_ios_free_string(message);
    hsip_ios_free_string(text);
}

static void child_of_nobody(void)
{
    hsip_bytes message;

    ENDS(HSIP_OK, hsip_open(NULL, &vault));
    ENDS(HSIP_OK, hsip_encrypt(vault, "bob", "its own", 7, &message, NULL));
    hsip_bytes_free(&message);
    hsip_close(vault);
}

static void in_child(void (*work)(void))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        work();
        _exit(0);
    }
    EXPECT(child > 0 && waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    hsip_bytes message;

    in_child(child_of_nobody);
    ENDS(HSIP_OK, hsip_open(NULL, &vault));
    in_child(child_of_a_user);
    /* The parent does not notice. */
    ENDS(HSIP_OK, hsip_encrypt(vault, "bob", "hi", 2, &message, NULL));
    hsip_bytes_free(&message);
    hsip_close(vault);
    in_child(child_of_a_user);
    puts("as promised");
    return 0;
}
