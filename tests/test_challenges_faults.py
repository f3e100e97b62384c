"""The words for faults: every fault has them, and mistakes in their files are found."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import reference
from challenges.faults import load_faults
from challenges.load import LESSON_ROOT

GOOD = """\
faults:
  scale-missing:
    name: No scale
    section: shares
    student: Something is missing.
    staff: No division.
    covers: [mask-missing]
  mask-missing:
    name: No mask
    section: shares
    student: Nothing is blocked.
    staff: No mask.
observations:
  - {sign: right-with, tag: one-head, student: One head is right., staff: Only one head.}
"""
KNOWN: Any = SimpleNamespace(FAULTS={"scale-missing": [], "mask-missing": []})


def lesson(folder: Path, text: str) -> Path:
    (folder / "challenges" / "faults").mkdir(parents=True)
    (folder / "challenges" / "faults" / "all.yaml").write_text(text, "utf-8")
    (folder / "course" / "sections").mkdir(parents=True)
    (folder / "course" / "sections" / "01-shares.yaml").write_text("id: shares\n", "utf-8")
    return folder


def test_good_texts_are_taken(tmp_path: Path) -> None:
    texts, findings = load_faults(lesson(tmp_path, GOOD), KNOWN)
    assert findings == []
    assert list(texts.faults) == ["scale-missing", "mask-missing"]
    assert texts.sections == {"shares": 1}
    assert texts.observations[0].tag == "one-head"


@pytest.mark.parametrize(
    ("before", "after", "line", "says"),
    [
        ("  mask-missing:", "  mask-mising:", 8, "did you mean 'mask-missing'?"),
        ("[mask-missing]", "[mask-misssing]", 7, "no fault 'mask-misssing'"),
        ("section: shares", "section: shraes", 4, "did you mean 'shares'?"),
        ("staff: No division.", "staf: No division.", 6, "did you mean 'staff'?"),
        ("    name: No scale\n", "", 2, "missing; this key is required"),
        ("sign: right-with", "sign: right-wiht", 14, "right-with"),
        ("tag: one-head, ", "", 14, "the sign right-with takes tag"),
        ("tag: one-head", "tag: one-head, rows: 2", 14, "the sign right-with takes tag"),
        ("    student: Nothing is blocked.", "    student: 3", 11, "text"),
    ],
)
def test_mistakes_are_found(before: str, after: str, line: int, says: str, tmp_path: Path) -> None:
    assert before in GOOD
    _, findings = load_faults(lesson(tmp_path, GOOD.replace(before, after, 1)), KNOWN)
    assert any(says in f.message and f.line == line for f in findings), findings


def test_a_fault_without_words_is_found(tmp_path: Path) -> None:
    more: Any = SimpleNamespace(FAULTS={**KNOWN.FAULTS, "new-one": []})
    _, findings = load_faults(lesson(tmp_path, GOOD), more)
    assert [f.message for f in findings] == ["no text for the reference's fault new-one"]


def test_a_file_that_cannot_be_read_raises_no_alarm_about_its_faults(tmp_path: Path) -> None:
    root = lesson(tmp_path, GOOD.replace("staff: No mask.", "staf: No mask."))
    words = "    {name: Extra, section: shares, student: Extra., staff: Extra., "
    other = "faults:\n  extra:\n" + words + "covers: [mask-missing]}\n"
    (root / "challenges" / "faults" / "other.yaml").write_text(other, "utf-8")
    known: Any = SimpleNamespace(FAULTS=KNOWN.FAULTS | {"extra": []})
    _, findings = load_faults(root, known)
    assert {f.file.name for f in findings} == {"all.yaml"}
    assert sorted(f.key for f in findings) == [
        "faults.mask-missing.staf",
        "faults.mask-missing.staff",
    ]


def test_a_lesson_without_words_is_no_mistake(tmp_path: Path) -> None:
    texts, findings = load_faults(tmp_path, KNOWN)
    assert (dict(texts.faults), findings) == ({}, [])


def test_the_lesson_has_words_for_all_and_gives_no_code() -> None:
    texts, findings = load_faults(LESSON_ROOT, reference)
    assert findings == []
    assert texts.faults.keys() == reference.FAULTS.keys()
    assert texts.charged_once
    told = [(name, text.student) for name, text in texts.faults.items()]
    told += [(o.sign, o.student) for o in texts.observations]
    for name, words in told:
        assert not re.search(r"np\.|axis=|keepdims|\.T\b|`|\*\*|@|sqrt|==", words), name
        assert len(words) > 30, name
    assert len({words for _, words in told}) > 0.95 * len(told)
