"""Grades many submissions in worker processes; a worker that dies is replaced, nothing is lost.

Each worker holds the judge and a sandbox of its own. A submission on which a worker died or failed
is tried once more; after that it is `broken`, with the reason.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import cast

from grader.entry import Entry, EntryMaker
from grader.judge import Diagnose
from grader.lesson import GradedLesson
from grader.marking import mark, unmarked
from grader.outcome import Sandbox
from grader.quiet import QuietRoom
from grader.sandbox.early import EarlyServers
from grader.sandbox.forkserver import ForkServer

AHEAD = 2  # submissions given to a worker at a time, so that it never waits for the next
ATTEMPTS = 2
WAKE_SECONDS = 5.0
STUCK_SECONDS = 600.0  # the sandbox itself gives up on a submission long before
Quiet = Callable[[], AbstractContextManager[None]]
OpenSandbox = Callable[[Quiet, ForkServer | None], AbstractContextManager[Sandbox]]
"""Opens a worker's sandbox, with a server that was started before if there is one."""


class BatchError(Exception):
    """No worker can be started; the text says why."""


@dataclass(frozen=True)
class Failed:
    """What a worker says of a submission on which our own code failed."""

    reason: str


@dataclass(frozen=True)
class Unusable:
    """What a worker says when it cannot open its sandbox."""

    reason: str


@dataclass
class Worker:
    """A worker process, as the batch sees it."""

    process: BaseProcess
    connection: Connection
    given: deque[str] = field(default_factory=deque)
    ready: bool = False
    heard: float = field(default_factory=time.monotonic)


class Batch:
    """N workers on one lesson. Use as a context manager; workers start on entry."""

    def __init__(
        self,
        lesson: GradedLesson,
        open_sandbox: OpenSandbox,
        maker: EntryMaker,
        jobs: int,
        diagnose: Diagnose | None = None,
        early: EarlyServers | None = None,
    ) -> None:
        self.lesson = lesson
        self._open = open_sandbox
        self._maker = maker
        self._jobs = jobs
        self._diagnose = diagnose
        self._early = early or EarlyServers(0)
        self._context = multiprocessing.get_context("fork")  # the lesson need not be sent
        self._workers: list[Worker] = []
        self._waiting: Iterator[str] = iter(())
        self._again: deque[str] = deque()
        self._deaths = 0  # in a row, before a worker was ready

    def __enter__(self) -> Batch:
        self._room = QuietRoom()
        for _ in range(self._jobs):
            self._start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            if worker.given:  # in the middle of a submission: do not wait for it
                worker.process.terminate()
        for worker in self._workers:
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()
        self._room.close()

    def run(self, paths: Iterable[str]) -> Iterator[Entry]:
        """An entry for every path, as they come."""
        self._waiting = iter(paths)
        failures: Counter[str] = Counter()
        while self._hand_out():
            for path, message in self._hear():
                entry = message
                if isinstance(entry, Failed):
                    failures[path] += 1
                    if failures[path] < ATTEMPTS:
                        self._again.append(path)
                        continue
                    entry = self._maker.entry(unmarked(path, self.lesson, entry.reason))
                failures.pop(path, None)
                yield entry

    def _hand_out(self) -> bool:
        """Give every worker enough to do; False when all is done."""
        for worker in self._workers:
            while len(worker.given) < AHEAD:
                path = self._again.popleft() if self._again else next(self._waiting, None)
                if path is None:
                    break
                if not worker.given:
                    worker.heard = time.monotonic()
                worker.given.append(path)
                with suppress(OSError):  # a dead worker shows when we listen to it
                    worker.connection.send(path)
        return any(worker.given for worker in self._workers)

    def _hear(self) -> Iterator[tuple[str, Entry | Failed]]:
        """Wait for what the workers say of their submissions; replace the dead and the stuck."""
        workers = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(workers), timeout=WAKE_SECONDS):
            worker = workers[cast("Connection", connection)]
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                failed = self._replace(worker)
                blamed = worker.given.popleft() if worker.ready and worker.given else None
                self._again.extend(worker.given)
                if blamed is not None:
                    yield blamed, failed
                continue
            worker.heard = time.monotonic()
            if isinstance(message, Unusable):
                raise BatchError(message.reason)
            if message is None:
                worker.ready, self._deaths = True, 0
            else:
                yield worker.given.popleft(), message
        for worker in self._workers:
            if worker.given and time.monotonic() - worker.heard > STUCK_SECONDS:
                worker.process.kill()

    def _replace(self, worker: Worker) -> Failed:
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)
        reason = f"the worker ended with code {worker.process.exitcode}"
        if not worker.ready:
            self._deaths += 1
            if self._deaths > 2 * self._jobs:
                raise BatchError(f"no worker comes up: {reason}")
        self._start()
        return Failed(reason)

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        server = self._early.take()
        others = [ours.close, *(worker.connection.close for worker in self._workers)]
        others += [waiting.let_go for waiting in self._early.waiting]
        process = self._context.Process(
            target=_work,
            args=(
                *(theirs, others, self._room, server),
                *(self.lesson, self._open, self._maker, self._diagnose),
            ),
            daemon=True,
        )
        process.start()
        theirs.close()
        if server is not None:
            server.let_go()
        self._workers.append(Worker(process, ours))


def _work(
    connection: Connection,
    others: list[Callable[[], None]],
    room: QuietRoom,
    server: ForkServer | None,
    lesson: GradedLesson,
    open_sandbox: OpenSandbox,
    maker: EntryMaker,
    diagnose: Diagnose | None,
) -> None:
    """A worker's life: paths in, entries out, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is for the process that started us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # closes the sandbox on its way out
    for hang_up in others:  # else we would not notice when the batch is gone, nor they when we are
        hang_up()
    try:
        sandbox = open_sandbox(room.alone, server)
    except Exception as error:
        connection.send(Unusable(str(error)))
        return
    with sandbox as opened, suppress(EOFError, OSError):
        connection.send(None)
        while True:
            path = connection.recv()
            message: Entry | Failed
            try:
                with room.working():
                    message = maker.entry(mark(path, lesson, opened, diagnose))
            except Exception as error:
                message = Failed(f"{error!r} {''.join(traceback.format_tb(error.__traceback__))}")
            connection.send(message)
