// Looks for 32 secret bytes everywhere in this process: for the tests of wiping.
#ifndef HSIP_MEMORY_SEARCH_H
#define HSIP_MEMORY_SEARCH_H

#include <stddef.h>

/// Remembers 32 bytes in place `slot` (0...7), inverted, so that remembering is no occurrence.
void hsip_search_remember(int slot, const void *bytes);

/// How often the bytes of `slot` stand in the readable private memory of this process; -1 if it cannot look.
long hsip_search_count(int slot);

#endif
