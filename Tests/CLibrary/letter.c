/* letter seal CONTACT | letter open: reads a text from standard input and writes the other one.
 *
 *     cc letter.c $(pkg-config --cflags --libs hsip) -o letter
 *     echo "see you at eight" | ./letter seal bob
 */
#include <hsip.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

/* Asks at the terminal, without showing what is typed. */
static int32_t ask(void *ctx, const char *question, char *answer, size_t cap)
{
    FILE *terminal = fopen("/dev/tty", "r+");
    struct termios shown, hidden;
    char yes[8];
    int32_t said = 0;

    (void)ctx;
    if (terminal == NULL || tcgetattr(fileno(terminal), &shown) != 0) {
        if (terminal != NULL)
            fclose(terminal);
        return -1; /* nobody is there */
    }
    setvbuf(terminal, NULL, _IONBF, 0); /* no copy of a passphrase in a buffer */
    fprintf(terminal, "%s%s ", question, cap > 0 ? ":" : " [y/N]");
    if (cap == 0) {
        said = fgets(yes, sizeof yes, terminal) != NULL && (yes[0] == 'y' || yes[0] == 'Y');
    } else {
        hidden = shown;
        hidden.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(fileno(terminal), TCSAFLUSH, &hidden);
        if (fgets(answer, (int)cap, terminal) != NULL)
            said = (int32_t)strcspn(answer, "\n");
        tcsetattr(fileno(terminal), TCSAFLUSH, &shown);
        fputc('\n', terminal);
    }
    fclose(terminal);
    return said;
}

int main(int argc, char **argv)
{
    hsip_options options = {.size = sizeof options, .program = "letter", .ask = ask};
    hsip_vault *vault = NULL;
    hsip_bytes out = {0}, sender = {0};
    uint32_t left = 0;
    static char text[65536];
    size_t size;
    hsip_status status;
    int seals = argc == 3 && strcmp(argv[1], "seal") == 0;

    if (!seals && !(argc == 2 && strcmp(argv[1], "open") == 0)) {
        fprintf(stderr, "usage: letter seal CONTACT | letter open\n");
        return HSIP_USAGE;
    }
    size = fread(text, 1, sizeof text, stdin);

    status = hsip_open(&options, &vault);
    if (status == HSIP_OK && seals)
        status = hsip_encrypt(vault, argv[2], text, size, &out, &left);
    else if (status == HSIP_OK)
        status = hsip_decrypt(vault, text, size, 0, &out, &sender);

    if (status == HSIP_OK) {
        fwrite(out.data, 1, out.size, stdout);
        fputc('\n', stdout);
        if (seals)
            fprintf(stderr, "%u left\n", left);
        else
            fprintf(stderr, "from %s\n", (char *)sender.data);
    } else {
        fprintf(stderr, "letter: %s\n", hsip_status_name(status));
    }
    hsip_bytes_free(&out);
    hsip_bytes_free(&sender);
    hsip_close(vault);
    memset(text, 0, sizeof text);
    return status;
}
