"""Grades on several machines through a Dask scheduler; the gradebook stays with this process.

Each worker has a few batches at a time, and no batch is left to the scheduler, so that a worker
that goes away loses nothing: what it had is given to others, and what it had sent is not asked for
again.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from itertools import islice

from grader import seat
from grader.crew import LOOK_SECONDS, Crew, Future, wait
from grader.entry import Entry, EntryMaker, from_json
from grader.intake import Submission
from grader.lesson import GradedLesson
from grader.marking import taken_in, unmarked
from grader.rows import RowReader

BATCH = 16  # submissions a message
AHEAD = 2  # batches given to a worker at a time, so that it never waits for the next
ATTEMPTS = 2
FETCH_SECONDS = 60


@dataclass
class Work:
    """Some submissions, and how often a worker failed on them."""

    submissions: Sequence[Submission]
    failures: int = 0


class Cluster:
    """The workers of a scheduler, on one lesson. Use as a context manager."""

    def __init__(
        self, address: str, lesson: GradedLesson, maker: EntryMaker, accept_weak: bool
    ) -> None:
        self.lesson = lesson
        self.crew = Crew(address, lesson, maker.run, accept_weak)
        self._maker = maker
        self._rows = RowReader(maker.run["cases"])
        self._given: dict[str, dict[Future, Work]] = {}  # by the address of the worker
        self._again: deque[Work] = deque()

    def __enter__(self) -> Cluster:
        self.crew.join()
        return self

    def __exit__(self, *_: object) -> None:
        self.crew.leave([future for given in self._given.values() for future in given])

    def run(self, paths: Iterable[str]) -> Iterator[Entry]:
        """An entry for every path, as they come."""
        unread: list[Entry] = []
        waiting = self._batches(paths, unread)
        while True:
            self.crew.look()
            for address in set(self._given) - self.crew.seated:
                self._take_back(address)
            self._hand_out(waiting)
            yield from unread
            unread.clear()
            if not any(self._given.values()) and not self._again:
                return
            yield from self._hear()

    def _batches(self, paths: Iterable[str], unread: list[Entry]) -> Iterator[Work]:
        """Submissions, read here: the workers see bytes, not our files."""
        paths = iter(paths)
        while some := list(islice(paths, BATCH)):
            submissions = []
            for path in some:
                try:
                    submissions.append(taken_in(path, self.lesson))
                except Exception as error:
                    reason = f"it could not be read: {error!r}"
                    unread.append(self._maker.entry(unmarked(path, self.lesson, reason)))
            if submissions:
                yield Work(submissions)

    def _hand_out(self, waiting: Iterator[Work]) -> None:
        for address in self.crew.seated:
            given = self._given.setdefault(address, {})
            while len(given) < AHEAD:
                work = self._again.popleft() if self._again else next(waiting, None)
                if work is None:
                    return
                sent = pickle.dumps(work.submissions)
                future = self.crew.submit(address, "mark", self.crew.run, sent)
                given[future] = work

    def _take_back(self, address: str) -> None:
        given = self._given.pop(address)
        self.crew.cancel(given)
        self._again.extend(given.values())

    def _hear(self) -> Iterator[Entry]:
        """What has come back within a moment."""
        futures = {future: address for address, given in self._given.items() for future in given}
        if not futures:
            time.sleep(LOOK_SECONDS)
            return
        try:
            wait(list(futures), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        except CancelledError:  # as all are when the scheduler is lost, which is no fault of theirs
            self.crew.present()
            time.sleep(LOOK_SECONDS)
            return
        for future, address in futures.items():
            if future.done():
                yield from self._results(future, address)

    def _results(self, future: Future, address: str) -> Iterator[Entry]:
        work = self._given[address].pop(future)
        try:
            answer = future.result(timeout=FETCH_SECONDS)
            entries = self._checked(answer, work) if answer else []
        except CancelledError:
            self._again.append(work)
            return
        except Exception as error:  # lost on its way, or not what was asked for
            yield from self._failed(work, f"{type(error).__name__}: {error}")
            return
        if not answer:  # another run has taken the worker in between
            self._again.append(work)
            self.crew.unseat(address)
        yield from entries

    def _failed(self, work: Work, reason: str) -> Iterator[Entry]:
        """Try each submission once more by itself; after that it is broken."""
        failures = work.failures + 1
        if failures < ATTEMPTS:
            self._again.extend(Work([s], failures) for s in work.submissions)
            return
        for submission in work.submissions:
            result = unmarked(submission.path, self.lesson, reason)
            yield self._maker.entry(replace(result, student=submission.student))

    def _checked(self, answer: bytes, work: Work) -> list[Entry]:
        """The entries that a worker sent, if they are those of its batch."""
        if answer[:1] != b"[":
            raise RuntimeError(seat.heard(answer).get("failed", "an answer that is none"))
        entries = from_json(answer, self._rows)
        if [(e.submission, e.id) for e in entries] != [(s.path, s.id) for s in work.submissions]:
            raise RuntimeError("results of other submissions than were sent")
        return entries
