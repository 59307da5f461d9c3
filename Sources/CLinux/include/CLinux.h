// What Swift's Glibc module lacks. Headers only: no logic lives here.
#ifndef HSIP_CLINUX_H
#define HSIP_CLINUX_H

#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "agent_extras.h"
#include "hardening.h"
#include "spawn_extras.h"

/// prctl(2) is variadic in C and so invisible to Swift.
static inline int hsip_set_not_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

#endif
