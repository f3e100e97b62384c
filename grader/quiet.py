"""Lets one worker have the machine to itself for a moment, without anybody waiting for ever.

Two locks on bytes of a file without a name, which the system drops when their process dies: who
works holds the room shared; who wants quiet holds the door, so that nobody enters anew, and
takes the room alone.
"""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

DOOR, ROOM = 0, 1


class QuietRoom:
    """Made before workers are forked, and used by each of them.

    Workers that were not forked from one process share it by a `folder` that they agree on.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes]  # open until `close`
        if folder is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        else:
            self._file = (folder / "locks").open("a+b")

    def _lock(self, place: int, how: int) -> None:
        fcntl.lockf(self._file, how, 1, place)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work beside others; waits while somebody wants quiet."""
        self._lock(DOOR, fcntl.LOCK_SH)
        self._lock(ROOM, fcntl.LOCK_SH)
        self._lock(DOOR, fcntl.LOCK_UN)
        try:
            yield
        finally:
            self._lock(ROOM, fcntl.LOCK_UN)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Within `working`: wait until nobody else works, and keep it so."""
        self._lock(ROOM, fcntl.LOCK_UN)
        self._lock(DOOR, fcntl.LOCK_EX)
        self._lock(ROOM, fcntl.LOCK_EX)
        try:
            yield
        finally:
            self._lock(ROOM, fcntl.LOCK_SH)
            self._lock(DOOR, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let the file go."""
        self._file.close()
