#define _GNU_SOURCE
#include "hardening.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int hsip_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

#if defined(__x86_64__)
#define HSIP_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define HSIP_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define HSIP_ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef HSIP_ARCH
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define NEVER_NUMBER(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), REFUSE(EPERM)
#define NEVER(call) NEVER_NUMBER(SYS_##call)
// By number, which is the same on all machines, where the headers may be older than the kernel.
#define HSIP_PROCESS_MADVISE 440
#define HSIP_MOUNT_SETATTR 442
#define HSIP_OPEN_TREE_ATTR 467

int hsip_filter_calls(void) {
    struct sock_filter filter[] = {
        // Calls by the numbers of another architecture would get past the list below.
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HSIP_ARCH, 1, 0), REFUSE(ENOSYS),
        LOAD(nr),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSE(ENOSYS),
#endif
        NEVER(ptrace), NEVER(process_vm_readv), NEVER(process_vm_writev),
        NEVER(kexec_load), NEVER(kexec_file_load), NEVER(init_module), NEVER(finit_module), NEVER(delete_module),
        NEVER(bpf), NEVER(perf_event_open), NEVER(userfaultfd), NEVER(open_by_handle_at),
        NEVER(mount), NEVER(umount2), NEVER(pivot_root), NEVER(swapon), NEVER(swapoff), NEVER(reboot),
        NEVER(unshare), NEVER(setns), NEVER(chroot), NEVER(pidfd_getfd), NEVER(kcmp),
        NEVER(fsopen), NEVER(fspick), NEVER(fsconfig), NEVER(fsmount), NEVER(move_mount), NEVER(open_tree),
        NEVER_NUMBER(HSIP_OPEN_TREE_ATTR), NEVER_NUMBER(HSIP_MOUNT_SETATTR), NEVER_NUMBER(HSIP_PROCESS_MADVISE),
        NEVER(fanotify_init), NEVER(acct), NEVER(quotactl), NEVER(syslog),
        NEVER(settimeofday), NEVER(clock_settime), NEVER(clock_adjtime), NEVER(adjtimex),
        // Its rings make sockets without this filter being asked.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1), REFUSE(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0), ALLOW,
        // The lower half of the first argument, which is all that the kernel looks at (an int).
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        LOAD(args[0]),
#else
#error "the filter knows the lower half of an argument on little-endian machines only"
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0), REFUSE(EAFNOSUPPORT), ALLOW,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
#else
int hsip_filter_calls(void) {
    errno = ENOSYS;
    return -1;
}
#endif

int hsip_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void hsip_take_other_ends(int kept) {
    siginfo_t facts;
    for (;;) {
        facts.si_pid = 0;
        if (waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 || facts.si_pid == 0 || facts.si_pid == kept) return;
        waitpid(facts.si_pid, NULL, WNOHANG);
    }
}

int hsip_end_with_caller(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int hsip_no_core(void) {
    struct rlimit limit = {0, 0};
    return setrlimit(RLIMIT_CORE, &limit);
}

long long hsip_raise_locked_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {limit.rlim_max, limit.rlim_max};
        if (setrlimit(RLIMIT_MEMLOCK, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur == RLIM_INFINITY ? -1 : (long long)limit.rlim_cur;
}

long long hsip_raise_descriptors(unsigned long long most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    rlim_t wanted = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most ? most : limit.rlim_max;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted) {
        struct rlimit raised = {wanted, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return (long long)limit.rlim_cur;
}

int hsip_close_from(int first) { return (int)syscall(SYS_close_range, first, ~0U, 0); }
