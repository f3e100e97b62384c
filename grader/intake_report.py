"""`python -m grader intake`: what would be accepted, repaired or refused; nothing is run."""

from __future__ import annotations

import argparse
import os
from collections import Counter

from rich.console import Console
from rich.markup import escape

from grader.grade import add_lesson_option
from grader.intake import discover, take_in
from grader.intake.paths import RULE
from grader.lesson import load_graded_lesson
from grader.printable import one_line
from grader.usage import UsageError

LONGEST_PATH = 4096


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `intake` to the grader's commands."""
    parser = subparsers.add_parser(
        "intake",
        help="say what would be accepted, repaired or refused, without running anything",
        description=f"Look at every submission that the paths name; run nothing. {RULE}",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a zip or a folder")
    add_lesson_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a line for each submission; 1 if any is refused."""
    lesson = load_graded_lesson(args.lesson)
    console = Console(highlight=False, soft_wrap=True)
    counts: Counter[str] = Counter()
    for path in args.paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: there is no such file or folder")
    for path in discover(args.paths, lesson.hand_in):
        submission = take_in(path, lesson.hand_in, lesson.starters)
        word = "refused" if submission.refused else "repaired" if submission.notes else "accepted"
        counts[word] += 1
        reason = f": {submission.refused}" if submission.refused else ""
        shown_path = one_line(submission.path, LONGEST_PATH)
        console.print(escape(f"{word:<9} {shown_path}{reason}"))
        for note in submission.notes:
            console.print(escape(f"{'':<9}   {note}"))
    console.print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())) + ".")
    return 1 if counts["refused"] else 0
