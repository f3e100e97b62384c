"""Workers: replaced when they die, results the same in any order and with any number of them."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal

import pytest

import grader.batch
from grader.batch import Batch, BatchError, Quiet
from grader.gradebook import GRADES, Gradebook
from grader.grading import grade_all, run_facts
from grader.lesson import GradedLesson, load_graded_lesson
from grader.outcome import Call, Cell, Load, Outcome, Sandbox
from grader.quiet import QuietRoom
from grader.sandbox import open_sandbox
from grader.sandbox.forkserver import ForkServer
from grader.verdict import Result
from tests.entries import maker, results
from tests.tiny_class import KINDS, SCORES, TINY, write_class


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(TINY)


class ScriptedSandbox:
    """Does to its worker what the first line of the source says."""

    tier: Literal["A"] = "A"

    def __init__(self, marks: Path) -> None:
        self.marks = marks

    def __enter__(self) -> ScriptedSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, cells: Sequence[Cell], calls: Sequence[Call]) -> tuple[Load, list[Outcome]]:
        word, _, name = cells[0].source.decode().split("\n")[0].removeprefix("# ").partition(" ")
        first = not (self.marks / name).exists()
        (self.marks / name).touch()
        if word == "die" or (word == "die-once" and first):
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "fail" or (word == "fail-once" and first):
            raise RuntimeError("a mistake of ours")
        if word == "hang" or (word == "hang-once" and first):
            signal.pause()
        return Load(), [Outcome("timeout")] * len(calls)


def scripted(
    lesson: GradedLesson, folder: Path, words: Sequence[str], jobs: int
) -> dict[str, Result]:
    marks = folder / "marks"
    marks.mkdir()
    paths = []
    for number, word in enumerate(words):
        path = folder / f"{number:02d}-{word}.py"
        path.write_text(f"# {word} {number}\n")
        paths.append(str(path))

    def opened(quiet: Quiet, server: ForkServer | None) -> AbstractContextManager[Sandbox]:
        return ScriptedSandbox(marks)

    with Batch(lesson, opened, maker(lesson), jobs) as batch:
        entries = list(batch.run(paths))
    assert sorted(e.submission for e in entries) == paths  # each once
    return {Path(r.submission).stem: r for r in results(entries, lesson)}


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_worker_that_dies_costs_nobody_else(
    lesson: GradedLesson, tmp_path: Path, jobs: int
) -> None:
    words = ["well", "die", "well", "die-once", "well", "fail", "fail-once", "well", "die", "well"]
    found = scripted(lesson, tmp_path, words, jobs)
    for name, result in found.items():
        ours = name.endswith(("die", "fail"))
        assert result.status == ("broken" if ours else "partial")
        assert (result.earned is None) == ours
    assert "ended with code -9" in found["01-die"].reason
    assert "a mistake of ours" in found["05-fail"].reason


def test_a_worker_that_hangs_is_replaced(
    lesson: GradedLesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader.batch, "STUCK_SECONDS", 0.3)
    monkeypatch.setattr(grader.batch, "WAKE_SECONDS", 0.1)
    found = scripted(lesson, tmp_path, ["well", "hang", "hang-once", "well"], 2)
    assert [r.status for _, r in sorted(found.items())] == [
        "partial",
        "broken",
        "partial",
        "partial",
    ]


def test_no_sandbox_stops_the_run_with_the_reason(lesson: GradedLesson, tmp_path: Path) -> None:
    def opened(quiet: Quiet, server: ForkServer | None) -> AbstractContextManager[Sandbox]:
        raise RuntimeError("no locks here")

    with (
        Batch(lesson, opened, maker(lesson), 2) as batch,
        pytest.raises(BatchError, match="no locks here"),
    ):
        list(batch.run([str(write_class(tmp_path / "class", 1))]))


def test_workers_that_never_come_up_stop_the_run(lesson: GradedLesson, tmp_path: Path) -> None:
    def opened(quiet: Quiet, server: ForkServer | None) -> AbstractContextManager[Sandbox]:
        os._exit(7)

    with (
        Batch(lesson, opened, maker(lesson), 2) as batch,
        pytest.raises(BatchError, match="no worker comes up: the worker ended with code 7"),
    ):
        list(batch.run([str(write_class(tmp_path / "class", 1))]))


def test_any_order_and_any_number_of_workers(lesson: GradedLesson, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", 21)
    paths = sorted(map(str, folder.iterdir()))
    written = []
    for run, (jobs, given) in enumerate([(1, paths), (3, paths[::-1]), (2, paths[7:] + paths[:7])]):
        with Gradebook.start(tmp_path / f"results-{run}", run_facts(lesson)) as book:
            book.enrol(given)
            grade_all(
                lesson,
                book,
                lambda making, total, n=jobs: Batch(lesson, real, making, n),  # type: ignore[misc]
            )
            written.append(book.write_grades().read_bytes())
    assert written[0] == written[1] == written[2]
    rows = written[0].decode().splitlines()[1:]
    assert [row.split(",")[3] for row in rows] == [SCORES[k] for k in KINDS] * 3
    assert (tmp_path / "results-0" / GRADES).read_bytes() == written[0]


def real(quiet: Quiet, server: ForkServer | None) -> AbstractContextManager[Sandbox]:
    return open_sandbox(quiet=quiet, server=server)


def another(room: QuietRoom, alone: bool) -> tuple[int, int]:
    """Another process that enters the room: its id, and a pipe that ends when it is in."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with room.working(), room.alone() if alone else nullcontext():
            os.close(writing)
            os._exit(0)
    os.close(writing)
    return child, reading


def is_in(reading: int, seconds: float) -> bool:
    return bool(select.select([reading], [], [], seconds)[0])


@pytest.mark.parametrize("other_alone", [False, True])
def test_quiet_keeps_others_out_for_a_while(other_alone: bool) -> None:
    room = QuietRoom()
    with room.working():
        with room.alone():
            child, reading = another(room, other_alone)
            assert not is_in(reading, 0.2)
        assert is_in(reading, 0.2) != other_alone  # beside us, but not alone
    assert is_in(reading, 10)
    os.close(reading)
    os.waitpid(child, 0)
    room.close()
