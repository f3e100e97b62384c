"""`python -m grader verify`: mark a sample of a run again; it must come out the same."""

from __future__ import annotations

import argparse
import filecmp
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.changes import Causes, compare
from grader.diagnosis import Diagnoser
from grader.diff import change_lines
from grader.grade import add_lesson_option
from grader.gradebook import GRADES, Gradebook
from grader.grading import run_facts
from grader.lesson import GradedLesson, load_graded_lesson
from grader.marking import mark
from grader.outcome import Sandbox
from grader.provenance import BASIS
from grader.sandbox import open_sandbox
from grader.usage import positive
from grader.verdict import Result, Verdict, points_text, total
from questions.variants import read_secret


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `verify` to the grader's commands."""
    text = "mark a sample of a run's submissions again and compare; also add up every stored mark"
    parser = subparsers.add_parser("verify", help=text, description=f"{text.capitalize()}.")
    parser.add_argument("results", type=Path, metavar="RESULTS", help="the folder that grade wrote")
    parser.add_argument(
        "--sample", type=_size, default=20, metavar="N", help="how many; 0 for all; default: 20"
    )
    parser.add_argument("--seed", type=int, help="draws the same sample again")
    add_lesson_option(parser)
    parser.add_argument("--secret", type=Path, metavar="FILE", help="course secret, as for grade")
    parser.add_argument("--accept-weak-isolation", action="store_true", help="as for grade")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what does not agree; 1 if anything does not, else 0."""
    lesson = load_graded_lesson(args.lesson)
    if args.secret is not None:
        lesson = replace(lesson, secret=read_secret(args.secret))
    seed = random.randrange(10**6) if args.seed is None else args.seed
    with Gradebook.read(args.results) as book:
        lesson = replace(lesson, students=book.assigned())
        facts = run_facts(lesson)
        problems = _stored(book)
        sample = draw(book.results(), args.sample, random.Random(seed))
        with open_sandbox(accept_weak=args.accept_weak_isolation) as sandbox:
            problems += rederive(book, sample, lesson, facts, sandbox)
        graded = sum(book.counts().values())
        if problems:
            problems = [*_otherwise(book.run, facts), *problems]
    for problem in problems:
        print(problem)
    word = f"{len(problems)} things do not agree" if problems else "all agree"
    print(f"{len(sample)} of {graded} submissions marked again (--seed {seed}): {word}.")
    return 1 if problems else 0


def _size(text: str) -> int:
    return 0 if text == "0" else positive(text)


def draw(results: Iterable[Result], size: int, chance: random.Random) -> list[Result]:
    """A random sample of what has marks, in order; all of it if `size` is 0."""
    sample: list[tuple[int, Result]] = []
    for place, result in enumerate(r for r in results if r.status != "broken"):
        if not size or len(sample) < size:
            sample.append((place, result))
        elif (index := chance.randrange(place + 1)) < size:
            sample[index] = place, result
    return [result for _, result in sorted(sample, key=lambda item: item[0])]


def rederive(
    book: Gradebook,
    sample: Iterable[Result],
    lesson: GradedLesson,
    facts: Mapping[str, Any],
    sandbox: Sandbox,
) -> list[str]:
    """What comes out otherwise when the submissions are marked again."""
    causes, diagnose = Causes(book.run, facts), Diagnoser.of(lesson).diagnose
    problems = []
    for stored in sample:
        path = book.file_of(stored)
        if not os.path.lexists(path):
            problems.append(f"{stored.submission}: not there any more (verify where grade was run)")
            continue
        again = mark(path, lesson, sandbox, diagnose)
        if stored.provenance.get("submission") != again.provenance["submission"]:
            problems.append(f"{stored.submission}: the file is not the one that was graded")
        elif change := compare(stored, again, causes, _verdict):
            problems.append("\n".join(change_lines(change)))
    return problems


def _verdict(verdict: Verdict) -> object:
    return verdict.verdict, verdict.earned, verdict.points, verdict.misconception


def _stored(book: Gradebook) -> list[str]:
    """What does not add up in what is written down."""
    problems = []
    for result in book.results():
        for part in result.parts:
            own = [v for v in result.verdicts if v.challenge == part.name]
            added = total(v.earned for v in own)
            if own and part.earned is not None and part.earned != added:
                marks = f"{points_text(part.earned)} stored, its cases total {points_text(added)}"
                problems.append(f"{result.submission}: {part.name}: {marks}")
    grades = book.folder / GRADES
    with tempfile.TemporaryDirectory() as folder:
        if grades.is_file() and not filecmp.cmp(grades, book.write_grades(Path(folder)), False):
            problems.append(f"{grades} is not what the gradebook says")
    return problems


def _otherwise(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What this kit and lesson have otherwise than the run that is verified."""
    names = [name for name in BASIS if was.get(name) != now[name]]
    if names:
        yield f"Not as in the run: {', '.join(names)}. To verify it, take the kit as it was then."
