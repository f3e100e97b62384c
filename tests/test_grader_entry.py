"""Entries: what a worker hands over is the whole result, and survives the way from elsewhere."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest

from grader.entry import EntryMaker, from_json, to_json
from grader.feedback import is_written, write_feedback
from grader.rows import RowReader
from grader.verdict import Part, Result, Verdict

CASES = [
    ("smooth", "by-hand", "f", "public", "1/3"),
    ("smooth", "again", "f", "public", "2"),
    ("smooth", "other", "g", "hidden", "1"),
]
RUN: dict[str, Any] = {
    "kit": "1.0",
    "commit": "",
    "code": "c0de",
    "hashes": {},
    "versions": {},
    "limits": {},
    "lock": "",
    "cases": CASES,
    "parts": ["smooth"],
    "titles": {"smooth": "Smooth", "smooth/by-hand": "By hand", "smooth/again": "Again"},
}
ODD = "π\ud800"
WRONG, RIGHT, OTHER = (
    Verdict("smooth", "by-hand", "f", "public", Fraction(1, 3), Fraction(0), "fail", ODD, "m"),
    Verdict("smooth", "again", "f", "public", Fraction(2), Fraction(2), "pass"),
    Verdict("smooth", "other", "g", "hidden", Fraction(1), Fraction(0), "fail", "no", "m", "s"),
)
RESULT = Result(
    *("a/π", "id", "Ada", "partial"),
    (Part("smooth", None, Fraction(10, 3)),),
    (WRONG, RIGHT, OTHER),
    *("why", ("a note",), {"tier": "A", "seconds": 0.5, "key": "k"}, {"one": (True, [0, 2])}),
)


def test_every_field_of_a_result_survives_the_way() -> None:
    assert all(getattr(RESULT, field.name) for field in fields(Result))
    rows = RowReader(CASES)
    entry = EntryMaker(RUN).entry(RESULT)
    (again,) = from_json(to_json([entry]), rows)
    assert again == entry
    back = rows.read(again.submission, again.id, again.row)
    assert back == replace(RESULT, answers={"one": [True, [0, 2]]})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "spoiled",
    [
        b"[1]",
        b'[{"submission": "a"}]',
        b"[[]]",
        b"[",
        b'[["a", "b", ["too short"], "", ""]]',
        to_json([EntryMaker(RUN).entry(RESULT)]).replace(b"10/3", b"a third"),
        to_json([EntryMaker(RUN).entry(RESULT)]).replace(b'"Ada"', b"3"),
        to_json([EntryMaker(RUN).entry(RESULT)]).replace(b'"partial"', b'"fine"'),
        to_json([EntryMaker(RUN).entry(RESULT)]).replace(b'"partial"', b"null"),
    ],
)
def test_nonsense_is_no_entry(spoiled: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        from_json(spoiled, RowReader([("smooth", "by-hand", "f", "public", "1/3")] * 3))


def test_what_otter_is_to_confirm_is_read_from_the_row() -> None:
    forged = replace(EntryMaker(RUN).entry(RESULT), granted=("smooth__other",), earned=99.0)
    (entry,) = from_json(to_json([forged]), RowReader(CASES))
    assert (entry.granted, entry.earned) == (("smooth__again",), 2.0)


def test_long_verdicts_are_not_kept() -> None:
    feedback = EntryMaker(RUN).feedback
    feedback.files(RESULT)
    kept = len(feedback._made)
    assert kept == 3
    long = replace(WRONG, message='"' * 2000)
    page, _ = feedback.files(replace(RESULT, verdicts=(long, RIGHT, OTHER)))
    assert page.count("&#34;") == 2000
    assert len(feedback._made) == kept


def test_granted_are_the_cases_whose_points_count() -> None:
    entry = EntryMaker(RUN).entry(RESULT)
    assert (entry.granted, entry.earned) == (("smooth__again",), 2.0)
    unearned = replace(RIGHT, earned=Fraction(0))  # right, but its partner is not
    entry = EntryMaker(RUN).entry(replace(RESULT, verdicts=(WRONG, unearned, OTHER)))
    assert (entry.granted, entry.earned) == ((), 0.0)


def test_what_is_made_once_is_right_for_each() -> None:
    """The same maker over several results gives what a new one gives for each."""
    maker = EntryMaker(RUN)
    variants = [
        (WRONG, RIGHT, OTHER),
        (replace(WRONG, misconception="another"), RIGHT, OTHER),
        (replace(WRONG, misconception=""), replace(RIGHT, earned=Fraction(0)), OTHER),
        (replace(WRONG, verdict="error", message="<b>"), RIGHT, replace(OTHER, function="f")),
    ]
    for verdicts in variants * 2:
        result = replace(RESULT, verdicts=verdicts)
        assert maker.entry(result) == EntryMaker(RUN).entry(result)
        data = json.loads(maker.entry(result).data)["verdicts"]
        assert [d["earned"] for d in data] == [float(v.earned) for v in verdicts]
        assert [d["message"] for d in data] == [v.message for v in verdicts]
    assert "&lt;b&gt;" in maker.entry(result).page


def test_an_idea_is_told_once_for_a_function_in_a_row() -> None:
    again = replace(RIGHT, verdict="fail", earned=Fraction(0), misconception="m")
    page = EntryMaker(RUN).entry(replace(RESULT, verdicts=(WRONG, again, OTHER))).page
    assert page.count('<p class="idea">m</p>') == 2  # once for f, once for g


def test_feedback_is_known_again_by_its_key(tmp_path: Any) -> None:
    assert not is_written(tmp_path, RESULT)
    entry = EntryMaker(RUN).entry(RESULT)
    write_feedback(tmp_path, entry.id, entry.page, entry.data)
    assert is_written(tmp_path, RESULT)
    assert not is_written(tmp_path, replace(RESULT, provenance={"key": "other"}))
