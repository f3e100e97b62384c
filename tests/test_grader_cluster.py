"""Grading through a real Dask scheduler and workers on the loopback; on the tiny lesson."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader import seat
from grader.__main__ import main
from grader.batch import BatchError
from grader.entry import Entry, from_json, to_json
from grader.gradebook import Gradebook
from grader.grading import run_facts
from grader.intake import take_in
from grader.lesson import GradedLesson, load_graded_lesson
from grader.rows import RowReader
from grader.sandbox.opening import probe_tier
from tests.entries import maker, results

distributed = pytest.importorskip("distributed")
cluster = importlib.import_module("grader.cluster")
crew = importlib.import_module("grader.crew")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ROOT = Path(__file__).parent.parent
FIXTURES = Path(__file__).parent / "fixtures"
TINY = FIXTURES / "tiny"
RIGHT, HALF, NOTHING = (
    (FIXTURES / "smoothing" / f"{name}.py").read_text() for name in ("right", "half", "nothing")
)
COUNT = 150
LOCAL = ["--host", "127.0.0.1", "--no-dashboard"]


class Site:
    """A scheduler, and workers that are started and killed as a test needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        command = [*self._dask("scheduler"), "--port", "0", "--scheduler-file", str(self._file)]
        self.scheduler = self._start([*command, *LOCAL])
        self._wait(self._file.exists)

    def _dask(self, name: str) -> list[str]:
        return [sys.executable, "-m", f"distributed.cli.dask_{name}"]

    def _start(self, command: list[str], **environment: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def address(self) -> str:
        return str(json.loads(self._file.read_text())["address"])

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """A worker that has joined the scheduler."""
        command = [*self._dask("worker"), "--scheduler-file", str(self._file), "--no-nanny"]
        with distributed.Client(self.address, set_as_default=False) as client:
            before = len(client.nthreads())
            worker = self._start([*command, "--nthreads", "1", *LOCAL], **environment)
            self.workers.append(worker)
            self._wait(lambda: len(client.nthreads()) > before)
        return worker

    def dismiss(self) -> None:
        """End all workers, and wait until the scheduler has noticed."""
        for worker in self.workers:
            worker.kill()
            worker.wait()
        self.workers.clear()
        with distributed.Client(self.address, set_as_default=False) as client:
            self._wait(lambda: not client.nthreads())

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    @staticmethod
    def _wait(until: Callable[[], Any]) -> None:
        patience = time.monotonic() + 120
        while not until():
            assert time.monotonic() < patience
            time.sleep(0.1)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("dask"))
    yield site
    site.close()


