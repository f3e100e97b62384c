"""The leak scan: every planted secret is found, and nothing is where nothing is."""

import base64
import gzip
import html
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from challenges.cases import prepare
from challenges.load import LESSON_ROOT
from course.handout import student_files
from course.leaks import find_leaks
from course.lesson import Lesson, load_lesson
from course.secret import Secrets, secrets_of

TINY = Path(__file__).parent / "fixtures" / "tiny"

LINE = "return np.lib.stride_tricks.sliding_window_view(np.asarray(values, np.float64), width)"
TITLE = "A longer series that nobody has seen"
MISCONCEPTION = "Believes that a filter always keeps the length of its input."


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load_lesson(TINY)


@pytest.fixture(scope="module")
def secrets(lesson: Lesson) -> Secrets:
    return secrets_of(lesson)


def _hidden(lesson: Lesson, case: str) -> tuple[np.ndarray, np.ndarray]:
    """First input and first expected array of a hidden case."""
    challenge = lesson.challenges[0].challenge
    found = next(c for c in challenge.cases if c.id == case)
    prepared = prepare(found, challenge.function(found.function), lesson.reference)
    values = prepared.arguments[0]
    assert isinstance(values, np.ndarray)
    return values, prepared.expected[0]


def _zipped(text: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.txt", text)
    return data.getvalue()


def _noted(comment: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.comment = comment
        archive.writestr("nothing.txt", "nothing")
    return data.getvalue()


def _notebook(**cell: object) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", **cell}], "metadata": {}}).encode()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


# what it is → what stands in the file, and words of what must be found
PLANTED: dict[str, tuple[Callable[[Lesson], bytes | str], str]] = {
    "a line of the reference": (lambda _: f"    {LINE}\n", "reference/windows.py"),
    "reformatted": (
        lambda _: LINE.replace("(", "(\n    ").replace(", ", ",\n    ").replace(")", "\n)"),
        "reference/windows.py",
    ),
    "a body of short lines": (
        lambda _: "rows = _windows(values, width)\nreturn rows.min(axis=-1), rows.max(axis=-1)",
        "the body of running_range",
    ),
    "in a comment of a page": (lambda _: f"<p>hi</p><!-- {LINE} -->", "reference/windows.py"),
    "broken by tags": (
        lambda _: f"<code>{LINE.replace('.', '<b>.</b>')}</code>", "reference/windows.py",
    ),
    "as entities": (
        lambda _: "".join(f"&#{ord(letter)};" for letter in LINE), "reference/windows.py",
    ),
    "as JSON escapes": (
        lambda _: json.dumps("".join(f"\\u{ord(letter):04x}" for letter in TITLE)).replace(
            "\\\\", "\\"
        ),
        "its title",
    ),
    "percent-encoded": (
        lambda _: "data:," + "".join(f"%{byte:02X}" for byte in TITLE.encode()), "its title",
    ),
    "in base64": (lambda _: _base64(LINE.encode()), "reference/windows.py"),
    "in base64 twice": (
        lambda _: _base64(_base64(MISCONCEPTION.encode()).encode()), "a misconception",
    ),
    "in hex": (lambda _: TITLE.encode().hex(), "its title"),
    "in a zip": (lambda _: _zipped(f"x = 1\n{LINE}\n"), "reference/windows.py"),
    "in a zip's comment": (lambda _: _noted(MISCONCEPTION.encode()), "a misconception"),
    "in a gzip": (lambda _: gzip.compress(TITLE.encode()), "its title"),
    "in a gzip in base64": (
        lambda _: _base64(gzip.compress(MISCONCEPTION.encode())), "a misconception",
    ),
    "in UTF-16": (lambda _: TITLE.encode("utf-16"), "its title"),
    "in a notebook's metadata": (
        lambda _: _notebook(metadata={"note": MISCONCEPTION}), "a misconception",
    ),
    "in a notebook's output": (
        lambda _: _notebook(outputs=[{"text": [LINE + "\n"]}]), "reference/windows.py",
    ),
    "a docstring of the reference": (
        lambda _: "# The smallest and the largest value of every window that fits.",
        "reference/windows.py",
    ),
    "an id of a hidden case": (lambda _: '{"id": "drawn-series"}', "its id"),
    "a hidden case's hint": (lambda _: "Does your window reach the last value?", "its hint"),
    "a reason": (lambda _: "Catches a window that is one place short at the end.", "its reason"),
    "a seed": (lambda _: "rng = np.random.default_rng(48151)", "its seed"),
    "a bare seed": (lambda _: "x = 62342", "its seed"),
    "hidden numbers in full": (
        lambda lesson: repr(_hidden(lesson, "drawn-series")[0].tolist()), "its numbers",
    ),
    "hidden numbers, rounded": (
        lambda lesson: " ".join(f"{v:.4f}" for v in _hidden(lesson, "drawn-series")[0]),
        "its numbers",
    ),
    "expected numbers as powers of ten": (
        lambda lesson: ";".join(f"{v:.5e}" for v in _hidden(lesson, "drawn-range")[1]),
        "its numbers",
    ),
    "one long number": (
        lambda lesson: f"answer = {_hidden(lesson, 'drawn-series')[1][2]!r}", "its numbers",
    ),
    "numbers as hexadecimal floats": (
        lambda lesson: ",".join(float(v).hex() for v in _hidden(lesson, "drawn-range")[0]),
        "its numbers",
    ),
    "numbers as raw bytes": (
        lambda lesson: b"\x93NUMPY" + _hidden(lesson, "drawn-series")[0].tobytes(), "its numbers",
    ),
    "raw bytes in base64": (
        lambda lesson: _base64(_hidden(lesson, "drawn-series")[1].astype("<f4").tobytes()),
        "its numbers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_secret_is_found(name: str, lesson: Lesson, secrets: Secrets) -> None:
    make, words = PLANTED[name]
    made = make(lesson)
    data = made if isinstance(made, bytes) else made.encode()
    leaks = find_leaks({"clean.txt": b"nothing here", "planted": data}, secrets)
    assert {leak.file for leak in leaks} == {"planted"}
    assert any(words in leak.what for leak in leaks), leaks


def test_a_secret_in_a_files_name_is_found(secrets: Secrets) -> None:
    assert [leak.what for leak in find_leaks({"tests/drawn-series.py": b""}, secrets)] == [
        "hidden case smooth/drawn-series: its id"
    ]


@pytest.mark.parametrize("root", [LESSON_ROOT, TINY], ids=["lesson", "tiny"])
def test_the_real_handouts_raise_no_alarm(root: Path) -> None:
    lesson = load_lesson(root)
    assert find_leaks(student_files(lesson), secrets_of(lesson)) == []


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\n\n\ndef moving_average(values, width):\n",
        "return low, high",
        "The window fits at eight places.",
        "0.5 1 0 1 0.25 1 1 0 0 1 -1 2 3 0.5",
        "Add two neighbours and halve.",  # the hint of a public case
        "[2.5, 5.5, 6.5]",  # the page's own figures
        "seed = 0",
    ],
)
def test_what_is_public_or_common_raises_no_alarm(text: str, secrets: Secrets) -> None:
    assert find_leaks({"file": text.encode()}, secrets) == []


def _graded(lesson: Lesson) -> Lesson:
    return replace(lesson, settings=lesson.settings.model_copy(update={"graded": True}))


def test_graded_questions_leave_no_answer_in_any_file(lesson: Lesson) -> None:
    graded = _graded(lesson)
    assert find_leaks(student_files(graded), secrets_of(graded)) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "shorter", "right": true}',
        "<input data-right='1'>",
        html.escape('"answer": 2.5'),
        "Add the first two values and divide by two.",
        "Yes: the window fits at eight places.",
    ],
)
def test_an_answer_of_a_graded_question_is_a_leak(text: str, lesson: Lesson) -> None:
    assert find_leaks({"page": text.encode()}, secrets_of(_graded(lesson)))
    assert not find_leaks({"page": text.encode()}, secrets_of(lesson))
