#define _GNU_SOURCE
#include "agent_extras.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
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

int hsip_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int hsip_event_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int hsip_gathering_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

int hsip_gathering_add(int gathering, int descriptor, int only_end) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    // An end that is gone (EPOLLHUP) and an error are always told.
    event.events = only_end ? 0 : EPOLLIN;
    return epoll_ctl(gathering, EPOLL_CTL_ADD, descriptor, &event);
}
