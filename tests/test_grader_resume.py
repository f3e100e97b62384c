"""Nothing graded is lost: runs killed at any moment, stopped by ^C, or out of disk are resumed."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from grader.__main__ import main
from grader.gradebook import FILE, GRADES, Gradebook, GradebookError
from grader.grading import run_facts
from grader.lesson import load_graded_lesson
from tests.tiny_class import TINY, write_class

ROOT = Path(__file__).resolve().parent.parent


def command(folder: Path, out: Path, *more: str) -> list[str]:
    words = [sys.executable, "-m", "grader", "grade", str(folder), "--out", str(out)]
    return [*words, "--lesson", str(TINY), "--jobs", "2", *more]


@contextmanager
def grading(folder: Path, out: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own; whatever it leaves behind is a failure."""
    process = subprocess.Popen(
        command(folder, out, *more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()
        deadline = time.monotonic() + 20
        while (left := session(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left


def session(leader: int) -> list[psutil.Process]:
    """The living processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.Error):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def done(out: Path) -> int:
    """How many submissions have a result."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{out / FILE}?mode=ro", uri=True)) as c,
    ):
        return int(c.execute("SELECT count(*) FROM submission WHERE status NOT NULL").fetchone()[0])
    return 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A class folder, and its grades.csv."""
    folder = write_class(tmp_path_factory.mktemp("given") / "class", 240)
    out = folder.parent / "results"
    assert main(["grade", str(folder), "--out", str(out), "--lesson", str(TINY)]) == 0
    return folder, (out / GRADES).read_bytes()


def kill_and_resume(given: tuple[Path, bytes], folder: Path, kills: int, seed: int) -> None:
    """Kill runs until `kills` have hit one that was grading; each is then resumed."""
    chance = random.Random(seed)
    hit = 0
    for attempt in range(10 * kills):
        out = folder / f"results-{attempt}"
        so_far = 0
        while True:
            with grading(given[0], out, "--resume") as process:
                goal = so_far + chance.choice([0, 1, 20, 60, 150])
                while process.poll() is None and done(out) < goal:
                    time.sleep(0.002)
                time.sleep(chance.random() * (1.0 if goal == so_far else 0.01))
                ended = process.poll() is not None
                process.kill()
            now = done(out)
            assert now >= so_far
            so_far = now
            hit += not ended
            if ended or hit >= kills:
                break
        with grading(given[0], out, "--resume") as process:
            assert process.wait(120) == 0
        assert (out / GRADES).read_bytes() == given[1]
        assert len(list((out / "feedback").glob("*.json"))) == 240
        shutil.rmtree(out)
        if hit >= kills:
            return
    raise AssertionError("too few runs were killed in time")


def test_a_killed_run_is_resumed(undisturbed: tuple[Path, bytes], tmp_path: Path) -> None:
    kill_and_resume(undisturbed, tmp_path, kills=3, seed=1)


@pytest.mark.campaign
def test_fifty_kills_lose_nothing(undisturbed: tuple[Path, bytes], tmp_path: Path) -> None:
    kill_and_resume(undisturbed, tmp_path, kills=50, seed=2)


def test_interrupting_stops_cleanly_and_says_how_to_go_on(
    undisturbed: tuple[Path, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "results"
    with grading(undisturbed[0], out) as process:
        while done(out) < 3:
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 130
    assert "Traceback" not in said
    graded = done(out)
    assert f"{graded} of 240 submissions are graded and safe" in said
    assert not (out / GRADES).exists()
    (told,) = re.findall(r"^To go on: python -m grader (.*)$", said, re.MULTILINE)
    assert main(shlex.split(told)) == 0  # as it stands: with all options that the run needs
    assert (out / GRADES).read_bytes() == undisturbed[1]


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_disk_loses_nothing(undisturbed: tuple[Path, bytes], tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=900k", "tmpfs", str(disk)]
    if subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        out = disk / "results"
        with grading(undisturbed[0], out) as process:
            said = process.communicate(timeout=120)[1]
            assert process.returncode == 2
        assert "cannot be written" in said
        assert "go on with --resume" in said
        assert "Traceback" not in said
        graded = done(out)
        assert 0 < graded < 240
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        assert main(["grade", "--resume", "--out", str(out), "--lesson", str(TINY)]) == 0
        assert (out / GRADES).read_bytes() == undisturbed[1]
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    facts = run_facts(load_graded_lesson(TINY))
    with (
        Gradebook.start(tmp_path / "results", facts),
        pytest.raises(GradebookError, match="another run is writing"),
    ):
        Gradebook.resume(tmp_path / "results", facts)


def test_an_unfinished_run_is_not_overwritten(tmp_path: Path) -> None:
    facts = run_facts(load_graded_lesson(TINY))
    with Gradebook.start(tmp_path, facts) as book:
        book.enrol(["a.py"])
    with pytest.raises(GradebookError, match="go on with --resume"):
        Gradebook.start(tmp_path, facts)


def test_another_lesson_is_not_resumed(tmp_path: Path) -> None:
    facts = run_facts(load_graded_lesson(TINY))
    with Gradebook.start(tmp_path, facts) as book:
        book.enrol(["a.py"])
    other = {**facts, "hashes": {**facts["hashes"], "challenges": "0"}}
    with pytest.raises(GradebookError, match="another version"):
        Gradebook.resume(tmp_path, other)


def test_a_file_that_is_no_gradebook(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else" * 100)
    with pytest.raises(GradebookError, match="no gradebook"):
        Gradebook.read(tmp_path)
