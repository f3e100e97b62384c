"""A sandbox with a fork server: has as many children run a submission as it takes.

Normally that is one. A call that hangs or kills its child costs that call only: the rest go on in a
fresh child, which loads the cells again.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Self

from ..outcome import Call, Cell, Load, Outcome
from .asked import Asked
from .attempt import attempt
from .forkserver import ForkServer, ServerError
from .jail import Tier
from .progress import Fault, Position, Progress

SUBMISSION_SECONDS = 120.0  # all children of one submission together
MOST_RETRIES = 2  # of one function or cell on a quiet machine: everybody waits for them
Quiet = Callable[[], AbstractContextManager[None]]

NO_TIME = Fault("timeout", "The submission as a whole had used up its time before this call.")


class ForkSandbox:
    """Runs submissions one after another; a fork server that dies is replaced.

    `quiet` is entered while a timeout is tried again: nobody else should run then.
    """

    def __init__(self, server: ForkServer, quiet: Quiet = nullcontext) -> None:
        """Waits until the server is up; raises ServerError."""
        server.wait()
        self.tier: Tier = server.tier
        self._quiet = quiet
        self._server: ForkServer | None = server
        self._asked = Asked(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the fork server and whatever runs in it."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def run(self, cells: Sequence[Cell], calls: Sequence[Call]) -> tuple[Load, list[Outcome]]:
        """Run the cells and then the calls, in order; one outcome a call."""
        if self._asked.calls is not calls:
            self._asked = Asked(calls)
        progress = Progress(cells, self._asked)
        give_up = time.monotonic() + SUBMISSION_SECONDS
        careful = patient = server_failed = False
        retried: Counter[str | int] = Counter()  # functions and cells, on a quiet machine
        quiet_for: Position | None = None
        while True:
            fault = self._attempt(progress, careful, patient, give_up, quiet_for)
            if fault is None or (progress.loaded and progress.done):
                break
            if time.monotonic() > give_up:
                progress.fill(NO_TIME)
                break
            if fault.status == "broken":
                self.close()
                if server_failed:
                    progress.fill(fault)
                    break
                server_failed = True
                continue
            at, suspect = progress.position, progress.suspect
            if fault.status == "timeout" and at != quiet_for and retried[suspect] < MOST_RETRIES:
                careful = patient = True  # once more, on a quiet machine
                quiet_for = at
                retried[suspect] += 1
            elif not careful:
                careful = True  # once more, to learn which call it was
            else:
                if at == quiet_for and fault.status == "timeout":
                    retried[suspect] = MOST_RETRIES
                quiet_for = None
                progress.charge(fault)
                if progress.done:
                    break
        return progress.load(), progress.outcomes

    def _attempt(
        self,
        progress: Progress,
        careful: bool,
        patient: bool,
        give_up: float,
        quiet_for: Position | None,
    ) -> Fault | None:
        """One attempt; on a quiet machine until it is past the given position."""
        with ExitStack() as room:

            def leave() -> None:
                if quiet_for is not None and progress.position > quiet_for:
                    room.close()

            try:
                if quiet_for is not None:
                    room.enter_context(self._quiet())
                if self._server is None:
                    self._server = ForkServer(self.tier)
                    self._server.wait()
                return attempt(self._server, progress, careful, patient, give_up, leave)
            except ServerError as error:
                return Fault("broken", str(error))
