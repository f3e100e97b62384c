"""`python -m grader report`: what a run says of a class, on one page for staff."""

from __future__ import annotations

import argparse
from pathlib import Path

from challenges.load import LESSON_ROOT
from grader.report.page import Report
from grader.report.pseudonyms import Naming, read_key
from grader.report.reading import read_run

NAME = "report.html"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `report` to the grader's commands."""
    parser = subparsers.add_parser(
        "report",
        help="write a page for staff: marks, misconceptions, items, limits, provenance",
        description="Write one page for staff that needs no other file and no network.",
    )
    add = parser.add_argument
    add("results", type=Path, metavar="RESULTS", help="the folder that grade wrote")
    add("--out", type=Path, metavar="FILE", help=f"the file to write (default: RESULTS/{NAME})")
    add("--against", type=Path, metavar="RESULTS", help="another run, to be shown beside it")
    add(
        "--anonymous",
        action="store_true",
        help="pseudonyms for names; the key to them stays in RESULTS",
    )
    add("--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="default: the kit's own")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the page; 0 when done."""
    results = read_run(args.results)
    against = read_run(args.against) if args.against else None
    folders = [one.folder for one in (results, against) if one is not None]
    naming = Naming.of(results.people, read_key(folders) if args.anonymous else None)
    out: Path = args.out or results.folder / NAME
    linked = out.resolve().parent == results.folder.resolve()
    page = Report(results, args.lesson, naming, against, linked).render()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, "utf-8")
    print(f"Report: {out}")
    return 0