@pytest.fixture
def site(scheduler: Site) -> Iterator[Site]:
    yield scheduler
    scheduler.dismiss()


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(TINY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class; each submission takes a moment, so that a run lasts."""
    folder = tmp_path_factory.mktemp("class")
    for number in range(COUNT):
        source = (RIGHT, HALF, NOTHING)[number % 3]
        (folder / f"{number:03}.py").write_text(f"import time\ntime.sleep(0.02)\n{source}")
    return folder


def paths(folder: Path) -> list[str]:
    return sorted(map(str, folder.iterdir()))


def opened(site: Site, lesson: GradedLesson) -> Any:
    return cluster.Cluster(site.address, lesson, maker(lesson), accept_weak=False)


def test_same_marks_as_here(site: Site, folder: Path, tmp_path: Path) -> None:
    site.worker()
    words = ["grade", str(folder), "--lesson", str(TINY), "--out"]
    assert main([*words, str(tmp_path / "far"), "--cluster", site.address]) == 0
    assert main([*words, str(tmp_path / "near")]) == 0
    far, near = ((tmp_path / out / "grades.csv").read_bytes() for out in ("far", "near"))
    assert far == near
    assert far.count(b"\n") == COUNT + 1
    assert len(list((tmp_path / "far" / "feedback").iterdir())) == 2 * COUNT


def feedback(out: Path) -> dict[str, tuple[Any, list[str]]]:
    """What students read of a run: the data, the page's lines, without time and version."""
    told = {}
    for file in (out / "feedback").glob("*.json"):
        data = json.loads(file.read_text("utf-8"))
        del data["provenance"]
        page = file.with_suffix(".html").read_text("utf-8")
        told[file.name] = data, [line for line in page.splitlines() if "<footer>" not in line]
    return told


def test_same_feedback_as_here(site: Site, tmp_path: Path) -> None:
    """On the kit's own lesson: its faults say which section to reread."""
    site.worker()
    variants = ROOT / "tests" / "submissions" / "variants" / "scores"
    words = ["grade", str(variants), "--out"]
    assert main([*words, str(tmp_path / "far"), "--cluster", site.address]) == 0
    assert main([*words, str(tmp_path / "near")]) == 0
    far, near = feedback(tmp_path / "far"), feedback(tmp_path / "near")
    assert far == near
    assert any("Reread section" in str(data) for data, _ in far.values())


def test_a_killed_worker_loses_and_doubles_nothing(
    site: Site, folder: Path, lesson: GradedLesson
) -> None:
    first = site.worker()
    site.worker()
    with opened(site, lesson) as workers:
        entries: list[Entry] = []
        for entry in workers.run(paths(folder)):
            if not entries:
                first.send_signal(signal.SIGKILL)
            entries.append(entry)
    assert sorted(entry.submission for entry in entries) == paths(folder)
    found = results(entries, lesson)
    assert {result.status for result in found} == {"graded", "partial"}
    assert sum(r.earned or 0 for r in found) == COUNT / 3 * (10 + 6)


def test_a_run_outlives_all_its_workers(site: Site, folder: Path, lesson: GradedLesson) -> None:
    only = site.worker()
    with opened(site, lesson) as workers:
        entries: list[Entry] = []
        for entry in workers.run(paths(folder)):
            if not entries:
                only.send_signal(signal.SIGKILL)
                only.wait()
                site.worker()
            entries.append(entry)
    assert sorted(entry.submission for entry in entries) == paths(folder)
    assert "broken" not in {result.status for result in results(entries, lesson)}


def test_without_its_scheduler_a_run_ends_and_can_be_resumed(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = Site(tmp_path)
    own.worker()
    run = cluster.Cluster.run

    def cut_off(self: Any, paths: Iterable[str]) -> Iterator[Entry]:
        for number, entry in enumerate(run(self, paths)):
            if number == 0:
                own.scheduler.kill()
            yield entry

    monkeypatch.setattr(cluster.Cluster, "run", cut_off)
    out = tmp_path / "results"
    words = ["grade", str(folder), "--lesson", str(TINY), "--out", str(out)]
    assert main([*words, "--cluster", own.address]) == 2
    assert "is gone" in capsys.readouterr().err
    own.close()
    with Gradebook.read(out) as book:
        assert 0 < book.unfinished < COUNT
    assert main([*words, "--resume"]) == 0
    assert (out / "grades.csv").read_bytes().count(b"\n") == COUNT + 1


def test_two_runs_share_a_worker(site: Site, folder: Path, lesson: GradedLesson) -> None:
    site.worker()
    with opened(site, lesson) as workers:
        entries = iter(workers.run(paths(folder)))
        mine = [next(entries)]
        with opened(site, lesson) as others:
            yours = list(others.run(paths(folder)[:5]))
        mine += entries
    assert sorted(entry.submission for entry in mine) == paths(folder)
    assert sorted(entry.submission for entry in yours) == paths(folder)[:5]
    assert "broken" not in {result.status for result in results(mine + yours, lesson)}


def other_code(folder: Path) -> dict[str, str]:
    rooms = ("grader", "challenges", "questions", "reference")
    for room in rooms:
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, folder / room, ignore=skip)
    with (folder / "grader" / "verdict.py").open("a") as file:
        file.write("# other\n")
    return {"PYTHONPATH": str(folder)}


def other_version(folder: Path) -> dict[str, str]:
    (folder / "attention_kit-9.9.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: attention-kit\nVersion: 9.9\n"
    (folder / "attention_kit-9.9.dist-info" / "METADATA").write_text(metadata)
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def broken_kit(folder: Path) -> dict[str, str]:
    (folder / "grader").mkdir()
    (folder / "grader" / "__init__.py").touch()
    return {"PYTHONPATH": str(folder)}


def no_bwrap(folder: Path) -> dict[str, str]:
    if probe_tier() != "A":
        pytest.skip("no stronger tier here than the worker's")
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("unlike", "says"),
    [
        (other_version, "kit 9.9, here "),
        (other_code, "grader code "),
        (broken_kit, "it cannot take part (ModuleNotFoundError: No module named 'grader.seat')"),
        (no_bwrap, "isolation tier B, here A"),
    ],
)
def test_an_unlike_worker_is_refused_by_name(
    site: Site,
    tmp_path: Path,
    lesson: GradedLesson,
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    unlike: Callable[[Path], dict[str, str]],
    says: str,
) -> None:
    site.worker(**unlike(tmp_path))
    words = ["grade", str(folder), "--lesson", str(TINY), "--out", str(tmp_path / "out")]
    assert main([*words, "--cluster", site.address]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert "worker tcp://127.0.0.1:" in said


def test_an_unlike_worker_that_comes_later_gets_no_work(
    site: Site, tmp_path: Path, lesson: GradedLesson, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.py").write_text(RIGHT)
    site.worker()
    with opened(site, lesson) as workers:
        site.worker(**other_version(tmp_path))
        said: list[str] = []
        while not any(said):  # it says so as soon as it has looked and been answered
            time.sleep(0.2)
            workers.crew.look()
            said.append(capsys.readouterr().err)
        assert len(workers.crew.seated) == 1
        (entry,) = workers.run([str(tmp_path / "one.py")])
    assert entry.earned == 10
    assert "is refused: kit 9.9, here" in said[-1]


def test_only_plain_data_comes_back(site: Site, lesson: GradedLesson) -> None:
    site.worker()
    with opened(site, lesson) as workers:
        (address,) = workers.crew.seated
        assert workers.crew.submit(address, "mark", "no run", b"").result(timeout=60) == b""
        with pytest.raises(TypeError, match="deserialize"):
            workers.crew.submit(address, "Path", "a pickled thing").result(timeout=60)


def test_nobody_there(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setattr(crew, "CONNECT_SECONDS", 1)
    words = ["grade", str(folder), "--lesson", str(TINY), "--out", str(tmp_path)]
    assert main([*words, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err


def test_a_scheduler_without_workers(
    site: Site, lesson: GradedLesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "NOBODY_SECONDS", 0.1)
    with (
        pytest.raises(BatchError, match="has no worker"),
        opened(site, lesson),
    ):
        pass


def test_without_dask(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in ("grader.cluster", "grader.crew"):
        monkeypatch.delitem(sys.modules, name)
    words = ["grade", str(folder), "--lesson", str(TINY), "--out", str(tmp_path)]
    assert main([*words, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "--cluster needs Dask" in capsys.readouterr().err


def test_a_seat_marks_and_its_results_survive_the_way(lesson: GradedLesson, folder: Path) -> None:
    facts = run_facts(lesson)
    order = seat.Order("0123", seat.pack(lesson.root), None, facts, accept_weak=False)
    said = seat.heard(seat.take(pickle.dumps(order)))
    assert said["facts"]["isolation tier"] in {"A", "B"}
    assert said["facts"]["lesson's reference"] == lesson.hashes["reference"][:12]
    submissions = pickle.dumps([take_in(path, lesson.hand_in) for path in paths(folder)[:3]])
    answer = seat.mark("0123", submissions)
    entries = from_json(answer, RowReader(facts["cases"]))
    assert [e.earned for e in entries] == [10, 6, 0]
    assert to_json(entries) == answer
    assert seat.mark("another run", submissions) == b""
    seat.leave("0123")
    assert seat.mark("0123", submissions) == b""


def test_work_cut_off_with_its_scheduler_has_not_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """All futures are cancelled then, sometimes before the loss itself is noticed."""

    def cancelled(*_: object, **__: object) -> None:
        raise CancelledError

    def gone() -> set[str]:
        raise BatchError("the scheduler is gone")

    class Lost:
        result = staticmethod(cancelled)

    work = cluster.Work([])
    marker: Any = cluster.Cluster.__new__(cluster.Cluster)
    marker._given, marker._again = {"worker": {Lost(): work}}, deque()
    marker.crew = SimpleNamespace(present=gone)
    monkeypatch.setattr(cluster, "wait", cancelled)
    with pytest.raises(BatchError, match="is gone"):
        list(marker._hear())
    (future,) = marker._given["worker"]
    assert list(marker._results(future, "worker")) == []
    assert list(marker._again) == [work]
    assert work.failures == 0
