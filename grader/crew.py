"""The workers of a Dask scheduler that may mark a run: only those whose kit and isolation are ours.

Before a worker gets any work it takes its seat (see `grader.seat`) and says who it is. One that
differs is refused by name: at the start that ends the run, later it gets no work.
"""

from __future__ import annotations

import logging
import pickle
import secrets
import sys
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib import import_module
from operator import methodcaller
from typing import Any

from grader import seat
from grader.batch import BatchError
from grader.lesson import GradedLesson
from grader.sandbox.opening import probe_tier

try:
    from distributed import Client, Future, fire_and_forget, wait
except ModuleNotFoundError as missing:
    raise BatchError("--cluster needs Dask: pip install 'dask[distributed]'") from missing

__all__ = ["Crew", "Future", "wait"]
CONNECT_SECONDS = 20
NOBODY_SECONDS = 120.0  # without any worker
SEAT_SECONDS = 120
LOOK_SECONDS = 1.0  # between two looks at who is there
PLAIN = ["dask", "msgpack"]  # what may come back: never a pickle


class Crew:
    """`seated` are the addresses of the workers that may be given work."""

    def __init__(
        self, address: str, lesson: GradedLesson, facts: Mapping[str, Any], accept_weak: bool
    ) -> None:
        self.run = secrets.token_hex(8)
        self.seated: set[str] = set()
        self._address = address
        content = seat.pack(lesson.root)
        order = seat.Order(self.run, content, lesson.secret, dict(facts), accept_weak)
        self._order = pickle.dumps(order)
        self._wanted = seat.identity(lesson, probe_tier())
        self._modules: dict[str, Future] = {}  # `grader.seat`, as it is on each worker
        self._seating: dict[str, Future] = {}
        self._refused: dict[str, str] = {}
        self._looked = 0.0

    def join(self) -> None:
        """Connect, and seat every worker that is there; raises BatchError if one is refused."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we say it in our own words
        try:
            self._client = Client(self._address, timeout=CONNECT_SECONDS, deserializers=PLAIN)
        except (OSError, ValueError) as error:
            raise BatchError(f"no Dask scheduler answers at {self._address} ({error})") from error
        try:
            self.look()
            if self._refused:
                raise BatchError("; ".join(self._refused.values()))
        except BaseException:
            self.leave(())
            raise

    def leave(self, unwanted: Collection[Future]) -> None:
        """Give the seats up and go; what is unwanted need not be done."""
        with suppress(Exception):
            self._client.cancel(list(unwanted))
            for address in self.seated:  # at once, or when its last batch is done
                fire_and_forget(self.submit(address, "leave", self.run))
        self._client.close()

    def submit(self, address: str, name: str, *arguments: bytes | str) -> Future:
        """Have one worker, and no other, call a function of `grader.seat`.

        The function goes by name and what it is given as bytes: a task that a worker cannot read,
        for lack of our modules, would end the worker instead of coming back as an error.
        """
        if address not in self._modules:
            self._modules[address] = self._client.submit(
                import_module, "grader.seat", workers=[address], pure=False
            )
        call = methodcaller(name, *arguments)
        return self._client.submit(call, self._modules[address], workers=[address], pure=False)

    def cancel(self, futures: Collection[Future]) -> None:
        """What a worker had when it went; the scheduler need not keep it."""
        self._client.cancel(list(futures))

    def unseat(self, address: str) -> None:
        """Another run has taken the worker; it is seated again at the next look."""
        self.seated.discard(address)

    def look(self) -> None:
        """See who has come and who has gone; raises BatchError if nobody is left for long."""
        began = time.monotonic()
        if self.seated and began - self._looked < LOOK_SECONDS:
            return
        while True:
            present = self.present()
            self.seated &= present
            self._modules = {a: f for a, f in self._modules.items() if a in present}
            self._seating = {a: f for a, f in self._seating.items() if a in present}
            for address in present - self.seated - set(self._seating) - set(self._refused):
                self._seating[address] = self.submit(address, "take", self._order)
            for address, future in list(self._seating.items()):
                # With nobody seated there is time to wait; else only look who is ready.
                if not self.seated or not self._looked or future.done():
                    self._admit(address, self._seating.pop(address))
            if self.seated:
                break
            if time.monotonic() - began > NOBODY_SECONDS or (self._refused and not self._looked):
                refused = "".join(f"; {reason}" for reason in self._refused.values())
                raise BatchError(f"the scheduler at {self._address} has no worker{refused}")
            time.sleep(LOOK_SECONDS)
        self._looked = time.monotonic()

    def present(self) -> set[str]:
        """The workers that the scheduler has; raises BatchError if it is gone itself."""
        try:
            return set(self._client.nthreads())
        except Exception as error:
            raise BatchError(
                f"the scheduler at {self._address} is gone ({error}); what is graded is safe, "
                "go on with --resume"
            ) from error

    def _admit(self, address: str, future: Future) -> None:
        try:
            said = seat.heard(future.result(timeout=SEAT_SECONDS))
        except Exception as error:
            if address not in self.present():
                return
            said = {"refused": f"it cannot take part ({type(error).__name__}: {error})"}
        reason = said.get("refused") or _unlike(said["facts"], self._wanted)
        if not reason:
            self.seated.add(address)
            return
        self._refused[address] = f"worker {address} is refused: {reason}"
        if self._looked:  # else the run ends with it
            print(self._refused[address], file=sys.stderr)


def _unlike(facts: dict[str, str], wanted: dict[str, str]) -> str:
    """How a worker differs from this process, in words."""
    return ", ".join(
        f"{name} {facts.get(name, 'unknown')}, here {value}"
        for name, value in wanted.items()
        if facts.get(name) != value
    )
