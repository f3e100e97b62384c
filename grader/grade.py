"""`python -m grader grade`: mark every submission given, write marks and feedback."""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from challenges.load import LESSON_ROOT
from grader.batch import Batch, Quiet
from grader.diagnosis import Diagnoser
from grader.feedback import FeedbackWriter
from grader.gradebook import FEEDBACK, Gradebook
from grader.identity import ROSTER, join, write_report
from grader.intake import discover
from grader.intake.paths import RULE
from grader.lesson import GradedLesson, limits_of, load_graded_lesson
from grader.marking import part_names
from grader.outcome import Sandbox
from grader.roster import read_roster
from grader.sandbox import open_sandbox
from grader.summary import print_summary
from grader.usage import UsageError
from questions.variants import read_secret

if TYPE_CHECKING:
    from grader.harness import Harness

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
        "--roster", type=Path, metavar="CSV", help="class list, to say whose each submission is"
    )
    parser.add_argument("--resume", action="store_true", help="go on with a run broken off")
    add_lesson_option(parser)
    parser.add_argument(
        "--secret", type=Path, metavar="FILE", help="course secret, for questions with variants"
    )
    parser.add_argument(
        "--accept-weak-isolation",
        action="store_true",
        help="grade also where student code cannot be confined (see `doctor`)",
    )
    parser.set_defaults(run=run)


def add_lesson_option(parser: argparse.ArgumentParser) -> None:
    """Add `--lesson`, the same for every command."""
    parser.add_argument(
        "--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="default: the kit's own"
    )


def run(args: argparse.Namespace) -> int:
    """Grade; 1 if some could not be graded by our fault, or whose they are is not clear; else 0."""
    if not args.paths and not args.resume:
        raise UsageError("give at least one PATH: a file, a zip or a folder of submissions")
    lesson = load_graded_lesson(args.lesson)
    if args.secret is not None:
        lesson = replace(lesson, secret=read_secret(args.secret))
    roster = read_roster(args.roster) if args.roster else None
    console = Console(highlight=False)
    opened = Gradebook.resume if args.resume else Gradebook.start
    paths = list(args.paths)
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: there is no such file or folder")
    with opened(args.out, run_facts(lesson)) as book:
        book.enrol(discover(paths, lesson.hand_in))
        joined = None
        if roster is not None:
            joined = join(book.paths(), roster, lesson.hand_in)
            book.assign(joined.students())
            write_report(joined, args.out / ROSTER)
        lesson = replace(lesson, students=book.assigned())
        try:
            grade_all(lesson, book, args.jobs, args.accept_weak_isolation)
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


def grade_all(lesson: GradedLesson, book: Gradebook, jobs: int, accept_weak: bool) -> None:
    """Grade all that is pending; results, feedback first, go to the gradebook as they come."""

    def opened(quiet: Quiet) -> AbstractContextManager[Sandbox]:
        return open_sandbox(accept_weak=accept_weak, quiet=quiet)

    total = book.unfinished
    feedback = FeedbackWriter(book.folder / FEEDBACK, book.run)
    jobs = max(1, min(jobs, total))
    with (
        Batch(lesson, opened, jobs, Diagnoser.of(lesson).diagnose) as batch,
        _progress(total) as advance,
    ):
        harness = _harness(lesson)
        for result in batch.run(book.pending()):
            if result.verdicts:
                result = replace(result, verdicts=harness.settle(result.verdicts))  # noqa: PLW2901
            feedback.write(result)
            book.record(result)
            advance()


def _harness(lesson: GradedLesson) -> Harness:
    """Otter's test files; it takes half a second to import, best while the workers start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of otter's own imports
        from grader.harness import Harness  # noqa: PLC0415
    return Harness(lesson.challenges)


def run_facts(lesson: GradedLesson) -> dict[str, Any]:
    """What all results of a run have in common."""
    titles = {c.id: c.title for c in lesson.challenges} | {"questions": "Questions"}
    titles |= {case.name: case.prepared.case.title for case in lesson.cases}
    return {
        "kit": kit_version(),
        "hashes": lesson.hashes,
        "parts": part_names(lesson),
        "titles": titles,
        "cases": [
            (c.challenge.id, case.id, case.function, case.visibility, str(case.points))
            for c, case in ((c, c.prepared.case) for c in lesson.cases)
        ],
        "versions": {
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "otter": version("otter-grader"),
        },
        "limits": {c.id: asdict(limits_of(c.limits)) for c in lesson.challenges},
    }


def kit_version() -> str:
    """The version of this kit."""
    try:
        return version("attention-kit")
    except PackageNotFoundError:
        return "unpacked"


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A progress bar on a terminal. It draws only when told to, so that no thread is running when
    a worker is forked."""
    bar = Progress(
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("", total=total)

        def advance() -> None:
            bar.advance(task)
            if bar.finished or bar.tasks[0].completed % 10 == 0:
                bar.refresh()

        yield advance


def _how_far(book: Gradebook) -> str:
    done = sum(book.counts().values())
    return f"{done} of {done + book.unfinished} submissions are graded and safe"


def _print_interrupted(book: Gradebook, args: argparse.Namespace) -> None:
    out = "" if args.out == Path("results") else f" --out {args.out}"
    print(f"\nStopped. {_how_far(book)}.", file=sys.stderr)
    print(f"To go on: python -m grader grade --resume{out}", file=sys.stderr)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 512:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of workers from 1 to 512")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
