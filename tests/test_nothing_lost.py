"""A run killed at any moment, or out of disk, loses nothing: --resume gives the same marks."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from grader.gradebook import Gradebook, GradebookError

VARIANTS = Path(__file__).parent / "submissions" / "variants"
GRADE = [sys.executable, "-m", "grader", "grade"]
KILLS = 50

pytestmark = pytest.mark.campaign


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hundred submissions, one in twenty with a call that ends its process; some take a moment,
    so that the run lasts long enough to be disturbed."""
    folder = tmp_path_factory.mktemp("submissions")
    sources = sorted(VARIANTS.rglob("*.py"))
    for number in range(200):
        source = sources[number % len(sources)].read_text("utf-8")
        if number % 10 == 5:
            source = "import time\ntime.sleep(0.1)\n" + source
        if number % 20 == 0:
            source += "\n\ndef causal_mask(scores):\n    import os\n    os._exit(0)\n"
        (folder / f"student-{number:03}.py").write_text(source, "utf-8")
    return folder


def grade(out: Path, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*GRADE, "--out", str(out), "--jobs", "2", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[bytes]) -> None:
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said.decode()


@pytest.fixture(scope="module")
def undisturbed(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The marks of a run that nobody disturbs."""
    out = tmp_path_factory.mktemp("undisturbed")
    finish(grade(out, str(submissions)))
    return (out / "grades.csv").read_bytes()


def graded(out: Path) -> int:
    """How many submissions are safe in the gradebook."""
    try:
        with Gradebook.read(out) as book:
            return sum(book.counts().values())
    except GradebookError:  # not begun
        return 0


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The run's main process, its workers, their fork servers and children."""
    try:
        main = psutil.Process(process.pid)
        return [main, *main.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def test_fifty_kills_lose_nothing(submissions: Path, undisturbed: bytes, tmp_path: Path) -> None:
    chance = random.Random(2026)
    kills = victims = 0
    out = tmp_path / "results"
    while kills < KILLS:
        safe = graded(out)
        process = grade(
            out, *(["--resume"] if (out / "gradebook.sqlite").exists() else []), str(submissions)
        )
        if chance.random() < 0.5:  # any moment of the start
            time.sleep(chance.uniform(0.0, 2.0))
        else:  # any moment of the grading
            target = safe + chance.randint(1, 100)
            while process.poll() is None and graded(out) < target:
                time.sleep(0.02)
        relatives = family(process)
        if process.poll() is not None:
            finish(process)
        elif chance.random() < 0.4 and len(relatives) > 1:  # a worker, a fork server, a child
            chance.choice(relatives[1:]).kill()
            victims += 1
            finish(process)
        else:
            process.kill()
            process.communicate()
        kills += 1
        _, alive = psutil.wait_procs(relatives, timeout=10)
        assert alive == [], "a process outlived the run"
        assert graded(out) >= safe
        if (out / "grades.csv").exists():
            assert (out / "grades.csv").read_bytes() == undisturbed
            shutil.rmtree(out)
    if out.exists():
        finish(grade(out, "--resume", str(submissions)))
        assert (out / "grades.csv").read_bytes() == undisturbed
    assert victims > 5


def test_an_interrupted_run_says_how_to_go_on(
    submissions: Path, undisturbed: bytes, tmp_path: Path
) -> None:
    process = grade(tmp_path, str(submissions))
    give_up = time.monotonic() + 60
    while graded(tmp_path) < 5 and time.monotonic() < give_up:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"python -m grader grade --resume --out={tmp_path}" in said.decode()
    finish(grade(tmp_path, "--resume"))
    assert (tmp_path / "grades.csv").read_bytes() == undisturbed


DISK = """
set -e
mount -t tmpfs -o size={small} tmpfs {folder}
if "$@" >/dev/null 2>{said}; then exit 77; fi
mount -o remount,size=64m {folder}
"$@" --resume >/dev/null
cp {folder}/results/grades.csv {grades}
"""


def test_a_full_disk_loses_nothing(submissions: Path, undisturbed: bytes, tmp_path: Path) -> None:
    folder, grades, said = tmp_path / "disk", tmp_path / "grades.csv", tmp_path / "said"
    folder.mkdir()
    script = DISK.format(small="300k", folder=folder, grades=grades, said=said)
    command = [*GRADE, str(submissions), "--out", str(folder / "results"), "--jobs", "2"]
    spaces = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    if subprocess.run(["unshare", *spaces, "true"], check=False).returncode != 0:
        pytest.skip("no mount namespace here, so no small disk")
    subprocess.run(["unshare", *spaces, "sh", "-c", script, "sh", *command], check=True)
    assert "when that is mended, go on with --resume" in said.read_text()
    assert grades.read_bytes() == undisturbed


def test_a_gradebook_that_was_only_just_begun_is_begun_again(
    submissions: Path, tmp_path: Path
) -> None:
    (tmp_path / "gradebook.sqlite").touch()
    process = grade(tmp_path, "--resume")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "give the PATHs again" in said.decode()
    finish(grade(tmp_path, "--resume", str(submissions / "student-000.py")))
    assert graded(tmp_path) == 1
