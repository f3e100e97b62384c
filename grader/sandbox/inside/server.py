"""The fork server: holds a warm interpreter, forks one child a submission, never reads one.

The judge speaks to it over a stream socket in messages of fixed size: FORK brings the child's own
channel as a descriptor, REAP kills and collects the child. There is one child at a time.
"""

import contextlib
import gc
import importlib
import marshal
import os
import pkgutil
import signal
import socket
import struct
import sys
import time
import warnings
from typing import Any

import numpy as np

from . import child, locks, standins

# FORK, CPU seconds, MiB of memory, KiB of output, careful; or REAP, milliseconds to wait, 0, 0, 0.
ORDER = struct.Struct("<c4I")
ANSWER = struct.Struct("<iid")  # pid or -errno; wait status; CPU seconds used
FORK, REAP = b"F", b"R"

# What students' files commonly import and NumPy loads late: warm here is 15-20 ms less a child that
# uses it, but every module more makes every fork slower.
WARM = """
    math random itertools functools operator collections dataclasses typing enum abc re time copy
    string __future__ encodings.latin_1 encodings.utf_8_sig
    numpy.random numpy.linalg numpy.typing numpy.lib.stride_tricks
"""
# Not loaded even when the whole library is: they open windows or pages, or print.
LEFT_OUT = {"antigravity", "this", "idlelib", "tkinter", "turtle", "turtledemo", "lib2to3", "test"}


def main(descriptor: int) -> None:
    """Serve over the given socket until the judge hangs up."""
    control = socket.socket(fileno=descriptor)
    (length,) = struct.unpack("<I", control.recv(4, socket.MSG_WAITALL))
    setup: dict[str, Any] = marshal.loads(control.recv(length, socket.MSG_WAITALL))
    if setup["version"] != sys.version:
        raise RuntimeError(f"another Python than the grader's was started: {sys.version}")
    load(setup)
    # While everything can still be opened: the dropped user may not look where Python lives.
    ruleset = locks.landlock_ruleset(setup["readable"]) if setup["landlock"] else -1
    if setup["user"] is not None:
        locks.drop_user(setup["user"])
    if sys.platform == "linux":
        locks.no_new_privileges()
    locked = child.Locks(
        ruleset=ruleset,
        program=setup["program"],
        placeholder=setup["placeholder"],
        processes=setup["processes"],
        server=os.getpid(),
    )
    if setup["landlock"]:
        locks.landlock_restrict(locked.ruleset)
    standins.install()
    np.random.seed(0)  # the students' global generator: the same for everyone
    gc.collect()
    gc.freeze()
    control.sendall(ANSWER.pack(os.getpid(), 0, 0.0))
    serve(control, locked)


def load(setup: dict[str, Any]) -> None:
    """Load what children need; the whole library where they will not be able to read it."""
    warnings.simplefilter("ignore")
    sys.path[:] = setup["path"]  # without the folder that NumPy lies in: nothing else from there
    sys.argv[:], sys.orig_argv[:] = [""], [""]
    os.environ.pop("LD_LIBRARY_PATH", None)  # it has done its work, and names a folder of ours
    names = WARM.split()
    if setup["user"] is not None and not _reachable(setup["user"]):
        names += sorted(set(sys.stdlib_module_names) - LEFT_OUT)
        names += [m.name for m in pkgutil.iter_modules(np.__path__, "numpy.")]
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):  # noqa: PTH123
        for name in names:
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _reachable(user: int) -> bool:
    os.seteuid(user)
    try:
        return all(
            os.access(path, os.R_OK, effective_ids=True) for path in (os.__file__, np.__file__)
        )
    finally:
        os.seteuid(0)


def serve(control: socket.socket, locked: child.Locks) -> None:
    """Answer the judge's orders, one child at a time."""
    pid = 0  # the child's, or minus the error number of a fork that failed
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, ORDER.size, 1)
        if len(message) != ORDER.size:  # the judge is gone
            if pid > 0:
                os.kill(pid, signal.SIGKILL)
            os._exit(0)
        order, *numbers = ORDER.unpack(message)
        if order == FORK:
            try:
                pid = os.fork()
            except OSError as error:
                pid = -(error.errno or 1)
            if pid == 0:
                child.main(descriptors[0], locked, *numbers)
            os.close(descriptors[0])
        else:
            ending = _reap(pid, numbers[0] / 1000) if pid > 0 else (0, 0.0)
            control.sendall(ANSWER.pack(pid, *ending))
            pid = 0


def _reap(pid: int, patience: float) -> tuple[int, float]:
    """Wait status and CPU seconds of the child, killed if it does not end by itself in time."""
    give_up = time.monotonic() + patience
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return status, usage.ru_utime + usage.ru_stime
        if time.monotonic() >= give_up:
            break
        time.sleep(0.0005)
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(pid, signal.SIGKILL)
    _, _, usage = os.wait4(pid, 0)
    return 0, usage.ru_utime + usage.ru_stime  # not its own end: the judge knows why it asked
