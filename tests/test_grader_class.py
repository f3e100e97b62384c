"""The sample class, graded by the real command: each submission becomes what its name says."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.__main__ import main

SUBMISSIONS = Path(__file__).parent / "submissions"
CLASS = SUBMISSIONS / "class"
EXPECTED: dict[str, dict[str, str]] = yaml.safe_load(
    (SUBMISSIONS / "class.yaml").read_text("utf-8")
)
POSSIBLE = {"scores": 30, "masking": 30, "multihead": 40}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[dict[str, str], Any]]:
    """Row of grades.csv and feedback of each submission."""
    out = tmp_path_factory.mktemp("results")
    assert main(["grade", str(CLASS), "--out", str(out)]) == 0
    feedback = {}
    for file in (out / "feedback").glob("*.json"):
        data = json.loads(file.read_text("utf-8"))
        feedback[data["submission"]] = data
    with (out / "grades.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    return {Path(row["submission"]).name: (row, feedback[row["submission"]]) for row in rows}


def test_every_submission_has_a_row(graded: dict[str, Any]) -> None:
    assert sorted(graded) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_becomes_what_its_name_says(graded: dict[str, Any], name: str) -> None:
    row, feedback = graded[name]
    expected = dict(EXPECTED[name])
    says = expected.pop("says", "")
    amounts = {"status": row["status"]}
    for part, possible in POSSIBLE.items():
        points = float(row[part])
        amounts[part] = "all" if points == possible else "some" if points else "none"
    assert amounts == expected
    assert float(row["score"]) == sum(float(row[part]) for part in POSSIBLE)
    assert says in " ".join([feedback["reason"], *(v["message"] for v in feedback["verdicts"])])


def test_hidden_cases_show_no_numbers_of_theirs(graded: dict[str, Any]) -> None:
    """Of a hidden failure, a message holds no value at all: only the hints have digits in them."""
    for _, feedback in graded.values():
        for verdict in feedback["verdicts"]:
            if verdict["visibility"] == "hidden" and verdict["verdict"] == "fail":
                said, _, hint = verdict["message"].partition(" Hint: ")
                assert hint or "changes its input" in said
                assert not any(c.isdigit() for c in said.replace("Called 2 times", ""))
