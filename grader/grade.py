"""`python -m grader grade`: mark every submission given, write marks and feedback."""

from __future__ import annotations

import argparse
import os
import shlex
import sqlite3
import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from challenges.load import LESSON_ROOT
from grader.batch import Batch, Quiet
from grader.diagnosis import Diagnoser
from grader.entry import EntryMaker
from grader.gradebook import FEEDBACK, Gradebook
from grader.grading import OpenWorkers, Workers, grade_all, run_facts
from grader.identity import ROSTER, join, write_report
from grader.intake import discover
from grader.intake.paths import RULE
from grader.lesson import GradedLesson, load_graded_lesson
from grader.outcome import Sandbox
from grader.provenance import export_lock
from grader.roster import read_roster
from grader.sandbox import open_sandbox
from grader.sandbox.early import EarlyServers
from grader.sandbox.forkserver import ForkServer
from grader.summary import print_summary
from grader.usage import UsageError
from questions.variants import read_secret

INTERRUPTED = 130


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `grade` to the grader's commands."""
    parser = subparsers.add_parser(
        "grade",
        help="grade submissions; write grades.csv and feedback",
        description=f"Grade every submission that the paths name. {RULE}",
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file, a zip or a folder")
    parser.add_argument("--out", type=Path, default=Path("results"), help="default: results")
    parser.add_argument("--jobs", type=_jobs, default=_cores(), help="workers; default: all cores")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="grade on the workers of this Dask scheduler"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="CSV", help="class list, to say whose each submission is"
    )
    parser.add_argument("--resume", action="store_true", help="go on with a run broken off")
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="grade everything anew, also what has not changed since the run before in this folder",
    )
    add_lesson_option(parser)
    parser.add_argument(
        "--secret", type=Path, metavar="FILE", help="course secret, for questions with variants"
    )
    parser.add_argument(
        "--accept-weak-isolation",
        action="store_true",
        help="grade also where student code cannot be confined (see `doctor`)",
    )
    parser.set_defaults(run=run, defaults=vars(parser.parse_args([])))


def add_lesson_option(parser: argparse.ArgumentParser) -> None:
    """Add `--lesson`, the same for every command."""
    parser.add_argument(
        "--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="default: the kit's own"
    )


def run(args: argparse.Namespace) -> int:
    """Grade; 1 if some could not be graded by our fault, or whose they are is not clear; else 0."""
    if not args.paths and not args.resume:
        raise UsageError("give at least one PATH: a file, a zip or a folder of submissions")
    paths = list(args.paths)
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: there is no such file or folder")
    with EarlyServers(0 if args.cluster else args.jobs) as early:
        return _grade(paths, args, early)


def _grade(paths: list[str], args: argparse.Namespace, early: EarlyServers) -> int:
    lesson = load_graded_lesson(args.lesson)
    if args.secret is not None:
        lesson = replace(lesson, secret=read_secret(args.secret))
    roster = read_roster(args.roster) if args.roster else None
    console = Console(highlight=False)
    opened = Gradebook.resume if args.resume else Gradebook.start
    with opened(args.out, run_facts(lesson)) as book:
        export_lock(args.out)
        book.enrol(discover(paths, lesson.hand_in))
        if not book.paths():
            raise UsageError(f"no submission is noted in {args.out}; give the PATHs again")
        joined = None
        if roster is not None:
            joined = join(book.paths(), roster, lesson.hand_in)
            book.assign(joined.students())
            write_report(joined, args.out / ROSTER)
        lesson = replace(lesson, students=book.assigned())
        try:
            grade_all(lesson, book, _workers(lesson, args, early), args.fresh)
        except KeyboardInterrupt:
            _print_interrupted(book, args)
            return INTERRUPTED
        except (sqlite3.OperationalError, OSError) as error:
            raise UsageError(
                f"{args.out} cannot be written ({error}). {_how_far(book)}; "
                "when that is mended, go on with --resume"
            ) from error
        grades = book.write_grades()
        print_summary(book, console)
        console.print(f"Marks: {grades}   Feedback: {args.out / FEEDBACK}{os.sep}", soft_wrap=True)
        if joined is not None:
            console.print(f"Roster: {joined}: {args.out / ROSTER}", soft_wrap=True, markup=False)
        return 1 if book.unfinished or (joined and joined.undecided) else 0


def _workers(lesson: GradedLesson, args: argparse.Namespace, early: EarlyServers) -> OpenWorkers:
    def opened(quiet: Quiet, server: ForkServer | None) -> AbstractContextManager[Sandbox]:
        return open_sandbox(args.accept_weak_isolation, quiet=quiet, server=server)

    def batch(maker: EntryMaker, total: int) -> Batch:
        jobs = max(1, min(args.jobs, total))
        return Batch(lesson, opened, maker, jobs, Diagnoser.of(lesson).diagnose, early)

    def cluster(maker: EntryMaker, total: int) -> AbstractContextManager[Workers]:
        from grader.cluster import Cluster  # noqa: PLC0415 - an extra, and slow to import

        return Cluster(args.cluster, lesson, maker, args.accept_weak_isolation)

    return cluster if args.cluster else batch


def _how_far(book: Gradebook) -> str:
    done = sum(book.counts().values())
    return f"{done} of {done + book.unfinished} submissions are graded and safe"


def _print_interrupted(book: Gradebook, args: argparse.Namespace) -> None:
    print(f"\nStopped. {_how_far(book)}.", file=sys.stderr)
    print(f"To go on: {_resume_command(args)}", file=sys.stderr)


def _resume_command(args: argparse.Namespace) -> str:
    """The command that goes on with this run: its options, but not its paths, which are noted."""
    words = ["python", "-m", "grader", "grade", "--resume"]
    for name, default in args.defaults.items():
        value = getattr(args, name)
        if value == default or name in {"paths", "resume"}:
            continue
        option = "--" + name.replace("_", "-")
        words.append(option if value is True else f"{option}={value}")
    return shlex.join(words)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 512:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of workers from 1 to 512")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
