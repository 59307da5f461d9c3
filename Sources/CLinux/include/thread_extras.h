// A text that belongs to one thread.
#ifndef HSIP_THREAD_EXTRAS_H
#define HSIP_THREAD_EXTRAS_H

/// Keeps a copy of a text for the calling thread, cut at 511 bytes, in place of the one before.
void hsip_keep_text(const char *text);

/// The text of the calling thread; "" before there is one. Good until another one is kept.
const char *hsip_kept_text(void);

#endif
