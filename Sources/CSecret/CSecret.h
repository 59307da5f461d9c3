/* libsecret-1, with the calls that take D-Bus paths: they need no proxy object for each item. */
#ifndef CSECRET_H
#define CSECRET_H

#define SECRET_WITH_UNSTABLE 1
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

#endif
