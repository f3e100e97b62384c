"""A submission: the one file that counts among what was handed in, as cells to run."""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from grader.intake.magics import LARGEST_SOURCE, Magics
from grader.intake.members import HandIn, Member, open_hand_in
from grader.intake.notebook import notebook_cells
from grader.intake.paths import shown, student_of, submission_id
from grader.intake.refusal import Refusal
from grader.intake.text import conflict_line, readable
from grader.outcome import Cell
from grader.printable import one_line

MOST_CANDIDATES = 50
LARGEST_TOTAL = 64 << 20  # of all candidates together
ANSWERS = "answers.json"
LARGEST_ANSWERS = 1 << 20
MOST_NOTES = 20
LONGEST_TEXT = 400


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work after intake: cells to run, or why there are none (`refused`).

    `path` is as it was given; `answers` is the file of answers beside the code, if any.
    """

    id: str
    path: str
    student: str
    cells: tuple[Cell, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""
    answers: bytes | None = None
    digest: str = ""


def take_in(path: str, hand_in: str, starters: Sequence[str] = ()) -> Submission:
    """Read the submission at a path. `starters` tell an untouched file from a written one."""
    name = shown(path)
    identity = submission_id(name)
    student = student_of(name, hand_in)
    notes: list[str] = []
    answers = None
    digest = ""
    try:
        opened = open_hand_in(path)
        notes += opened.notes
        answers = _answers(opened, notes)
        member, raw = _chosen(opened, hand_in, starters, notes)
        digest = hashlib.sha256(raw).hexdigest()
        cells, repairs = _cells(member.name, raw)
        notes += repairs
    except Refusal as refusal:
        refused = one_line(str(refusal), LONGEST_TEXT)
        return Submission(identity, name, student, (), _few(notes), refused, answers, digest)
    notes += _defined_twice(cells, starters)
    return Submission(identity, name, student, tuple(cells), _few(notes), "", answers, digest)


def _few(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes as they may be shown: names in them are the student's, and so is their number."""
    more = len(notes) - MOST_NOTES
    rest = [f"{more} more notes of this kind"] if more > 0 else []
    return tuple(one_line(note, LONGEST_TEXT) for note in [*notes[:MOST_NOTES], *rest])


def _suffix(name: str) -> str:
    """`.py` or `.ipynb`, also where a browser or mail program has put .txt or .json behind it."""
    match = re.search(r"\.(py|ipynb)(\.txt|\.json)?$", name.casefold())
    return f".{match[1]}" if match else ""


def _chosen(
    opened: HandIn, hand_in: str, starters: Sequence[str], notes: list[str]
) -> tuple[Member, bytes]:
    """The one file that is graded; raises Refusal where there is none, or more than one."""
    code = [m for m in opened.members if _suffix(m.name)]
    if not code:
        raise Refusal(_nothing(opened, hand_in))
    named = [m for m in code if _is_named(m.name, hand_in)]
    candidates = named or code
    read = _read(candidates)
    if len(read) > 1:
        read = _settled(read, starters, notes)
    if len(read) > 1:
        names = ", ".join(sorted(member.name[-80:] for member, _ in read)[:8])
        raise Refusal(f"there are {len(read)} files that could be meant ({names}); hand in one")
    if not named and opened.container:
        notes.append(f"the file is named {read[0][0].name}, not {hand_in}.py; used all the same")
    return read[0]


def _read(candidates: Sequence[Member]) -> list[tuple[Member, bytes]]:
    """The candidates with their bytes, unless they are too many or too much to be a hand-in."""
    if len(candidates) > MOST_CANDIDATES:
        raise Refusal(f"there are {len(candidates)} files that could be meant; hand in one")
    read, total = [], 0
    for member in candidates:
        read.append((member, member.read()))
        total += len(read[-1][1])
        if total > LARGEST_TOTAL:
            raise Refusal("the files hold far more than this lesson needs; hand in one")
    return read


def _nothing(opened: HandIn, hand_in: str) -> str:
    wanted = f"hand in {hand_in}.py or {hand_in}.ipynb"
    if not opened.container:
        return f"it is neither a Python file nor a notebook; {wanted}"
    if not opened.members:
        return f"the {opened.container} holds no files; {wanted}"
    names = sorted(member.name[-60:] for member in opened.members)[:5]
    if any(name.casefold().endswith((".zip", ".rar", ".7z", ".tar", ".gz")) for name in names):
        return f"there is an archive inside the {opened.container}; {wanted} itself"
    return f"no Python file and no notebook among its files ({', '.join(names)}); {wanted}"


