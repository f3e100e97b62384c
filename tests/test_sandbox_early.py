"""Servers that start early: each worker has its own, and none outlives its run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from grader.batch import Batch
from grader.lesson import load_graded_lesson
from grader.outcome import Call, Cell
from grader.sandbox import open_sandbox
from grader.sandbox.early import EarlyServers
from grader.sandbox.forkserver import ForkServer, ServerError
from grader.sandbox.jail import AHEAD, launch
from grader.sandbox.opening import probe_tier, start_server
from tests.entries import maker, results
from tests.test_grader_batch import real
from tests.tiny_class import TINY, write_class


@pytest.fixture(autouse=True, scope="module")
def usable() -> None:
    """Servers that start early are those of the tier that is there, as ever but on odd machines."""
    server = start_server()
    if server is None:
        pytest.skip("no locked tier here")
    server.close()
    if server.tier != probe_tier():
        pytest.skip("bwrap is there, but cannot be used")


def alive(server: ForkServer) -> bool:
    return server._process.poll() is None


def wait_for(what: Callable[[], bool]) -> bool:
    patience = time.monotonic() + 30
    while not what() and time.monotonic() < patience:
        time.sleep(0.02)
    return what()


def test_what_nobody_took_ends_with_the_block() -> None:
    with EarlyServers(2) as early:
        servers = list(early.waiting)
        assert len(servers) == 2
        assert all(map(alive, servers))
    assert not any(map(alive, servers))
    assert EarlyServers(0).take() is None


def test_no_more_than_a_process_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr("grader.sandbox.early.start_server", lambda: started.append("one"))
    EarlyServers(99)
    assert len(started) == AHEAD


def test_a_server_that_was_started_before_is_the_one_that_is_used() -> None:
    with EarlyServers(1) as early:
        server = early.take()
        with open_sandbox(server=server) as sandbox:
            assert sandbox._server is server
            _, (outcome,) = sandbox.run(
                [Cell("a", b"def f():\n    return 1")], [Call("c", "f", ())]
            )
    assert outcome.status == "returned"


def test_workers_take_the_early_servers_and_leave_none(tmp_path: Path) -> None:
    lesson = load_graded_lesson(TINY)
    folder = write_class(tmp_path / "class", 6)
    with EarlyServers(3) as early:
        servers = list(early.waiting)
        with Batch(lesson, real, maker(lesson), 2, None, early) as batch:
            found = results(batch.run(sorted(map(str, folder.iterdir()))), lesson)
            assert len(early.waiting) == 1
        # The workers have gone, and only they held the other end.
        assert wait_for(lambda: [alive(s) for s in servers] == [True, False, False])
    assert not any(map(alive, servers))
    assert "broken" not in {r.status for r in found}
    assert len(found) == 6


def test_a_server_that_does_not_come_up_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.jail.START", "import sys; sys.exit('no room {}')")
    server = ForkServer("C")
    with pytest.raises(ServerError, match="did not start: no room"):
        server.wait()


def test_each_server_has_a_user_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can choose")
    of = {pid: users(pid, monkeypatch) for pid in (2000, 2001, 2002, 2500, 3000, 4000)}
    assert all(len(set(own)) == AHEAD for own in of.values())
    first = [own[0] for own in of.values()]
    assert len(set(first)) == len(first)


def users(pid: int, monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The users of the servers that a process starts, the first one first."""
    monkeypatch.setattr("os.getpid", lambda: pid)
    monkeypatch.setattr("grader.sandbox.jail._count", count())
    return [launch("B", 3).user for _ in range(AHEAD)]
