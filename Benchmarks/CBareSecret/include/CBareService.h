/* The Secret Service called over D-Bus, in plain sessions: what hsip-secrets and its peer are asked alike. */
#ifndef CBARESERVICE_H
#define CBARESERVICE_H

#include <stddef.h>

/* A client on a bus of its own, with a session. */
struct bare_service;

/* Connects to a bus and opens a plain session; NULL when no service answers there. */
struct bare_service *bare_service_open(const char *address);
void bare_service_close(struct bare_service *service);

/* Stores an item of a number: new, or in the place of the one with its attributes; 0 if it did. */
int bare_service_store(struct bare_service *service, int number, int replaces);

/* Searches the item of a number and reads its value; the bytes of it, or -1. */
long bare_service_get(struct bare_service *service, int number);

/* How many items a search finds: of a number, or all with a negative one; -1 when it fails. */
long bare_service_search(struct bare_service *service, int number);

/* Reads the values of the first items of all, as many as there are up to `count`, in one call; how many came, or -1.
   The search for them is made once. */
long bare_service_values(struct bare_service *service, int count);

/* Reads the value of the first item of all by GetSecret; the bytes of the answer, or -1. The search for it is made once. */
long bare_service_value(struct bare_service *service);

/* Opens a session with a key agreement and closes it; 0 if it did. */
int bare_service_agree(struct bare_service *service);

#endif
