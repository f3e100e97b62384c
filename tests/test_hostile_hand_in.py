"""Hand-ins made to stop the grader itself: each ends in a submission or a refusal, soon."""

from __future__ import annotations

import io
import json
import math
import random
import signal
import struct
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from challenges.load import LESSON_ROOT
from grader import grading
from grader.builds_on import builds_on
from grader.diagnosis import Diagnoser
from grader.entry import Entry
from grader.gradebook import Gradebook
from grader.grading import run_facts
from grader.harness import Harness
from grader.intake import Submission, discover, magics, members, take_in
from grader.intake.submission import LONGEST_TEXT, MOST_NOTES
from grader.judge import Diagnose, judge
from grader.lesson import GradedLesson, load_graded_lesson
from grader.marking import unmarked
from grader.outcome import Array, Cell, ErrorText, Items, Load, Other, Outcome, Status, Value
from grader.sandbox.inside import child
from grader.verdict import Part, Result
from tests.entries import maker

GOOD = b"import numpy as np\ndef attention_scores(Q, K):\n    return Q @ K.T\n"


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


@pytest.fixture(autouse=True)
def stopped_if_it_hangs() -> Iterator[None]:
    """These would run for hours: half a minute is no measure of speed."""

    def ring(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def handed_in(folder: Path, name: str, data: bytes) -> Submission:
    (folder / name).write_bytes(data)
    return take_in(str(folder / name), "attention")


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def storable(submission: Submission) -> bool:
    """Whether the texts can go to a terminal, a page and the gradebook."""
    texts = [submission.refused, *submission.notes, *(cell.name for cell in submission.cells)]
    return len(submission.notes) <= MOST_NOTES + 1 and all(
        text.isprintable() and len(text) <= LONGEST_TEXT for text in texts
    )


def test_a_name_of_many_digits(tmp_path: Path) -> None:
    inside = {f"attention{'1' * 60}x.py": GOOD}
    assert handed_in(tmp_path, "a.zip", packed(inside)).cells


def test_many_lines_for_a_notebook_only_are_parsed_within_an_allowance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = []
    stumble = magics._stumble

    def counted(source: bytes) -> int | None:
        parsed.append(len(source))
        return stumble(source)

    monkeypatch.setattr(magics, "_stumble", counted)
    submission = handed_in(tmp_path, "attention.py", b"%x\na = [1]\n" * 20_000)
    assert submission.cells
    assert sum(parsed) <= magics.PARSED + magics.LARGEST_SOURCE
    cell = {"cell_type": "code", "source": "%x\na = [1]\n" * 20}
    parsed.clear()
    notebook = json.dumps({"cells": [cell] * 1000}).encode()
    assert handed_in(tmp_path, "attention.ipynb", notebook).cells
    assert sum(parsed) <= magics.PARSED + magics.LARGEST_SOURCE


def test_a_block_of_shell_lines_goes_at_once() -> None:
    source = b"!pip install a\n%load x\nx = 7 \\\n% 4\n%matplotlib inline\n" + b"!ls\n" * 50_000
    text, dropped = magics.Magics().without(source)
    assert dropped == 50_003
    assert text.startswith(b"pass\npass\nx = 7 \\\n% 4\npass\n")


def test_many_definitions_are_read_once() -> None:
    source = b"def attention():0\n" * 10_000
    source += b"def use(x):\n  y = (x # helper\n)\n\n  attention(y)\n"
    assert builds_on([Cell("attention.py", source)] * 10, ["use", "attention", "helper"]) == {
        "use": {"attention"},
        "attention": set(),
        "helper": set(),
    }


@pytest.mark.parametrize("language", ["\ud800", "\x1b[2J", "\u202e" * 50, "\n" * 50, "x" * 50_000])
def test_texts_of_a_notebook_can_be_stored(tmp_path: Path, language: str) -> None:
    book = {"cells": [], "metadata": {"language_info": {"name": language}}}
    submission = handed_in(tmp_path, "attention.ipynb", json.dumps(book).encode())
    assert submission.refused
    assert storable(submission)


def test_names_of_files_can_be_stored(tmp_path: Path) -> None:
    folder = tmp_path / "eve"
    folder.mkdir()
    for name in (b"\xff\xfe.txt", b"\x1b[31m.txt", "\u202ecod.txt".encode(), b"x\n=1+1.txt"):
        Path(bytes(folder).decode(), name.decode("utf-8", "surrogateescape")).write_bytes(b"x")
    submission = take_in(str(folder), "attention")
    assert submission.refused
    assert storable(submission)
    odd = "at\x1b[2J\ntention.py"
    submission = handed_in(tmp_path, "odd.zip", packed({odd: GOOD, "=1+1/../x.py": b""}))
    assert submission.cells
    assert storable(submission)


def test_notes_are_few(tmp_path: Path) -> None:
    conflict = "<<<<<<< a\n=======\n>>>>>>> b\n"
    cells = [{"cell_type": "code", "source": text} for text in [conflict] * 1500 + ["x = 1"]]
    submission = handed_in(tmp_path, "attention.ipynb", json.dumps({"cells": cells}).encode())
    assert len(submission.cells) == 1
    assert len(submission.notes) == MOST_NOTES + 1
    assert "1480 more" in submission.notes[-1]


def test_candidates_are_limited_in_number_and_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = random.Random(1).randbytes(1 << 20)
    read: list[str] = []
    unpack = members._unpack

    def noted(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
        read.append(info.filename)
        return unpack(archive, info)

    monkeypatch.setattr(members, "_unpack", noted)
    many = packed({f"{number}.py": b"x = 1" for number in range(900)})
    assert "900 files" in handed_in(tmp_path, "a.zip", many).refused
    assert read == []
    monkeypatch.setattr("grader.intake.submission.LARGEST_TOTAL", 3 << 20)
    large = packed({f"{number}.py": big for number in range(20)})
    assert "more than this lesson needs" in handed_in(tmp_path, "b.zip", large).refused
    assert len(read) == 4


def test_a_zip_whose_second_list_is_longer_than_its_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The 64-bit end of a zip may name another list of members than the ordinary one."""
    data = packed({f"{n}.txt": b"" for n in range(members.MOST_FILES + 1)})
    end = data.rfind(b"PK\5\6")
    size, start = struct.unpack_from("<II", data, end + 12)
    wide = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1001, 1001, size, start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
    tail = bytearray(data[end:])
    struct.pack_into("<HHI", tail, 8, 1, 1, 46)
    monkeypatch.setattr(zipfile, "ZipFile", None)  # not even opened
    refused = handed_in(tmp_path, "a.zip", data[:end] + wide + locator + bytes(tail)).refused
    assert "more than 1000 files" in refused


def test_expressions_too_deep_to_describe(tmp_path: Path) -> None:
    folder = tmp_path / "eve"
    folder.mkdir()
    for name in ("attention.py", "attention (1).py"):
        deep = "def f():\n    return " + " + ".join([repr(len(name))] * 1500)
        (folder / name).write_text(deep, "utf-8")
    assert take_in(str(folder), "attention", (GOOD.decode(),)).refused


def test_a_link_in_a_class_is_not_followed(tmp_path: Path) -> None:
    for name in ("bob", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "attention.py").write_bytes(GOOD)
    group = tmp_path / "class"
    group.mkdir()
    (group / "eve").symlink_to("../bob")
    (group / "mallory.py").symlink_to("../bob/attention.py")
    found = [take_in(path, "attention") for path in discover([str(group)], "attention")]
    assert [s.refused for s in found] == ["it is a symbolic link, not a file"] * 2
    (tmp_path / "mine").symlink_to("elsewhere")  # the operator's own
    (path,) = discover([str(tmp_path / "mine")], "attention")
    assert take_in(path, "attention").cells


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [
            packed({"attention.py": GOOD, "b/attention.ipynb": b'{"cells": []}'}),
            packed({"attention.py": GOOD}, zipfile.ZIP_STORED),
            packed({"attention.py": GOOD}, zipfile.ZIP_LZMA),
            packed({"attention.py": GOOD}, zipfile.ZIP_BZIP2),
        ]
    ),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6),
    st.integers(0, 40),
)
def test_damaged_zips_are_taken_in_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    data: bytes,
    changes: list[tuple[float, int]],
    cut: int,
) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        damaged[int(place * (len(damaged) - 1))] = value
    folder = tmp_path_factory.getbasetemp()
    assert storable(handed_in(folder, "damaged.zip", bytes(damaged[: len(damaged) - cut])))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "cells",
                    "cell_type",
                    "source",
                    "input",
                    "worksheets",
                    "metadata",
                    "language_info",
                    "name",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(JSON | st.fixed_dictionaries({"cells": JSON, "metadata": JSON}), st.integers(0, 3))
def test_any_json_is_taken_in_or_refused(
    tmp_path_factory: pytest.TempPathFactory, book: object, cut: int
) -> None:
    text = json.dumps(book)
    folder = tmp_path_factory.getbasetemp()
    assert storable(handed_in(folder, "attention.ipynb", text[: len(text) - cut].encode()))


def test_a_function_that_is_there_for_some_calls_only(lesson: GradedLesson) -> None:
    """A child may say so, whatever its file holds."""
    outcomes = {}
    for number, case in enumerate(lesson.cases):
        values = (Array("<f8", np.zeros((2, 2))),) * case.call.repeat
        outcomes[case.name] = Outcome("returned", values) if number % 2 else Outcome("missing")
    cells = [Cell("attention.py", GOOD)]
    verdicts = judge(lesson.cases, cells, Load((None,)), outcomes, Diagnoser.of(lesson).diagnose)
    assert {v.verdict for v in verdicts} == {"missing", "fail"}


def test_a_result_that_cannot_be_written_stops_nobody_else(
    lesson: GradedLesson, tmp_path: Path
) -> None:
    class Poisoned:
        def run(self, paths: Iterable[str]) -> Iterator[Entry]:
            for path in paths:
                parts = tuple(Part(c.id, Fraction(0), Fraction(1)) for c in lesson.challenges)
                reason = "\ud800" if "eve" in path else ""
                result = Result(path, Path(path).stem, "", "refused", parts, reason=reason)
                yield maker(lesson).entry(result)

    paths = []
    for name in ("adam", "eve", "zoe"):
        paths.append(str(tmp_path / f"{name}.py"))
        Path(paths[-1]).write_bytes(GOOD)
    with Gradebook.start(tmp_path / "out", run_facts(lesson)) as book:
        book.enrol(paths)
        grading.grade_all(lesson, book, lambda *_: nullcontext(Poisoned()))
        assert book.counts() == {"broken": 1, "refused": 2}
        assert {r.status for r in book.results() if "eve" in r.submission} == {"broken"}


def test_feedback_on_what_the_grader_failed_at_shows_no_traceback(
    lesson: GradedLesson, tmp_path: Path
) -> None:
    result = unmarked("class/eve.py", lesson, "ValueError() File /srv/kit/grader/judge.py")
    entry = maker(lesson).entry(result)
    assert "/srv/kit" not in entry.page + entry.data
    assert "not your fault" in entry.page
    Harness(lesson.challenges).confirm(entry.granted, entry.earned)  # nothing


def test_calls_of_hidden_cases_are_held_back(lesson: GradedLesson) -> None:
    hidden = {case.name: case.prepared.case.visibility == "hidden" for case in lesson.cases}
    assert {call.case: call.hidden for call in lesson.calls} == hidden
    assert any(hidden.values())


def odd_value(chance: random.Random, shapes: list[tuple[int, ...]], depth: int = 0) -> Value:
    """Anything that a child may claim to have been returned."""
    kind = chance.random()
    if kind < 0.15:
        return Other(chance.choice(["float", "NoneType", "x" * 120, ""]))
    if kind < 0.4 and depth < child.MAX_NESTING:
        count = chance.choice([0, 1, 2, 2, 3, 16])
        items = tuple(odd_value(chance, shapes, depth + 1) for _ in range(count))
        return Items(chance.choice(["tuple", "list"]), items)
    shape = chance.choice([*shapes * 3, (), (0,), (0, 3), (1,) * 32])
    dtype = np.dtype(chance.choice([*["<f8"] * 9, *sorted(child.DTYPES)]))
    size = math.prod(shape)
    if dtype == np.float64 and chance.random() < 0.7:
        numbers = chance.choices([0, 0.5, 1, -1, np.nan, np.inf, -np.inf, 1e308, 5e-324], k=size)
        return Array("<f8", np.array(numbers).reshape(shape))
    raw = chance.choice([b"\0", b"\xff", b"\x7f", chance.randbytes(1)]) * (size * dtype.itemsize)
    return Array(dtype.str, np.frombuffer(raw or b"", dtype).reshape(shape))


@pytest.fixture(scope="module")
def diagnose(lesson: GradedLesson) -> Diagnose:
    return Diagnoser.of(lesson).diagnose


@pytest.mark.parametrize("seed", range(60))
def test_the_judge_takes_whatever_is_claimed(
    lesson: GradedLesson, diagnose: Diagnose, seed: int
) -> None:
    chance = random.Random(seed)
    others: list[Status] = ["missing", "timeout", "memory", "crash", "output", "blocked", "broken"]
    right = chance.random()
    outcomes = {}
    for case in lesson.cases:
        expected, kind = case.prepared.expected, chance.random()
        whole = tuple(Array("<f8", np.array(array)) for array in expected)
        good: Value = whole[0] if len(whole) == 1 else Items("tuple", whole)
        shapes = [array.shape for array in expected]
        values = tuple(
            good if chance.random() < right else odd_value(chance, shapes)
            for _ in range(case.call.repeat)
        )
        changed = tuple(sorted({*chance.choices(range(len(case.call.arguments)), k=2)}))
        if kind < 0.85:
            outcome = Outcome("returned", values, chance.choice([(), (), changed]))
        elif kind < 0.95:
            outcome = Outcome("raised", error=ErrorText("X", "m" * 2000, None, 3))
        else:
            outcome = Outcome(chance.choice(others))
        outcomes[case.name] = outcome
    cells = [Cell("attention.py", GOOD)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numbers at the ends of their range
        verdicts = judge(lesson.cases, cells, Load((None,)), outcomes, diagnose)
    assert len(verdicts) == len(lesson.cases)
    for case, verdict in zip(lesson.cases, verdicts, strict=True):
        assert verdict.earned == 0 or outcomes[case.name].status == "returned"
