// What the agent needs of Linux and Swift's Glibc module leaves out: threads without signals, peers of sockets,
// descriptors one can wait on.
#ifndef HSIP_AGENT_EXTRAS_H
#define HSIP_AGENT_EXTRAS_H

#include <stddef.h>
#include <sys/types.h>

/// Starts a detached thread that gets no signals (they are for the main thread); 0 or an error number.
int hsip_thread_start(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable context, size_t stack);

/// Wipes the calling thread's stack below where it is now: nothing that ran on it stays there.
void hsip_thread_forget(void);

/// The calling thread's name in /proc, at most 15 bytes of it.
void hsip_thread_name(const char *_Nonnull name);

/// Who is at the other end of a local socket. `pidfd` is -1 where the kernel cannot tell (before 6.5).
struct hsip_peer {
    pid_t pid;
    uid_t uid;
    gid_t gid;
    int pidfd;
};

/// SO_PEERCRED and SO_PEERPIDFD; 0 or -1.
int hsip_peer_of(int socket, struct hsip_peer *_Nonnull peer);

/// accept4(2): the connection is closed on exec, and tells who writes (SO_PASSCRED).
int hsip_accept_connection(int listener);

/// SO_PASSCRED: what arrives comes with the process that wrote it. On a listener it holds also for what arrives
/// before its client is accepted. 0 or -1.
int hsip_hear_writers(int socket);

/// recvmsg(2) into one buffer; `writer` is the process that wrote the bytes (SCM_CREDENTIALS), 0 where the kernel does
/// not say. Bytes of two processes never come by one call. Descriptors that come along are not taken.
ssize_t hsip_receive(int socket, void *_Nullable buffer, size_t size, int flags, pid_t *_Nonnull writer);

/// sendmsg(2) of three pieces one after the other, without the first `done` bytes of them; what was sent, or
/// the negative of the error's number.
ssize_t hsip_send(int socket, const void *_Nullable const pieces[_Nonnull 3], const size_t sizes[_Nonnull 3], size_t done,
                  int flags);

/// FIONREAD: bytes that have arrived and were not read; -1 where the kernel does not say.
int hsip_unread(int socket);

/// eventfd(2), not blocking, closed on exec.
int hsip_event_new(void);

/// epoll_create1(2), closed on exec.
int hsip_gathering_new(void);

/// Adds a descriptor to a gathering: it counts when it can be read, or with `only_end` when its other end is
/// gone.
int hsip_gathering_add(int gathering, int descriptor, int only_end);

/// timerfd_create(2) on CLOCK_BOOTTIME, which counts while the machine sleeps and which cannot be set.
int hsip_alarm_new(void);

/// Sets a timer to a moment of CLOCK_BOOTTIME in nanoseconds; 0 stops it.
int hsip_alarm_set(int alarm, unsigned long long moment);

/// CLOCK_BOOTTIME in nanoseconds.
unsigned long long hsip_boot_clock(void);

/// Keeps the agent's signals (TERM, INT, QUIT, HUP, USR1) from ending it and makes them readable; each read
/// gives the next one's number, 0 when there is none.
int hsip_signals_new(void);
int hsip_signals_next(int signals);

/// Becomes readable when something in a folder comes, goes or moves, or the folder itself goes.
int hsip_folder_watch(const char *_Nonnull path);

/// Forgets what made it readable.
void hsip_folder_seen(int watch);

#endif
