#define _GNU_SOURCE
#include "agent_extras.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int hsip_thread_start(void *(*body)(void *), void *context, size_t stack) {
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    sigset_t all, former;
    sigfillset(&all);
    // A fault of this thread must still end the program.
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGABRT);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGSYS);
    pthread_t thread;
    code = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (code == 0) code = pthread_attr_setstacksize(&attributes, stack);
    if (code == 0) {
        pthread_sigmask(SIG_SETMASK, &all, &former);
        code = pthread_create(&thread, &attributes, body, context);
        pthread_sigmask(SIG_SETMASK, &former, NULL);
    }
    pthread_attr_destroy(&attributes);
    return code;
}

// Bytes of stack that a request usually uses.
#define NEAR ((size_t)64 << 10)

static __attribute__((noinline)) void wipe_near(void) {
    char used[NEAR];
    explicit_bzero(used, sizeof used);
}

void hsip_thread_forget(void) {
    static __thread char *lowest;
    if (!lowest) {
        pthread_attr_t attributes;
        void *stack = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
        pthread_attr_getstack(&attributes, &stack, &size);
        pthread_attr_destroy(&attributes);
        lowest = stack;
    }
    if (!lowest) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *here = __builtin_frame_address(0);
    // Below the frame of this function and of the call to madvise.
    char *near = here - page;
    if (here > lowest + 2 * NEAR && 2 * page <= NEAR) {
        // Pages that are needed again are written over: given back, each would cost a fault at the next request.
        wipe_near();
        // Both meet in a page, so that none is left out between them.
        near = here - NEAR + page;
    }
    char *end = (char *)((size_t)near & ~(page - 1));
    if (end > lowest) madvise(lowest, (size_t)(end - lowest), MADV_DONTNEED);
}

void hsip_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int hsip_peer_of(int socket, struct hsip_peer *peer) {
    struct ucred facts;
    socklen_t size = sizeof facts;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &facts, &size) != 0) return -1;
    peer->pid = facts.pid;
    peer->uid = facts.uid;
    peer->gid = facts.gid;
    int pidfd = -1;
    size = sizeof pidfd;
    // The kernel closes it on exec by itself.
    peer->pidfd = getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0 ? pidfd : -1;
    return 0;
}

int hsip_hear_writers(int socket) {
    int yes = 1;
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
}

int hsip_accept_connection(int listener) {
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    // A listener that was handed over may have had clients before it was told to hear who writes.
    if (socket >= 0) hsip_hear_writers(socket);
    return socket;
}

ssize_t hsip_receive(int socket, void *buffer, size_t size, int flags, pid_t *writer) {
    struct iovec room = {.iov_base = buffer, .iov_len = size};
    // Room for the writer and nothing else: descriptors that a peer sends along find none, and the kernel drops them.
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } extra;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &room;
    message.msg_iovlen = 1;
    message.msg_control = &extra;
    message.msg_controllen = sizeof extra;
    *writer = 0;
    ssize_t count = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (count <= 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS &&
        header->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
        struct ucred facts;
        memcpy(&facts, CMSG_DATA(header), sizeof facts);
        *writer = facts.pid;
    }
    return count;
}

ssize_t hsip_send(int socket, const void *const pieces[3], const size_t sizes[3], size_t done, int flags) {
    struct iovec parts[3];
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        size_t skipped = done < sizes[i] ? done : sizes[i];
        done -= skipped;
        if (skipped == sizes[i]) continue;
        parts[count].iov_base = (char *)pieces[i] + skipped;
        parts[count++].iov_len = sizes[i] - skipped;
    }
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = parts;
    message.msg_iovlen = count;
    ssize_t sent = sendmsg(socket, &message, flags);
    return sent < 0 ? -errno : sent;
}

int hsip_unread(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : -1;
}

int hsip_event_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int hsip_gathering_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

int hsip_gathering_add(int gathering, int descriptor, int only_end) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    // An end that is gone (EPOLLHUP) and an error are always told.
    event.events = only_end ? 0 : EPOLLIN;
    return epoll_ctl(gathering, EPOLL_CTL_ADD, descriptor, &event);
}

int hsip_alarm_new(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int hsip_alarm_set(int alarm, unsigned long long moment) {
    struct itimerspec when;
    memset(&when, 0, sizeof when);
    when.it_value.tv_sec = (time_t)(moment / 1000000000ULL);
    when.it_value.tv_nsec = (long)(moment % 1000000000ULL);
    return timerfd_settime(alarm, TFD_TIMER_ABSTIME, &when, NULL);
}

unsigned long long hsip_boot_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec;
}

int hsip_signals_new(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    signal(SIGPIPE, SIG_IGN);
    // A file that may grow no more is an error of the write, as a full disk is.
    signal(SIGXFSZ, SIG_IGN);
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int hsip_signals_next(int signals) {
    struct signalfd_siginfo info;
    return read(signals, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int hsip_folder_watch(const char *path) {
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch < 0) return -1;
    unsigned events = IN_CREATE | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    if (inotify_add_watch(watch, path, events) < 0) {
        close(watch);
        return -1;
    }
    return watch;
}

void hsip_folder_seen(int watch) {
    char events[4096];
    while (read(watch, events, sizeof events) > 0) {}
}
