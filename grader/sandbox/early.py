"""Fork servers that start while there is other work to do, for the workers that are to come."""

from typing import Self

from .forkserver import ForkServer
from .jail import AHEAD
from .opening import start_server


class EarlyServers:
    """Use as a context manager: what it started has ended when it ends.

    A worker is forked with the server that was taken for it. The process that forked it then lets
    that server go, and the worker those that `wait` for others, so that each hangs up alone.
    """

    def __init__(self, count: int) -> None:
        started = (start_server() for _ in range(min(count, AHEAD)))
        self.waiting: list[ForkServer] = [server for server in started if server is not None]
        self._taken: list[ForkServer] = []

    def take(self) -> ForkServer | None:
        """A server that nobody has taken yet, if there is one."""
        if not self.waiting:
            return None
        self._taken.append(self.waiting.pop())
        return self._taken[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for server in (*self.waiting, *self._taken):
            server.let_go()
        for server in (*self.waiting, *self._taken):
            server.close()
