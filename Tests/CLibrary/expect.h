/* What the programs of this folder check with: one line for what is not as it should be, and exit 1. */
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(what)                                                                         \
    do {                                                                                     \
        if (!(what)) {                                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);               \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

#define ENDS(number, call)                                                                   \
    do {                                                                                     \
        hsip_status ended = (call);                                                          \
        if (ended != (number)) {                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hsip_status_name(ended)); \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
