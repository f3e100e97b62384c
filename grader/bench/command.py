"""`python -m grader bench`: three rates, measured in one run on the same submissions."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from challenges.load import LESSON_ROOT
from grader.bench.bare import bare_seconds
from grader.bench.stock import otter_seconds, write_zip
from grader.bench.workload import write_submissions
from grader.lesson import load_graded_lesson
from grader.sandbox import probe_tier
from grader.sandbox.wire import encode_calls
from grader.usage import positive

MOST_OF_BARE = 2.5  # times the bare limit's time
LEAST_OF_OTTER = 500  # times otter's rate
MEMORY = Path("/dev/shm")
ROOM = 100_000  # bytes for a submission, its results and a share of the gradebook


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `bench` to the grader's commands."""
    text = "measure this grader beside stock otter and beside the bare limit, as ratios"
    parser = subparsers.add_parser("bench", help=text, description=f"{text.capitalize()}.")
    parser.add_argument("--count", type=positive, default=1000, help="submissions; default: 1000")
    parser.add_argument("--jobs", type=positive, default=2, help="workers; default: 2")
    parser.add_argument("--runs", type=positive, default=3, help="runs for each median; default: 3")
    where = f"for its files; default: {MEMORY} if there is room, else where temporary files go"
    parser.add_argument("--folder", type=Path, metavar="DIR", help=where)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rates and their ratios; 1 if one misses what is to be reached, else 0."""
    lesson = load_graded_lesson(LESSON_ROOT)
    home = args.folder or _memory(args.count * args.runs * ROOM) or Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix="grader-bench-", dir=home) as name:
        folder = Path(name)
        (folder / "submissions").mkdir()
        files = write_submissions(LESSON_ROOT, folder / "submissions", args.count)
        calls = folder / "calls"
        calls.write_bytes(encode_calls(lesson.calls))
        bare, ours = [], []
        for number in range(args.runs):  # in turn, so that a busy moment meets both
            bare.append(bare_seconds(files, calls, args.jobs))
            ours.append(_our_seconds(folder, number, args.jobs))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        write_zip(lesson, folder / "stock.zip")
        stock = median(otter_seconds(folder / "stock.zip", files[: args.runs], folder))
    per_bare, per_ours = median(bare) / args.count, median(ours) / args.count
    of_bare, of_otter = per_ours / per_bare, stock / per_ours
    print(
        f"{args.count} submissions of {len(lesson.calls)} calls, {args.jobs} workers on "
        f"{os.cpu_count()} cores, tier {probe_tier()}, files in {home}; "
        f"medians of {args.runs} runs."
    )
    _line("this grader, all in", per_ours, ours)
    _line("bare limit", per_bare, bare)
    print(f"  {'stock otter run':<20} {stock * 1000:9.2f} ms each   {1 / stock:7.1f} a second")
    print(f"Time against the bare limit: {of_bare:.2f} (to reach: at most {MOST_OF_BARE})")
    print(f"Rate against stock otter: {of_otter:.0f} (to reach: at least {LEAST_OF_OTTER})")
    print(f"Memory of the largest process: {peak:.0f} MiB")
    return 0 if of_bare <= MOST_OF_BARE and of_otter >= LEAST_OF_OTTER else 1


def _memory(room: int) -> Path | None:
    """The machine's memory as a folder, if it has so many bytes to spare.

    A disk may be slow for a while for reasons that are not the grader's: busy, or still clearing up
    after files that were deleted.
    """
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < room:
        return None
    return MEMORY


def _line(what: str, each: float, totals: Sequence[float]) -> None:
    spread = f"{min(totals):.2f} to {max(totals):.2f} s"
    print(f"  {what:<20} {each * 1000:9.2f} ms each   {1 / each:7.1f} a second   {spread}")


def _our_seconds(folder: Path, number: int, jobs: int) -> float:
    """Seconds that the real command takes, from its start to its end."""
    command = [sys.executable, "-m", "grader", "grade", str(folder / "submissions")]
    command += ["--out", str(folder / f"results-{number}"), "--jobs", str(jobs)]
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=LESSON_ROOT)
    return time.monotonic() - began
