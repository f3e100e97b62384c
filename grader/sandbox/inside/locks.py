"""The locks that a process puts on itself, by the kernel's own calls; each raises if it fails.

Landlock has no wrapper in the C library: its three system calls have the same numbers on every
architecture. The seccomp filter comes ready-made from the judge (see grader/sandbox/filter.py).
"""

import ctypes
import os
import resource
import signal
import struct
from collections.abc import Iterable, Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
READ_FILE, READ_DIR = 1 << 2, 1 << 3
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38

# Rights that the kernel can handle, by Landlock's version: files, then network, then scopes.
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
TCP_RIGHTS = 0b11  # bind, connect; since version 4
SCOPES = 0b11  # abstract sockets, signals; since version 6

libc = ctypes.CDLL(None, use_errno=True)


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _prctl(option: int, value: int, extra: object = 0) -> None:
    _checked(libc.prctl(option, ctypes.c_ulong(value), extra, 0, 0), f"prctl {option}")


def landlock_version() -> int:
    """Version of Landlock that the kernel offers, 0 for none."""
    try:
        return max(0, int(libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)))
    except AttributeError:  # no such call in this C library (macOS)
        return 0


def landlock_ruleset(readable: Iterable[str]) -> int:
    """Descriptor of a ruleset that allows reading below the given paths and nothing else."""
    version = landlock_version()
    rights = FILE_RIGHTS[max(v for v in FILE_RIGHTS if v <= version)]
    attributes = struct.pack(
        "<QQQ", rights, TCP_RIGHTS if version >= 4 else 0, SCOPES if version >= 6 else 0
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _checked(
        libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(size), 0), "landlock ruleset"
    )
    for path in readable:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        allowed = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE  # noqa: PTH112
        rule = _PathRule(allowed, parent)
        _checked(libc.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0), f"landlock {path}")
        os.close(parent)
    return ruleset


def landlock_restrict(ruleset: int) -> None:
    """Put this process (and what it forks) under the ruleset, for good."""
    _checked(libc.syscall(RESTRICT_SELF, ruleset, 0), "landlock restrict")


def no_new_privileges() -> None:
    """Bar every gain of rights by exec, and make this process's memory unreadable to others."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_DUMPABLE, 0)


def die_with(parent: int) -> None:
    """Ask for SIGKILL when the parent ends; end now if it has already."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def load_filter(program: bytes, placeholder: int) -> None:
    """Put on the seccomp filter, with this process's id in the placeholder's place."""
    own = program.replace(struct.pack("<I", placeholder), struct.pack("<I", os.getpid()))
    header = _Program(len(own) // 8, own)
    _prctl(PR_SET_SECCOMP, 2, ctypes.byref(header))


def drop_user(user: int) -> None:
    """Become an ordinary user without groups; there is no way back."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def limit(limits: Sequence[tuple[str, int, int]]) -> None:
    """Set each named resource limit (RLIMIT_*) that this system knows to (soft, hard)."""
    for name, soft, hard in limits:
        number = getattr(resource, name, None)
        if number is not None:
            resource.setrlimit(number, (soft, hard))
