"""`python -m grader scale`: grade a crowd made from a sample class; rate and memory on the way."""

from __future__ import annotations

import argparse
import fnmatch
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from challenges.load import LESSON_ROOT
from grader.gradebook import FILE
from grader.usage import UsageError, positive

SAMPLE = LESSON_ROOT / "tests" / "submissions" / "class"
STEPS = 10  # lines of the table
LOOK_SECONDS = 0.5
SHARD = 10_000  # submissions to a folder


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `scale` to the grader's commands."""
    text = "grade a crowd made from a sample class, and show rate and memory as it goes on"
    parser = subparsers.add_parser("scale", help=text, description=f"{text.capitalize()}.")
    add = parser.add_argument
    add("--count", type=positive, default=10_000, help="submissions; default: 10000")
    add("--sample", type=Path, default=SAMPLE, metavar="DIR", help="default: the sample class")
    add("--without", metavar="PATTERN", default="", help="leave out submissions of such a name")
    add("--jobs", default="2", help="workers; default: 2")
    add("--cluster", metavar="ADDRESS", help="as for grade; the workers' memory is not seen then")
    add(
        "--folder", type=Path, help="where to put the crowd and its results; default: a passing one"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the crowd, grade it with the real command; 0 if every submission has its result."""
    with tempfile.TemporaryDirectory(prefix="grader-scale-") as passing:
        folder = args.folder or Path(passing)
        classes = make_crowd(args.sample, folder / "crowd", args.count, args.without)
        out = folder / "results"
        command = [sys.executable, "-m", "grader", "grade", *map(str, classes), "--out", str(out)]
        command += ["--cluster", args.cluster] if args.cluster else ["--jobs", args.jobs]
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        print(f"{'graded':>8} {'seconds':>8} {'a second':>9}   memory in MiB: largest, all")
        for done, largest, total in _watch(process, out / FILE, args.count):
            seconds = time.monotonic() - began
            rate = f"{done / seconds:9.1f}"
            print(f"{done:8} {seconds:8.1f} {rate}   {largest:.0f}, {total:.0f}", flush=True)
        seconds = time.monotonic() - began
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = usage.ru_utime + usage.ru_stime
        print(
            f"{args.count} submissions in {seconds:.1f} s, start-up and all: "
            f"{args.count / seconds:.1f} a second; "
            f"{1000 * processor / args.count:.2f} ms of processor time each outside the sandbox."
        )
        return process.returncode


def make_crowd(sample: Path, folder: Path, count: int, without: str = "") -> list[Path]:
    """So many submissions, in class folders; Python files are all different, by a comment."""
    members = [m for m in sorted(sample.iterdir()) if not fnmatch.fnmatch(m.name, without)]
    if not members:
        raise UsageError(f"{sample} holds no submissions")
    texts = {m: m.read_bytes() for m in members if m.suffix == ".py"}
    classes = []
    for number in range(count):
        if number % SHARD == 0:
            classes.append(folder / f"{number // SHARD:04}")
            classes[-1].mkdir(parents=True)
        member = members[number % len(members)]
        target = classes[-1] / f"{number:07}-{member.name}"
        if member in texts:
            target.write_bytes(_unlike(texts[member], number))
        elif member.is_dir():
            shutil.copytree(member, target)
        else:
            shutil.copyfile(member, target)
    return classes


def _unlike(text: bytes, number: int) -> bytes:
    """The file with a last line of its own, in UTF-8 or in whatever has the same ASCII."""
    return text if b"\0" in text or not text else text + f"\n# {number}\n".encode()


def _watch(
    process: subprocess.Popen[bytes], gradebook: Path, count: int
) -> Iterator[tuple[int, float, float]]:
    """At every tenth of the run: how many are done, memory of the largest process and of all."""
    step, largest, total = 1, 0.0, 0.0
    while process.poll() is None:
        time.sleep(LOOK_SECONDS)
        sizes = [_resident(pid) for pid in _family(process.pid)]
        largest, total = max(largest, *sizes, 0.0), max(total, sum(sizes))
        done = _done(gradebook)
        while step < STEPS and done * STEPS >= step * count:
            step += 1
            if done * STEPS < step * count:
                yield done, largest, total
    yield _done(gradebook), largest, total


def _done(gradebook: Path) -> int:
    if not gradebook.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{gradebook}?mode=ro", uri=True)) as connection:
            query = "SELECT count(*) FROM submission WHERE status NOT NULL"
            return int(connection.execute(query).fetchone()[0])
    except sqlite3.OperationalError:  # not yet written
        return 0


def _family(pid: int) -> Sequence[int]:
    """A process and all that come from it."""
    try:
        threads = Path(f"/proc/{pid}/task").iterdir()
        children = [int(c) for t in threads for c in (t / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(p for child in children for p in _family(child))]


def _resident(pid: int) -> float:
    """MiB in memory, pages shared with others included."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
