"""Forbidden acts, run as a student's file would be: the doctor's check that every lock holds.

A probe raises when it is refused, is ended by its limit, or returns (anything) when it got through.
"""

import ctypes
import mmap
import os
import platform
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)
# System calls without a function of their own in the C library: numbers on x86-64 and on ARM.
NUMBERS = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "pidfd_open": (434, 434),
    "memfd_secret": (447, 447),
}


def _refused(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _call(name: str, *arguments: int) -> None:
    number = NUMBERS[name][platform.machine() != "x86_64"]
    _refused(libc.syscall(number, *(ctypes.c_long(a) for a in arguments)))


def _any(acts: list[Callable[[], object]]) -> None:
    """Raise the last refusal if all of the acts are refused."""
    refusal: OSError | None = None
    for act in acts:
        try:
            act()
        except OSError as error:
            refusal = error
        else:
            return
    if refusal is not None:
        raise refusal


def read_outside() -> None:
    paths = ("/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/1/cmdline", "/etc", "/")
    acts: list[Callable[[], object]] = [lambda p=p: Path(p).read_bytes() for p in paths[:4]]  # type: ignore[misc]
    _any([*acts, lambda: os.listdir("/etc"), lambda: os.listdir("/home")])  # noqa: PTH208


def write_file() -> None:
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", ".", "/", str(Path(np.__file__).parent)):
        path = Path(folder) / f"probe-{os.getpid()}"
        try:
            path.touch()
        except OSError as error:
            refusal = error
        else:
            path.unlink()
            return
    raise refusal


def connect_tcp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def send_udp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"probe", ("127.0.0.1", 9))


def open_unix_socket() -> None:
    _any([lambda: socket.socket(socket.AF_UNIX), socket.socketpair])


def open_other_socket() -> None:
    families = (16, 17, 38, 40)  # netlink, packet, crypto, virtual machine
    _any([lambda f=f: socket.socket(f, socket.SOCK_DGRAM) for f in families])  # type: ignore[misc]


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def execute() -> None:
    os.execv(sys.executable, [sys.executable, "-c", ""])


def signal_parent() -> None:
    os.kill(os.getppid(), 0)


def signal_everyone() -> None:
    os.kill(-1, 0)


def trace_parent() -> None:
    _refused(libc.ptrace(16, os.getppid(), None, None))


def read_parent_memory() -> None:
    buffer = ctypes.create_string_buffer(8)
    part = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    _refused(libc.process_vm_readv(os.getppid(), part, 1, part, 1, 0))


def new_namespaces() -> None:
    _any([lambda f=f: _refused(libc.unshare(f)) for f in (0x10000000, 0x20000, 0x40000000)])  # type: ignore[misc]


def mount() -> None:
    _refused(libc.mount(b"none", b"/", b"tmpfs", 0, None))


def change_root() -> None:
    os.chroot("/")


def become_root() -> None:
    _any([lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])])
    if os.getuid() != 0:
        raise PermissionError("still an ordinary user")


def use_keyring() -> None:
    _any([lambda: _call("keyctl", 0, -3, 0), lambda: _call("add_key", 0, 0, 0, 0, 0)])


def use_io_uring() -> None:
    _call("io_uring_setup", 1, ctypes.addressof(ctypes.create_string_buffer(256)))


def use_bpf() -> None:
    _any([lambda: _call("bpf", 0, 0, 0), lambda: _call("perf_event_open", 0, 0, -1, -1, 0)])


def use_userfaultfd() -> None:
    _call("userfaultfd", 0)


def open_process() -> None:
    _call("pidfd_open", os.getppid(), 0)


def share_memory() -> None:
    _refused(libc.shmget(0, 4096, 0o1600))


def hide_memory() -> None:
    _any([lambda: os.memfd_create("probe"), lambda: _call("memfd_secret", 0)])


def raise_limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def use_found_descriptor() -> None:
    for descriptor in range(4, 256):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        return
    raise OSError("only its own channel is open")


def much_memory() -> None:
    mmap.mmap(-1, 8 << 30)


def many_threads() -> None:
    stop = threading.Event()
    threading.stack_size(1 << 16)
    for _ in range(5000):
        threading.Thread(target=stop.wait, daemon=True).start()


def much_output() -> None:
    for _ in range(1000):
        os.write(1, b"x" * 4096)


def burn_processor() -> None:
    while time.monotonic() < time.monotonic() + 1:
        pass


def sleep_long() -> None:
    time.sleep(3600)


FORBIDDEN: dict[str, str] = {
    "read_outside": "read a file or folder outside Python's library",
    "write_file": "write a file",
    "connect_tcp": "open a TCP socket",
    "send_udp": "send a UDP packet",
    "open_unix_socket": "open a Unix socket",
    "open_other_socket": "open a netlink, packet, crypto or vsock socket",
    "fork": "start a process",
    "execute": "run another program",
    "signal_parent": "signal the parent process",
    "signal_everyone": "signal every process",
    "trace_parent": "trace the parent process",
    "read_parent_memory": "read the parent's memory",
    "open_process": "open the parent by pidfd",
    "new_namespaces": "make namespaces of its own",
    "mount": "mount a file system",
    "change_root": "change the root folder",
    "become_root": "become root",
    "use_keyring": "use the kernel's keyring",
    "use_io_uring": "use io_uring",
    "use_bpf": "use bpf or performance events",
    "use_userfaultfd": "use userfaultfd",
    "share_memory": "make System V shared memory",
    "hide_memory": "make memory files",
    "raise_limits": "raise its own limits",
    "use_found_descriptor": "find a descriptor left open",
    "much_memory": "take 8 GiB of memory",
    "many_threads": "start 5,000 threads",
    "much_output": "print 4 MiB",
    "burn_processor": "loop for ever",
    "sleep_long": "sleep for an hour",
}
# Tried on every start, before any student's file; the rest wait for the doctor.
ON_START = (
    "read_outside",
    "write_file",
    "connect_tcp",
    "send_udp",
    "open_unix_socket",
    "fork",
    "execute",
    "signal_parent",
    "trace_parent",
    "new_namespaces",
    "become_root",
    "use_keyring",
    "use_io_uring",
    "raise_limits",
    "use_found_descriptor",
    "much_memory",
)


def still_works() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """What must not be forbidden: linear algebra, random numbers, a thread, a late import."""
    import colorsys  # noqa: PLC0415

    done = threading.Event()
    thread = threading.Thread(target=done.set)
    thread.start()
    thread.join()
    rows = np.random.default_rng(0).normal(size=(3, 3))
    return np.linalg.inv(rows) @ rows * float(done.is_set()) * colorsys.rgb_to_hsv(1, 1, 1)[2]