def _is_named(name: str, hand_in: str) -> bool:
    """The hand-in's own name, also with what browsers and systems add for a second copy."""
    stem = re.split(r"\.(?:py|ipynb)", PurePosixPath(name).name, flags=re.IGNORECASE)[0]
    # Possessive: a name of many digits must not be tried in every way to cut them up.
    pattern = re.escape(hand_in) + r"([\s_-]*+(\(?\d++\)?|v\d++|copy|final|new|old))*+"
    return re.fullmatch(pattern, stem.strip(), re.IGNORECASE) is not None


def _settled(
    read: list[tuple[Member, bytes]], starters: Sequence[str], notes: list[str]
) -> list[tuple[Member, bytes]]:
    """Fewer candidates: equal files once, and no untouched starter beside a written file."""
    unlike = list({raw: (member, raw) for member, raw in reversed(read)}.values())[::-1]
    if len(unlike) < len(read):
        notes.append("the same file was handed in more than once")
    written = [item for item in unlike if not _is_starter(*item, starters)]
    if written and len(written) < len(unlike):
        left = ", ".join(m.name for m, _ in unlike if m not in [w for w, _ in written])
        notes.append(f"{left} is still the starter; left aside")
    return written or unlike[:1]


def _is_starter(member: Member, raw: bytes, starters: Sequence[str]) -> bool:
    """Whether it has functions of the lesson, each as the starter has it."""
    wanted = _starter_functions(tuple(starters))
    try:
        cells, _ = _cells(member.name, raw)
    except Refusal:
        return False
    found: dict[str, str] = {}
    for cell in cells:
        functions = _functions(cell.source)
        if functions is None:
            return False
        found |= functions
    there = wanted.keys() & found.keys()
    return bool(there) and all(found[name] == wanted[name] for name in there)


@lru_cache(4)
def _starter_functions(starters: tuple[str, ...]) -> dict[str, str]:
    functions = (_functions(text.encode()) or {} for text in starters)
    return {name: body for each in functions for name, body in each.items()}


def _functions(source: bytes) -> dict[str, str] | None:
    """The functions of a piece of source, in a form that forgets layout and comments.

    None if it cannot be read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return {
            node.name: "\n".join(ast.dump(part) for part in node.body if not _is_text(part))
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        }
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _cells(name: str, raw: bytes) -> tuple[list[Cell], list[str]]:
    notebook = _suffix(name) == ".ipynb"
    looks = raw[:2000].lstrip()
    if not notebook and looks.startswith(b"{") and b'"cell' in raw:
        cells, notes = notebook_cells(raw)
        return cells, [*notes, "the file is a notebook, whatever its name says"]
    if notebook and looks.startswith((b"import ", b"def ", b"from ", b"#", b'"""')):
        cells, notes = _script(name, raw)
        return cells, [*notes, "the file is plain Python, whatever its name says"]
    return notebook_cells(raw) if notebook else _script(name, raw)


def _script(name: str, raw: bytes) -> tuple[list[Cell], list[str]]:
    source, notes = readable(raw)
    if (line := conflict_line(source)) is not None:
        raise Refusal(
            f"line {line} holds a merge conflict marker; settle the conflict and hand in again"
        )
    if len(source) > LARGEST_SOURCE:
        raise Refusal("the file holds far more code than this lesson needs")
    source, dropped = Magics().without(source)
    if dropped:
        lines = "1 line" if dropped == 1 else f"{dropped} lines"
        notes.append(f"{lines} that only a notebook understands (% or !) left out")
    return [Cell(one_line(PurePosixPath(name).name, 60), source)], notes


def _defined_twice(cells: Sequence[Cell], starters: Sequence[str]) -> list[str]:
    """A note for each function of the lesson that more than one cell defines."""
    if len(cells) < 2:
        return []
    notes = []
    for function in _starter_functions(tuple(starters)):
        defines = re.compile(rb"^def[ \t]+" + function.encode() + rb"\b", re.MULTILINE)
        holders = [cell.name for cell in cells if defines.search(cell.source)]
        if len(holders) > 1:
            notes.append(f"{function} is defined in {', '.join(holders[:5])}; the last one counts")
    return notes


def _answers(opened: HandIn, notes: list[str]) -> bytes | None:
    """The answers to the questions, where they were handed in too."""
    found = [m for m in opened.members if PurePosixPath(m.name).name.casefold() == ANSWERS]
    if not found or not opened.container:
        return None
    if len(found) > 1:
        notes.append(f"{len(found)} files are named {ANSWERS}; none is used")
        return None
    try:
        raw = found[0].read()
    except Refusal as refusal:
        notes.append(str(refusal))
        return None
    if len(raw) > LARGEST_ANSWERS:
        notes.append(f"{ANSWERS} is too large; not used")
        return None
    return raw
