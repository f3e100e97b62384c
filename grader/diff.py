"""`python -m grader diff`: whose marks changed between two runs, by which case, and why."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from grader.changes import CaseChange, Change, changes
from grader.gradebook import PREVIOUS, Gradebook
from grader.printable import one_line
from grader.verdict import Result, Verdict, points_text


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `diff` to the grader's commands."""
    text = "show whose marks changed between two runs, by which case, and why"
    parser = subparsers.add_parser("diff", help=text, description=f"{text.capitalize()}.")
    help_ = f"a results folder, or its {PREVIOUS} (the run before the last one there)"
    parser.add_argument("old", type=Path, metavar="OLD", help=help_)
    parser.add_argument("new", type=Path, metavar="NEW", help="a results folder")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each submission")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every change; 1 if there is any, as diff does."""
    causes: Counter[str] = Counter()
    count = 0
    with Gradebook.read(args.old) as old, Gradebook.read(args.new) as new:
        for change in changes(old, new):
            count += 1
            causes.update({cause.partition(" (")[0] for cause in change.causes})
            print(json.dumps(_plain(change)) if args.json else "\n".join(change_lines(change)))
        total = sum(new.counts().values())
    if not args.json:
        print(_summary(count, total, causes))
    return 1 if count else 0


def _summary(count: int, total: int, causes: Counter[str]) -> str:
    if not count:
        return f"No marks changed; {total} submissions."
    why = ", ".join(f"{cause} {number}" for cause, number in causes.most_common())
    return f"{count} of {total} submissions have other marks{': ' if why else ''}{why}."


def change_lines(change: Change) -> list[str]:
    """A line for the submission, and one for each case."""
    name = one_line(change.submission, 200)
    if change.before is None:
        return [f"{name}: new, {_mark(change.after)}"]
    if change.after is None:
        return [f"{name}: not in the new run, was {_mark(change.before)}"]
    why = "" if change.cases else f" because of: {', '.join(change.causes)}"
    lines = [f"{name}: {_mark(change.before)} → {_mark(change.after)}{why}"]
    width = max((len(case.name) for case in change.cases), default=0)
    lines += [f"  {case.name:<{width}}  {_step(case)}" for case in change.cases]
    return lines


def _step(case: CaseChange) -> str:
    before, after = _case_mark(case.before), _case_mark(case.after)
    return f"{before} → {after} because of: {', '.join(case.causes)}"


def _mark(result: Result | None) -> str:
    if result is None:
        return "nothing"
    if result.earned is None:
        return result.status
    words = "" if result.status == "graded" else f" ({result.status})"
    return f"{points_text(result.earned)} of {points_text(result.possible)}{words}"


def _case_mark(verdict: Verdict | None) -> str:
    if verdict is None:
        return "no such case"
    return f"{verdict.verdict} {points_text(verdict.earned)}/{points_text(verdict.points)}"


def _plain(change: Change) -> dict[str, Any]:
    return {
        "submission": change.submission,
        "before": change.before and points_text(change.before.earned),
        "after": change.after and points_text(change.after.earned),
        "causes": change.causes,
        "cases": [
            {
                "case": case.name,
                "before": case.before and case.before.verdict,
                "after": case.after and case.after.verdict,
                "causes": case.causes,
            }
            for case in change.cases
        ],
    }
