"""Lets one worker have the machine to itself for a moment, without anybody waiting for ever.

Two file locks, which the system drops when their process dies: who works holds `room` shared; who
wants quiet holds `door`, so that nobody enters anew, and takes `room` alone.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class QuietRoom:
    """Shared by the workers of a run; each enters it through locks opened by itself.

    Workers that were not forked from one process share it by a `folder` that they agree on.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._own: tempfile.TemporaryDirectory[str] | None = None
        if folder is None:
            self._own = tempfile.TemporaryDirectory(prefix="grader-")
            folder = Path(self._own.name)
        self._folder = folder
        self._numbers: tuple[int, int] | None = None

    def _locks(self) -> tuple[int, int]:
        """Own descriptors of `door` and `room`: a lock belongs to the opened file."""
        if self._numbers is None:
            door, room = (self._folder / name for name in ("door", "room"))
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            self._numbers = os.open(door, flags, 0o600), os.open(room, flags, 0o600)
        return self._numbers

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work beside others; waits while somebody wants quiet."""
        door, room = self._locks()
        fcntl.flock(door, fcntl.LOCK_SH)
        fcntl.flock(room, fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Within `working`: wait until nobody else works, and keep it so."""
        door, room = self._locks()
        fcntl.flock(room, fcntl.LOCK_UN)
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(room, fcntl.LOCK_SH)
            fcntl.flock(door, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the locks; remove their files, if they are this process's own."""
        for number in self._numbers or ():
            os.close(number)
        self._numbers = None
        if self._own is not None:
            self._own.cleanup()
