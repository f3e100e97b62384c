"""`python -m grader export FORMAT RESULTS`: marks and feedback links for other systems."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from urllib.parse import quote

from challenges.load import LESSON_ROOT, lesson_value
from grader.exports import plain
from grader.exports.canvas import canvas
from grader.exports.gradescope import gradescope
from grader.exports.moodle import moodle
from grader.exports.records import (
    ExportError,
    Record,
    changed,
    make_records,
    read_grades,
    without_roster,
)
from grader.gradebook import FEEDBACK
from grader.identity import Join
from grader.lateness import DEFAULT_RULE, read_rule
from grader.roster import Roster, read_roster

FORMATS = ("canvas", "moodle", "gradescope", "csv", "mail")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `export` to the grader's commands."""
    parser = subparsers.add_parser(
        "export",
        help="write marks for Canvas, Moodle, Gradescope, a spreadsheet or a mail merge",
        description="Write marks for another system; lateness is applied here, never stored.",
    )
    add = parser.add_argument
    add("format", choices=FORMATS, help="whose file; mail is a mail-merge list of feedback links")
    add("results", type=Path, metavar="RESULTS", help="the folder that grade wrote")
    add(
        "--roster",
        type=Path,
        metavar="CSV",
        help="CSV of the class; Canvas's gradebook or Moodle's worksheet",
    )
    add("--changed-since", type=Path, metavar="OLD", help="only marks that OLD does not have so")
    add("--lateness", type=Path, default=DEFAULT_RULE, metavar="YAML", help="rule for late work")
    add(
        "--assignment",
        metavar="NAME",
        help="the assignment's name there (default: the lesson's title)",
    )
    add("--link-base", default="", metavar="URL", help="where the feedback pages can be read")
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="the file to write (default: RESULTS/export-FORMAT.csv)",
    )
    add("--lesson", type=Path, default=LESSON_ROOT, metavar="DIR", help="default: the kit's own")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the file; 1 if a submission or student needs staff's decision, else 0."""
    results: Path = options.results
    rule, title = read_rule(options.lateness), lesson_value(options.lesson, "title")
    grades = read_grades(results)
    if options.roster is None and options.format in {"canvas", "moodle"}:
        raise ExportError(f"{options.format} knows students by its own ids; give --roster FILE")
    roster = read_roster(options.roster) if options.roster else without_roster(grades)
    stem = lesson_value(options.lesson, "hand_in")
    records, joined = make_records(grades, roster, rule, stem)
    if options.changed_since:
        old_grades = read_grades(options.changed_since)
        old_roster = roster if options.roster else without_roster(old_grades)
        records = changed(records, make_records(old_grades, old_roster, rule, stem)[0])
    name = options.assignment or title or "Marks"
    content = _content(options.format, records, roster, name, options.link_base)
    out: Path = options.out or results / f"export-{options.format}.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(content, "utf-8", newline="")
    print(f"{len(records)} students: {out}")
    return report(joined, records, rule.deadline is not None)


def _content(form: str, records: list[Record], roster: Roster, name: str, base: str) -> str:
    if form == "canvas":
        return canvas(records, roster, name)
    if form == "gradescope":
        return gradescope(records)
    if form == "csv":
        return plain.marks(records)
    start = f"{base.rstrip('/')}/" if base else f"{FEEDBACK}/"
    links = {r.submission: start + quote(r.grade.page) for r in records if r.grade}
    if form == "mail":
        return plain.mail(records, links)
    return moodle(records, roster, name, links if base else {})


def report(joined: Join, records: list[Record], has_deadline: bool) -> int:
    """Say what staff must look at; 1 if there is anything."""
    lines = [f"{p.kind}: {p.submission}: {p.why}" for p in joined.problems]
    lines += [f"several: {student.key}: {', '.join(paths)}" for student, paths in joined.several]
    broken = [r.submission for r in records if r.status == "broken"]
    lines += [f"broken: {path}: no mark; our fault, grade it again" for path in broken]
    if has_deadline:
        unknown = [
            r for r in records if r.match and not (r.student.submitted or r.match.clue.submitted)
        ]
        late = [r.submission for r in unknown if r.match and r.match.clue.late]
        lines += [f"late, by how much is not known: {path}" for path in late]
        if unknown:
            lines.append(f"when it was handed in is not known of {len(unknown)}: nothing is lost")
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0
