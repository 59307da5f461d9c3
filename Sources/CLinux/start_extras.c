#include "start_extras.h"

#include <stddef.h>

static const char *const *arguments = NULL;

/// The C library calls the functions of .init_array with the arguments of main().
__attribute__((constructor)) static void keep_arguments(int count, char **words, char **environment) {
    (void)environment;
    if (count > 0) arguments = (const char *const *)words;
}

const char *const *hsip_arguments(void) { return arguments; }
