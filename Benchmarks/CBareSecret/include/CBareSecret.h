/* libsecret called as its manual shows, with nothing around it: what the store is measured against. */
#ifndef CBARESECRET_H
#define CBARESECRET_H

#include <stddef.h>

#include "CBareService.h"

/* An item with the attributes that the store gives a record. */
struct bare_item {
    const char *vault;
    const char *kind;
    const char *name;
    const char *user;
};

/* Connects to the Secret Service of this session; 0 when it answers. */
int bare_connect(void);

/* Stores a text as an item of the default collection, in the place of one with the same attributes; 0 if it did. */
int bare_store(struct bare_item item, const char *text);

/* Looks an item up; the bytes of its secret, or -1. */
long bare_lookup(struct bare_item item);

/* The same through libsecret's simple calls, which also serve its file backend (SECRET_BACKEND=file). */
int bare_simple_store(struct bare_item item, const char *text);
long bare_simple_lookup(struct bare_item item);

/* How many items of a vault a search finds, secrets included; -1 when it fails. */
long bare_simple_search(const char *vault);

#endif
