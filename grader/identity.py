"""Join submissions with the roster: matched, unmatched, ambiguous, and who handed nothing in.

The strongest evidence decides: a path named in the roster, the system's own number, an id, an
e-mail address, an account, a name. Evidence for two people is never resolved by guessing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from grader.cells import csv_text, harmless
from grader.downloads import Clue, Person, read_path
from grader.roster import Roster, Student, name_key, squeezed_keys

ROSTER = "roster.csv"
HEADINGS = ("student", "name", "email", "submission", "matched_by", "late", "note")


@dataclass(frozen=True)
class Match:
    """A submission and whose it is (several in a group), by which evidence."""

    submission: str
    students: tuple[Student, ...]
    by: str
    clue: Clue


@dataclass(frozen=True)
class Problem:
    """Why a submission is nobody's: nothing on the roster fits, or more than one student does."""

    kind: Literal["unmatched", "ambiguous"]
    submission: str
    why: str


@dataclass(frozen=True)
class Join:
    """What became of every submission and every student.

    `absent` students handed nothing in; `several` have more than one submission.
    """

    matched: list[Match] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    absent: list[Student] = field(default_factory=list)
    several: list[tuple[Student, list[str]]] = field(default_factory=list)

    def students(self) -> dict[str, str]:
        """Whose each submission is, as the gradebook names them; nobody's where it is not clear."""
        found = {
            match.submission: "; ".join(s.key for s in match.students) for match in self.matched
        }
        return found | {problem.submission: "" for problem in self.problems}

    @property
    def undecided(self) -> bool:
        """Whether staff must look at something."""
        return bool(self.problems or self.several)

    def __str__(self) -> str:
        kinds = Counter(problem.kind for problem in self.problems)
        counts = {
            "matched": len(self.matched),
            "unmatched": kinds["unmatched"],
            "ambiguous": kinds["ambiguous"],
            "students with more than one": len(self.several),
            "with nothing handed in": len(self.absent),
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


class Directory:
    """The students of a roster, to be found by each kind of evidence."""

    def __init__(self, roster: Roster) -> None:
        self._found: dict[str, dict[str, list[Student]]] = defaultdict(lambda: defaultdict(list))
        for student in roster.students:
            self._add("submission", student.submission, student)
            for kind in ("number", "id", "email", "login", "github"):
                self._add(kind, getattr(student, kind).casefold(), student)
            self._add("account", student.email.casefold().partition("@")[0], student)
            self._add("name", name_key(student.full_name), student)
            for squeezed in squeezed_keys(student):
                self._add("squeezed", squeezed, student)

    def _add(self, kind: str, value: str, student: Student) -> None:
        if value:
            self._found[kind][value].append(student)

    def find(self, kind: str, value: str) -> list[Student]:
        """Everybody whom this evidence fits."""
        return self._found[kind].get(value, []) if value else []


def join(
    submissions: Iterable[str],
    roster: Roster,
    hand_in: str,
    recorded: Mapping[str, str] | None = None,
) -> Join:
    """Whose each submission is; in the given order.

    `recorded` holds whose a run said that they are; it counts where the path tells nothing any
    more (Gradescope's list of submitters may be gone).
    """
    directory, result = Directory(roster), Join()
    by_student: dict[int, list[str]] = defaultdict(list)
    for submission in submissions:
        clue = read_path(Path(submission), hand_in)
        match = match_one(submission, clue, directory)
        ids = (recorded or {}).get(submission, "").split("; ")
        if isinstance(match, Problem) and match.kind == "unmatched" and ids != [""]:
            people = tuple(Person(id=name) for name in ids)
            again = match_one(
                submission, replace(clue, system="recorded", people=people), directory
            )
            match = again if isinstance(again, Match) else match
        if isinstance(match, Problem):
            result.problems.append(match)
            continue
        result.matched.append(match)
        for student in match.students:
            by_student[student.line].append(submission)
    for student in roster.students:
        handed_in = by_student.get(student.line, [])
        if not handed_in:
            result.absent.append(student)
        elif len(handed_in) > 1:
            result.several.append((student, handed_in))
    return result


def match_one(submission: str, clue: Clue, directory: Directory) -> Match | Problem:
    """Whose a submission is; of a group every member must be known."""
    names = (submission, Path(submission).name)
    named = next(filter(None, (directory.find("submission", name) for name in names)), [])
    if named:
        return Match(submission, tuple(named), "roster", clue)
    people = [_person_evidence(person, directory) for person in clue.people]
    if clue.system == "plain":
        people = [_word_evidence(clue.words, directory)]
    if not people:
        return Problem("unmatched", submission, "nobody is named")
    found = [_decide(submission, evidence) for evidence in people]
    for one in found:
        if isinstance(one, Problem):
            return one
    decided = [one for one in found if not isinstance(one, Problem)]
    return Match(submission, tuple(student for student, _ in decided), decided[0][1], clue)


Evidence = list[tuple[str, str, list[Student]]]


def _person_evidence(person: Person, directory: Directory) -> Evidence:
    asked: list[tuple[str, Mapping[str, str]]] = [
        ("number", {"number": person.number}),
        ("id", {"id": person.id.casefold(), "login": person.id.casefold()}),
        ("e-mail", {"email": person.email.casefold(), "login": person.email.casefold()}),
        ("name", {"name": name_key(person.name), "squeezed": person.squeezed.casefold()}),
    ]
    return [
        (label, value, directory.find(kind, value))
        for label, kinds in asked
        for kind, value in kinds.items()
        if value
    ]


def _word_evidence(words: tuple[str, ...], directory: Directory) -> Evidence:
    kinds = {"id": "id", "e-mail": "email", "login": "login", "GitHub account": "github",
             "e-mail account": "account"}  # fmt: skip
    found: Evidence = [
        (label, word, directory.find(kind, word.casefold()))
        for label, kind in kinds.items()
        for word in words
    ]
    if words:
        found.append(("name", words[0], directory.find("name", name_key(words[0]))))
    return found


def _decide(submission: str, evidence: Evidence) -> tuple[Student, str] | Problem:
    """The one student whom all the evidence fits, and the strongest that does."""
    telling = [found for found in evidence if found[2]]
    if not telling:
        shown = ", ".join(f"{label} {value!r}" for label, value, _ in evidence[:3])
        return Problem("unmatched", submission, f"not on the roster: {shown}")
    lines = [{student.line for student in students} for _, _, students in telling]
    common = set.intersection(*lines)
    if len(common) == 1:
        label, _, students = telling[0]
        return next(s for s in students if s.line in common), label
    shown = "; ".join(
        f"{label} {value!r} is {' or '.join(f'{s.key} (line {s.line})' for s in students[:3])}"
        for label, value, students in telling[:3]
    )
    return Problem("ambiguous", submission, shown)


def write_report(result: Join, file: Path) -> None:
    """Write `roster.csv`."""
    rows = [list(map(harmless, row)) for row in report_rows(result)]
    file.write_text(csv_text(HEADINGS, rows, end="\n"), "utf-8", newline="")


def report_rows(result: Join) -> list[tuple[str, ...]]:
    """A row for every student and for every submission that is nobody's."""
    several = {student.line: len(handed_in) for student, handed_in in result.several}
    rows: list[tuple[str, ...]] = [
        (s.key, s.full_name, s.email, match.submission, match.by, "late" * match.clue.late,
         f"one of {several[s.line]} submissions" if s.line in several else "")
        for match in result.matched
        for s in match.students
    ]  # fmt: skip
    rows += [(s.key, s.full_name, s.email, "", "", "", "nothing handed in") for s in result.absent]
    rows += [("", "", "", p.submission, "", "", f"{p.kind}: {p.why}") for p in result.problems]
    return rows
