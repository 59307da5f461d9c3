/* The six calls of older programs, for a test: each line of standard input is one call, each line of output its answer.
 *
 *     seal KEY PEER TEXT    open KEY TEXT    has TEXT    emoji KEY KEY       all in hexadecimal digits; "-" is empty
 *
 * The answer is in hexadecimal digits, too, "-" when it is empty and "null" for NULL; of has it is 1 or 0.
 */
#include <hsip.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *bytes(const char *digits)
{
    size_t count = digits == NULL || *digits == '-' ? 0 : strlen(digits) / 2, place;
    char *made = malloc(count + 1);
    unsigned value;

    for (place = 0; place < count; place++) {
        sscanf(digits + 2 * place, "%2x", &value);
        made[place] = (char)value;
    }
    made[count] = 0;
    return made;
}

static void say(char *answer)
{
    const unsigned char *byte;

    if (answer == NULL)
        fputs("null", stdout);
    else if (*answer == 0)
        fputs("-", stdout);
    else
        for (byte = (unsigned char *)answer; *byte != 0; byte++)
            printf("%02x", *byte);
    fputc('\n', stdout);
    hsip_ios_free_string(answer);
}

int main(void)
{
    static char line[8 << 20];

    if (!hsip_ios_init())
        return 1;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *what = strtok(line, " \n");
        char *first = bytes(strtok(NULL, " \n")), *second = bytes(strtok(NULL, " \n"));
        char *third = bytes(strtok(NULL, " \n"));

        if (strcmp(what, "seal") == 0)
            say(hsip_ios_encrypt(third, (uint8_t *)first, (uint8_t *)second));
        else if (strcmp(what, "open") == 0)
            say(hsip_ios_decrypt(second, (uint8_t *)first));
        else if (strcmp(what, "has") == 0)
            printf("%d\n", hsip_ios_contains_message(first));
        else if (strcmp(what, "emoji") == 0)
            say(hsip_ios_get_emoji_fingerprint((uint8_t *)first, (uint8_t *)second));
        free(first);
        free(second);
        free(third);
    }
    return 0;
}
