// Starting helper programs, pseudo-terminals, flushing: the GNU functions that Swift's Glibc module leaves out.
#ifndef HSIP_SPAWN_EXTRAS_H
#define HSIP_SPAWN_EXTRAS_H

#include <spawn.h>

/// posix_spawn_file_actions_addclosefrom_np(3): the child keeps nothing from descriptor `first` on.
int hsip_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// The flag of posix_spawn(3) that makes the child the leader of a session.
short hsip_spawn_session(void);

/// pipe2(2) with O_CLOEXEC: no helper program started meanwhile inherits an end.
int hsip_pipe(int ends[2]);

/// Opens a new pseudo-terminal, unlocked; writes the name of its other side, at most `size` bytes.
int hsip_open_pty(char *name, unsigned long size);

/// The variables of this process, `NAME=value` each, ending in NULL.
char **hsip_environment(void);

/// memfd_create(2): a file in memory that programs started from here inherit; -1 without one.
int hsip_memory_file(void);

/// Nothing can change the file any more; 0 or -1.
int hsip_seal_memory_file(int descriptor);

/// syncfs(2): what was written on the file system of a descriptor is on the disk after it.
int hsip_flush_file_system(int descriptor);

#endif
