"""The bench measures what it says: the same cases, the same submissions, three ways."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from otter.test_files.exception_test import ExceptionTestFile

from challenges.load import LESSON_ROOT
from grader.__main__ import main
from grader.bench.bare import bare_seconds
from grader.bench.command import _memory
from grader.bench.stock import otter_seconds, write_zip
from grader.bench.workload import write_submissions
from grader.lesson import GradedLesson, load_graded_lesson
from grader.sandbox.wire import encode_calls
from grader.usage import UsageError


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


def test_submissions_differ_and_define_every_function(tmp_path: Path, lesson: GradedLesson) -> None:
    files = write_submissions(LESSON_ROOT, tmp_path, 300)
    texts = [file.read_text("utf-8") for file in files]
    assert len(set(texts)) == 300
    for name in {call.function for call in lesson.calls}:
        assert all(f"def {name}(" in text for text in texts)


def test_without_the_kits_tests_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs the kit's own folder"):
        write_submissions(tmp_path, tmp_path, 1)


def test_stock_test_files_pass_the_reference_and_fail_zeros(
    tmp_path: Path, lesson: GradedLesson
) -> None:
    write_zip(lesson, tmp_path / "stock.zip")
    with zipfile.ZipFile(tmp_path / "stock.zip") as archive:
        archive.extractall(tmp_path)
    seen = 0
    zeros = dict.fromkeys(lesson.reference.FUNCTIONS, lambda *_: np.zeros(7))
    for challenge in lesson.challenges:
        for functions, passes in ((dict(lesson.reference.FUNCTIONS), True), (zeros, False)):
            file = ExceptionTestFile.from_file(str(tmp_path / "tests" / f"{challenge.id}.py"))
            file.run(functions)
            assert all(r.passed == passes for r in file.test_case_results)
            seen += len(file.test_case_results)
    assert seen == 2 * len(lesson.cases)


def test_the_bare_limit_runs_every_call(tmp_path: Path, lesson: GradedLesson) -> None:
    file, log, calls = tmp_path / "attention.py", tmp_path / "log", tmp_path / "calls"
    file.write_text(
        "def log(*args, **kwargs):\n"
        f"    with open({str(log)!r}, 'a') as file:\n        print(len(args), file=file)\n"
        + "".join(f"{name} = log\n" for name in {c.function for c in lesson.calls})
    )
    calls.write_bytes(encode_calls(lesson.calls))
    bare_seconds([file, file], calls, 2)
    assert len(log.read_text().split()) == 2 * sum(call.repeat for call in lesson.calls)


@pytest.mark.campaign
def test_stock_otter_grades_the_same_submission(tmp_path: Path, lesson: GradedLesson) -> None:
    files = write_submissions(LESSON_ROOT, tmp_path, 1)
    write_zip(lesson, tmp_path / "stock.zip")
    assert len(otter_seconds(tmp_path / "stock.zip", files, tmp_path)) == 1
    results = json.loads((tmp_path / "stock-0" / "results.json").read_text("utf-8"))
    named = [t["name"] for t in results["tests"]]
    assert all(any(c.id in name for name in named) for c in lesson.challenges)


@pytest.mark.campaign
def test_the_command_prints_both_ratios_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "--count", "2", "--runs", "1", "--folder", str(tmp_path)]
    assert main(words) in (0, 1)  # two submissions are too few to reach anything
    said = capsys.readouterr().out
    each = dict(re.findall(r"^  (\w+ \w+).*?([\d.]+) ms each", said, re.MULTILINE))
    of_bare = float(re.findall(r"bare limit: ([\d.]+)", said)[0])
    of_otter = float(re.findall(r"stock otter: (\d+)", said)[0])
    ours, bare, stock = (float(each[key]) for key in ("this grader", "bare limit", "stock otter"))
    assert of_bare == pytest.approx(ours / bare, rel=0.02)
    assert of_otter == pytest.approx(stock / ours, abs=1)
    assert f"files in {tmp_path};" in said
    assert not list(tmp_path.iterdir())


def test_files_are_kept_in_memory_if_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.bench.command.MEMORY", tmp_path)
    assert _memory(1) == tmp_path
    assert _memory(1 << 60) is None
    monkeypatch.setattr("grader.bench.command.MEMORY", tmp_path / "not-there")
    assert _memory(1) is None
