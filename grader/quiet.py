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
    """Shared by the workers of a run; each enters it through locks opened by itself."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="grader-")
        self._numbers: tuple[int, int] | None = None

    def _locks(self) -> tuple[int, int]:
        """Own descriptors of `door` and `room`: a lock belongs to the opened file."""
        if self._numbers is None:
            door, room = (Path(self._folder.name) / name for name in ("door", "room"))
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
        """Remove the lock files."""
        self._folder.cleanup()
