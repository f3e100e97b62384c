"""Grades on several machines through a Dask scheduler; the gradebook stays with this process.

A worker is given a seat only if its kit and its isolation are as here. Each has a few batches at a
time and no batch is left to the scheduler, so that a worker that goes away loses nothing: what it
had is given to others, and what it had sent is not asked for again.
"""

from __future__ import annotations

import logging
import secrets
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from grader import seat
from grader.batch import BatchError
from grader.intake import Submission
from grader.lesson import GradedLesson
from grader.marking import taken_in, unmarked
from grader.plain import from_json
from grader.sandbox.opening import probe_tier
from grader.verdict import Result

try:
    from distributed import Client, Future, wait
except ModuleNotFoundError as missing:
    raise BatchError("--cluster needs Dask: pip install 'dask[distributed]'") from missing

BATCH = 16  # submissions a message
AHEAD = 2  # batches given to a worker at a time, so that it never waits for the next
ATTEMPTS = 2
CONNECT_SECONDS = 20
NOBODY_SECONDS = 120.0  # without any worker
SEAT_SECONDS = 120
LOOK_SECONDS = 1.0  # between two looks at who is there
PLAIN = ["dask", "msgpack"]  # what may come back: never a pickle


@dataclass
class Work:
    """Some submissions, and how often a worker was lost or failed on them."""

    submissions: Sequence[Submission]
    failures: int = 0
    reason: str = ""


class Cluster:
    """The workers of a scheduler, on one lesson. Use as a context manager."""

    def __init__(self, address: str, lesson: GradedLesson, accept_weak: bool) -> None:
        self.lesson = lesson
        self._address = address
        self._order = seat.Order(
            secrets.token_hex(8), seat.pack(lesson.root), lesson.secret, accept_weak
        )
        self._wanted = seat.identity(lesson, probe_tier())
        self._given: dict[str, dict[Future, Work]] = {}  # by the address of a seated worker
        self._refused: dict[str, str] = {}
        self._again: deque[Work] = deque()
        self._looked = 0.0

    def __enter__(self) -> Cluster:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we say it in our own words
        try:
            self._client = Client(self._address, timeout=CONNECT_SECONDS, deserializers=PLAIN)
        except (OSError, ValueError) as error:
            raise BatchError(f"no Dask scheduler answers at {self._address} ({error})") from error
        try:
            self._look(first=True)
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            for given in self._given.values():
                self._client.cancel(list(given))
            self._client.run(seat.leave, self._order.run, workers=list(self._given))
        self._client.close()

    def run(self, paths: Iterable[str]) -> Iterator[Result]:
        """A result for every path, as they come."""
        unread: list[Result] = []
        waiting = self._batches(paths, unread)
        while True:
            self._look()
            self._hand_out(waiting)
            yield from unread
            unread.clear()
            if not any(self._given.values()) and not self._again:
                return
            yield from self._hear()

    def _batches(self, paths: Iterable[str], unread: list[Result]) -> Iterator[Work]:
        """Submissions, read here: the workers see bytes, not our files."""
        paths = iter(paths)
        while some := list(islice(paths, BATCH)):
            submissions = []
            for path in some:
                try:
                    submissions.append(taken_in(path, self.lesson))
                except Exception as error:
                    unread.append(unmarked(path, self.lesson, f"it could not be read: {error!r}"))
            if submissions:
                yield Work(submissions)

    def _hand_out(self, waiting: Iterator[Work]) -> None:
        for address, given in self._given.items():
            while len(given) < AHEAD:
                work = self._again.popleft() if self._again else next(waiting, None)
                if work is None:
                    return
                future = self._submit(address, seat.mark, self._order.run, work.submissions)
                given[future] = work

    def _hear(self) -> Iterator[Result]:
        """What has come back within a moment."""
        futures = {f: address for address, given in self._given.items() for f in given}
        if not futures:
            time.sleep(LOOK_SECONDS)
            return
        with suppress(TimeoutError):
            wait(list(futures), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")
        for future, address in futures.items():
            if future.status == "pending":
                continue
            work = self._given[address].pop(future)
            try:
                yield from self._results(future, address, work)
            except Exception as error:  # lost on its way, or not what was asked for
                yield from self._failed(work, f"{type(error).__name__}: {error}")
            future.release()

    def _results(self, future: Future, address: str, work: Work) -> list[Result]:
        answer = future.result(timeout=SEAT_SECONDS)
        if not answer:  # another run has taken the worker in between
            self._again.append(work)
            self._give_up(address)
            return []
        if answer[:1] != b"[":
            raise RuntimeError(seat.heard(answer).get("failed", "an answer that is none"))
        results = from_json(answer)
        asked = [submission.path for submission in work.submissions]
        if [result.submission for result in results] != asked:
            raise RuntimeError("results of other submissions than were sent")
        return results

    def _failed(self, work: Work, reason: str) -> Iterator[Result]:
        """Try each submission once more by itself; after that it is broken."""
        work = replace(work, failures=work.failures + 1, reason=reason)
        if work.failures < ATTEMPTS:
            self._again.extend(replace(work, submissions=[s]) for s in work.submissions)
            return
        for submission in work.submissions:
            result = unmarked(submission.path, self.lesson, reason)
            yield replace(result, student=submission.student)

    def _look(self, first: bool = False) -> None:
        """Seat who has come, take back the work of who has gone; raises BatchError if nobody."""
        if time.monotonic() - self._looked < LOOK_SECONDS and self._given:
            return
        patience = time.monotonic() + NOBODY_SECONDS
        while True:
            present = self._present()
            for address in set(self._given) - set(present):
                self._give_up(address)
            for address in present:
                if address not in self._given and address not in self._refused:
                    self._seat(address, first)
            self._looked = time.monotonic()
            if self._given:
                return
            if self._looked > patience:
                refused = "".join(f"; {reason}" for reason in self._refused.values())
                raise BatchError(f"the scheduler at {self._address} has no worker{refused}")
            time.sleep(LOOK_SECONDS)

    def _present(self) -> list[str]:
        try:
            return list(self._client.nthreads())
        except Exception as error:
            raise BatchError(
                f"the scheduler at {self._address} is gone ({error}); what is graded is safe, "
                "go on with --resume"
            ) from error

    def _seat(self, address: str, first: bool) -> None:
        """Give a worker its seat, or refuse it: at the start that ends the run."""
        future = self._submit(address, seat.take, self._order)
        try:
            said = seat.heard(future.result(timeout=SEAT_SECONDS))
        except Exception as error:
            if address not in self._present():
                return
            said = {"refused": f"it cannot load the kit ({error})"}
        reason = said.get("refused") or _unlike(said["facts"], self._wanted)
        if not reason:
            self._given[address] = {}
            return
        self._refused[address] = f"worker {address} is refused: {reason}"
        if first:
            raise BatchError(self._refused[address])
        print(self._refused[address], file=sys.stderr)

    def _give_up(self, address: str) -> None:
        """Take back what a worker had; its seat may be given anew."""
        given = self._given.pop(address)
        self._client.cancel(list(given))
        self._again.extend(given.values())

    def _submit(self, address: str, function: Any, *arguments: Any) -> Future:
        return self._client.submit(function, *arguments, workers=[address], pure=False)


def _unlike(facts: dict[str, str], wanted: dict[str, str]) -> str:
    """How a worker differs from this process, in words."""
    return ", ".join(
        f"{name} {facts.get(name, 'unknown')}, here {value}"
        for name, value in wanted.items()
        if facts.get(name) != value
    )
