// Looks for 32 secret bytes everywhere in this process: for the tests of wiping.
#ifndef HSIP_MEMORY_SEARCH_H
#define HSIP_MEMORY_SEARCH_H

#include <stddef.h>

/// Remembers 32 bytes, inverted, so that remembering is no occurrence.
///
/// Returns a number of their own, as tests run side by side in one process; -1 for more than 256.
int hsip_search_remember(const void *bytes);

/// How often the bytes of this number stand in the readable private memory of this process; -1 if it cannot look.
long hsip_search_count(int number);

#endif
