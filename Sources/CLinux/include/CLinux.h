// What Swift's Glibc module lacks. Headers only: no logic lives here.
#ifndef HSIP_CLINUX_H
#define HSIP_CLINUX_H

#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/resource.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <termios.h>

#include "agent_extras.h"
#include "file_extras.h"
#include "hardening.h"
#include "memory_extras.h"
#include "spawn_extras.h"
#include "thread_extras.h"
#include "start_extras.h"

/// prctl(2) is variadic in C and so invisible to Swift.
static inline int hsip_set_not_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// Readable by other programs of the same user again, for as long as one of them has to see which program this is.
static inline int hsip_set_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

/// A descriptor that can be read from when a process has ended; -1 where there is none.
static inline int hsip_process_open(int process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// pidfd_send_signal(2): to the process that a descriptor is about, and to no other that has its number by now; 0 or -1.
static inline int hsip_process_signal(int process, int number) {
    return (int)syscall(SYS_pidfd_send_signal, process, number, NULL, 0);
}

#endif
