// What is known of the calling thread: whether it may wait, and what it was told last.
#ifndef HSIP_THREAD_EXTRAS_H
#define HSIP_THREAD_EXTRAS_H

/// Keeps a copy of a sentence and a hint for the calling thread, cut at 2,047 and 511 bytes, in place of those before.
void hsip_keep_error(const char *text, const char *hint);

/// The sentence of the calling thread; "" before there is one. Good until another one is kept.
const char *hsip_kept_error(void);

/// Its hint, in the same way.
const char *hsip_kept_hint(void);

/// Says whether the calling thread may wait for a disk or a person; Swift's own threads never may.
void hsip_thread_set_may_wait(int may);

/// Whether the calling thread may wait; 0 for a thread that nobody spoke of.
int hsip_thread_may_wait(void);

#endif
