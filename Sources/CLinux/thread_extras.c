#include "thread_extras.h"

#include <stdio.h>

static _Thread_local char kept[512];

void hsip_keep_text(const char *text) { snprintf(kept, sizeof kept, "%s", text); }

const char *hsip_kept_text(void) { return kept; }
