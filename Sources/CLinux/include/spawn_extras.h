// Starting helper programs, pseudo-terminals, flushing: the GNU functions that Swift's Glibc module leaves out.
#ifndef HSIP_SPAWN_EXTRAS_H
#define HSIP_SPAWN_EXTRAS_H

#include <spawn.h>

/// posix_spawn_file_actions_addclosefrom_np(3): the child keeps nothing from descriptor `first` on.
int hsip_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// pipe2(2) with O_CLOEXEC: no helper program started meanwhile inherits an end.
int hsip_pipe(int ends[2]);

/// Opens a new pseudo-terminal, unlocked; writes the name of its other side, at most `size` bytes.
int hsip_open_pty(char *name, unsigned long size);

/// syncfs(2): what was written on the file system of a descriptor is on the disk after it.
int hsip_flush_file_system(int descriptor);

#endif
