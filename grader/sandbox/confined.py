"""A sandbox with a fork server: has as many children run a submission as it takes.

Normally that is one. A call that hangs or kills its child costs that call only: the rest go on in a
fresh child, which loads the cells again.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Self

from ..outcome import Call, Cell, Load, Outcome
from .attempt import attempt
from .forkserver import ForkServer, ServerError
from .jail import Tier
from .progress import Fault, Progress
from .wire import EncodedCalls

SUBMISSION_SECONDS = 300.0  # all children of one submission together
Quiet = Callable[[], AbstractContextManager[None]]

NO_TIME = Fault("timeout", "The submission as a whole had used up its time before this call.")


class ForkSandbox:
    """Runs submissions one after another; a fork server that dies is replaced.

    `quiet` is entered while a timeout is tried again: nobody else should run then.
    """

    def __init__(self, tier: Tier, quiet: Quiet = nullcontext) -> None:
        self.tier: Tier = tier
        self._quiet = quiet
        self._server: ForkServer | None = ForkServer(tier)
        self._encoded: tuple[Sequence[Call], EncodedCalls] = ((), EncodedCalls.of(()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the fork server and whatever runs in it."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def run(self, cells: Sequence[Cell], calls: Sequence[Call]) -> tuple[Load, list[Outcome]]:
        """Run the cells and then the calls, in order; one outcome a call."""
        progress = Progress(cells, calls)
        give_up = time.monotonic() + SUBMISSION_SECONDS
        careful = alone = patient = server_failed = False
        slow: set[str | int] = set()  # functions and cells that were too slow when alone, too
        while True:
            with self._quiet() if alone else nullcontext():
                fault = self._attempt(progress, careful, patient)
            if fault is None or (progress.loaded and progress.done):
                break
            if fault.status == "broken":
                self.close()
                if server_failed:
                    progress.fill(fault)
                    break
                server_failed = True
                continue
            suspect = progress.call.function if progress.loaded else progress.at_cell
            if fault.status == "timeout" and not alone and suspect not in slow:
                careful = alone = patient = True  # once more, on a quiet machine
            elif not careful:
                careful = True  # once more, to learn which call it was
            else:
                if fault.status == "timeout":
                    slow.add(suspect)
                alone = False
                progress.charge(fault)
                if time.monotonic() > give_up:
                    progress.fill(NO_TIME)
                if progress.done:
                    break
        return progress.load(), progress.outcomes

    def _attempt(self, progress: Progress, careful: bool, patient: bool) -> Fault | None:
        if self._encoded[0] is not progress.calls:
            self._encoded = (progress.calls, EncodedCalls.of(progress.calls))
        try:
            if self._server is None:
                self._server = ForkServer(self.tier)
            return attempt(self._server, progress, self._encoded[1], careful, patient)
        except ServerError as error:
            return Fault("broken", str(error))
