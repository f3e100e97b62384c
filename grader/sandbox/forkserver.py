"""A running fork server, as the judge's process sees it: start, fork a child, collect it, stop."""

import contextlib
import marshal
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from ..outcome import Limits
from .filter import PLACEHOLDER, build
from .inside import locks, server
from .jail import Tier, launch

START_SECONDS = 30.0
ANSWER_SECONDS = 10.0


class ServerError(Exception):
    """The fork server did not start, or is gone; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: the signal that ended it, if it was not the server's; CPU seconds."""

    signal: int
    cpu_seconds: float
    fork_error: int = 0


class ForkServer:
    """One fork server process; children run one at a time.

    It starts while its maker does other things; `wait` for it before the first child.
    """

    def __init__(self, tier: Tier) -> None:
        """Raises ServerError if it cannot be started at all."""
        self.tier = tier
        self._collecting = self._ready = False
        self._control, theirs = socket.socketpair()
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is ready
        with theirs:
            start = launch(tier, theirs.fileno())
            try:
                self._process = subprocess.Popen(
                    start.command,
                    env=start.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._complaints,
                    pass_fds=[theirs.fileno()],
                    cwd="/",
                    start_new_session=True,  # the operator's ^C is for the judge alone
                )
            except OSError as error:
                self._control.close()
                self._complaints.close()
                reason = f"{start.command[0]} cannot be started ({error.strerror})"
                raise ServerError(reason) from error
        setup = marshal.dumps(
            {
                "version": sys.version,
                "path": start.path,
                "readable": start.readable,
                "user": start.user,
                "processes": 0 if tier == "C" else start.processes,
                "landlock": tier != "C",
                "program": b"" if tier == "C" else build().program,
                "placeholder": PLACEHOLDER,
            }
        )
        self._control.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):  # one that has ended already says why to who waits
            self._control.sendall(struct.pack("<I", len(setup)) + setup)

    def wait(self) -> None:
        """Wait until the server can fork children. Raises ServerError, which says what it said."""
        if self._ready:
            return
        try:
            self._receive()
        except (OSError, ServerError) as error:
            self._control.close()
            self._end()
            self._complaints.seek(0)
            said = self._complaints.read(4000).decode("utf-8", "replace").strip()
            last = said.splitlines()[-1] if said else str(error)
            raise ServerError(f"the fork server did not start: {last}") from error
        finally:
            self._complaints.close()
        self._control.settimeout(ANSWER_SECONDS)
        self._ready = True

    def fork(self, limits: Limits, careful: bool) -> socket.socket:
        """Start a child; the judge's end of its channel. Raises ServerError."""
        self.settle()
        ours, theirs = socket.socketpair()
        with theirs:
            order = server.ORDER.pack(
                server.FORK, limits.cpu_seconds, limits.memory_mib, limits.output_kib, careful
            )
            try:
                socket.send_fds(self._control, [order], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise ServerError(f"the fork server is gone: {error}") from error
        return ours

    def collect(self, patience: float = 0.0) -> Ending:
        """How the child ended, which is killed if it still runs after so many seconds.

        Raises ServerError.
        """
        self.dismiss(patience)
        return self._ending()

    def dismiss(self, patience: float = 0.0) -> None:
        """Have the child collected, without waiting for it. Raises ServerError."""
        try:
            order = server.ORDER.pack(server.REAP, int(1000 * patience), 0, 0, 0)
            self._control.sendall(order)
        except OSError as error:
            raise ServerError(f"the fork server is gone: {error}") from error
        self._collecting = True

    def settle(self) -> None:
        """Wait until a dismissed child is gone. Raises ServerError."""
        if self._collecting:
            self._ending()

    def _ending(self) -> Ending:
        self._collecting = False
        pid, status, seconds = self._receive()
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        return Ending(killed, seconds, max(0, -pid))

    def _receive(self) -> tuple[int, int, float]:
        try:
            answer = self._control.recv(server.ANSWER.size, socket.MSG_WAITALL)
        except OSError as error:
            raise ServerError(f"the fork server does not answer: {error}") from error
        if len(answer) != server.ANSWER.size:
            raise ServerError("the fork server is gone")
        pid, status, seconds = server.ANSWER.unpack(answer)
        return pid, status, seconds

    def close(self) -> None:
        """Stop the server and everything in its jail; only who started it can wait for its end."""
        self.let_go()
        self._end()

    def let_go(self) -> None:
        """Hang up, and no more: the server ends itself, with its child, once everyone has who was
        forked from the process that started it."""
        self._control.close()
        self._complaints.close()

    def _end(self) -> None:
        try:
            self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def missing(tier: Tier) -> list[str]:
    """What this machine plainly lacks for a tier; empty if the tier is worth trying."""
    if tier == "C":
        return []
    reasons = []
    if not locks.landlock_version():
        reasons.append("the kernel offers no Landlock")
    if reason := build().reason:
        reasons.append(f"libseccomp cannot be used ({reason})")
    if tier == "A" and shutil.which("bwrap") is None:
        reasons.append("bwrap is not installed")
    return reasons
