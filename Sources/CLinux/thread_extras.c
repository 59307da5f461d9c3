#include "thread_extras.h"

#include <string.h>

static _Thread_local char error[2048];
static _Thread_local char hint[512];

/// Copies as much as fits, and no part of a character.
static void keep(char *kept, size_t size, const char *text) {
    size_t length = strnlen(text, size);
    if (length == size) {
        length--;
        while (length > 0 && (text[length] & 0xC0) == 0x80) length--;
    }
    memcpy(kept, text, length);
    kept[length] = 0;
}

void hsip_keep_error(const char *text, const char *help) {
    keep(error, sizeof error, text);
    keep(hint, sizeof hint, help);
}

const char *hsip_kept_error(void) { return error; }

const char *hsip_kept_hint(void) { return hint; }

static _Thread_local int may_wait;

void hsip_thread_set_may_wait(int may) { may_wait = may; }

int hsip_thread_may_wait(void) { return may_wait; }
