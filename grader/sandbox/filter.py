"""The seccomp filter of a child: system calls that NumPy code needs are allowed, no others.

Built here by libseccomp and handed to the fork server as a finished program, so that the jail needs
no library of ours.
"""

import errno
import functools
import tempfile
from dataclasses import dataclass

# Stands in the program for the child's own process id, which is put in after the fork.
PLACEHOLDER = 0x7A1D1E55

ALLOWED = """
    read readv pread64 write writev pwrite64 close close_range lseek fstat newfstatat stat lstat
    statx access faccessat faccessat2 open openat readlink readlinkat getcwd getdents getdents64
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    mmap munmap mremap mprotect madvise brk
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending sigaltstack pause
    getitimer setitimer alarm
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
    futex set_robust_list set_tid_address rseq membarrier restart_syscall sched_yield
    sched_getaffinity getcpu gettid getpid getppid getpgrp getuid geteuid getgid getegid getresuid
    getresgid getrusage getrlimit uname sysinfo umask getrandom exit exit_group
"""
# The C library has another way to do these when the kernel says that they do not exist.
UNKNOWN = ["clone3", "openat2"]
CLONE_THREAD = 0x10000
FCNTL_ALLOWED = (0, 1, 2, 3, 4, 1030)  # duplicate, read and set flags: no locks, no owners
IOCTL_ALLOWED = (0x5401, 0x541B, 0x5450, 0x5451)  # is it a terminal, bytes waiting, close on exec


@dataclass(frozen=True)
class Filter:
    """A compiled filter, or why there is none."""

    program: bytes = b""
    reason: str = ""


@functools.cache
def build() -> Filter:
    """The compiled filter; without libseccomp, an empty one with the reason."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415 - fails where libseccomp is missing
    except (ImportError, OSError, RuntimeError) as error:
        return Filter(reason=str(error))
    forbid, unknown = seccomp.ERRNO(errno.EPERM), seccomp.ERRNO(errno.ENOSYS)
    rules = seccomp.SyscallFilter(forbid)

    def add(action: int, name: str, *conditions: object) -> None:
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) >= 0:  # else: not on this machine
            rules.add_rule(action, name, *conditions)

    def argument(index: int, value: int) -> object:
        return seccomp.Arg(index, seccomp.EQ, value)

    try:
        for name in ALLOWED.split():
            add(seccomp.ALLOW, name)
        for name in UNKNOWN:
            add(unknown, name)
        add(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
        for name in ("kill", "tgkill"):  # itself only
            add(seccomp.ALLOW, name, argument(0, PLACEHOLDER))
        add(seccomp.ALLOW, "prlimit64", argument(0, 0))
        for command in FCNTL_ALLOWED:
            add(seccomp.ALLOW, "fcntl", argument(1, command))
        for command in IOCTL_ALLOWED:
            add(seccomp.ALLOW, "ioctl", argument(1, command))
        with tempfile.TemporaryFile() as file:
            rules.export_bpf(file)
            file.seek(0)
            return Filter(program=file.read())
    except (OSError, RuntimeError, ValueError) as error:
        return Filter(reason=str(error))
