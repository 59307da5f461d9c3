// Giving up rights that the agent never needs.
#ifndef HSIP_HARDENING_H
#define HSIP_HARDENING_H

/// PR_SET_NO_NEW_PRIVS: no program started from here on gains rights. 0 or -1.
int hsip_no_new_privileges(void);

/// A filter over system calls, inherited by every program started from here on: only local sockets, no looking
/// into other processes, no kernel modules, no mounts by any of their calls, no other clock. 0 or -1; needs hsip_no_new_privileges.
int hsip_filter_calls(void);

/// PR_SET_PDEATHSIG: the program is killed when the thread that started it ends. 0 or -1.
int hsip_end_with_caller(void);

/// PR_SET_CHILD_SUBREAPER: processes below this one whose parent ends become its children. 0 or -1.
int hsip_adopt_orphans(void);

/// Takes the ends of all children but one, so that none of them stays a zombie.
void hsip_take_other_ends(int kept);

/// RLIMIT_CORE to 0. 0 or -1.
int hsip_no_core(void);

/// Raises the limit of locked memory as far as it may go; bytes, or -1 for no limit.
long long hsip_raise_locked_memory(void);

/// Raises the limit of open descriptors to what it may be, `most` at the most. The limit, or -1.
long long hsip_raise_descriptors(unsigned long long most);

/// close_range(2): every descriptor from `first` on.
int hsip_close_from(int first);

#endif
