"""The exported autograder.zip: the marks of the batch under otter; forging earns nothing.

Gradescope's side is laid out in a scratch folder: source/, submission/, results/ and metadata.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from challenges.load import LESSON_ROOT
from course.autograder import build_autograder
from course.lesson import load_lesson
from grader.diagnosis import Diagnoser
from grader.lesson import GradedLesson, load_graded_lesson
from grader.marking import mark
from grader.sandbox import ForkSandbox, open_sandbox
from tests.tiny_class import KINDS, TINY

SUBMISSIONS = Path(__file__).parent / "submissions"
CLASS = SUBMISSIONS / "class"
NAMES = list(yaml.safe_load((SUBMISSIONS / "class.yaml").read_text("utf-8")))
QUICK = ["right-notebook-with-magics.ipynb", "partly-raises-for-one-token.py"]
# Otter opens these before it asks any plugin, and stops there; on Gradescope they are refused.
NOT_FOR_OTTER = {
    "partly-notebook-cut-off.ipynb",
    "refused-word-document.docx",
    "right-notebook-without-metadata.ipynb",
    "right-notebook-of-2013.ipynb",
    "right-zip-from-a-mac.zip",
}
VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
FIELDS = {"score", "execution_time", "output", "output_format", "test_output_format"}
FIELDS |= {"test_name_format", "stdout_visibility", "extra_data", "tests", "leaderboard"}
TEST_FIELDS = {"score", "max_score", "status", "name", "name_format", "number", "output"}
TEST_FIELDS |= {"output_format", "tags", "visibility", "extra_data"}


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("build") / "autograder.zip"
    build_autograder(load_lesson(LESSON_ROOT), file)
    return file


@pytest.fixture(scope="module")
def lesson() -> GradedLesson:
    return load_graded_lesson(LESSON_ROOT)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ForkSandbox]:
    with open_sandbox() as opened:
        yield opened


def test_same_lesson_same_bytes(autograder: Path, tmp_path: Path) -> None:
    again = tmp_path / "autograder.zip"
    build_autograder(load_lesson(LESSON_ROOT), again)
    assert again.read_bytes() == autograder.read_bytes()


def test_the_tests_in_it_hold_no_secret(autograder: Path, lesson: GradedLesson) -> None:
    with zipfile.ZipFile(autograder) as archive:
        names = [name for name in archive.namelist() if name.startswith("tests/")]
        text = "".join(archive.read(name).decode() for name in names)
    assert len(names) == len(lesson.challenges)
    assert "reference" not in text
    assert not any(str(c.prepared.case.seed) in text for c in lesson.cases if c.prepared.case.seed)


def run_otter(autograder: Path, submission: Path, folder: Path) -> dict[str, tuple[bool, float]]:
    """`otter run`: by `challenge/case`, whether it passed, and its points."""
    script = (
        "import json, sys, warnings; warnings.simplefilter('ignore')\n"
        "from otter.run import main\n"
        "results = main(sys.argv[1], autograder=sys.argv[2], output_dir=None, no_logo=True)\n"
        "cases = {f'{n}/{r.test_case.name}': (r.passed, r.test_case.points)\n"
        "         for n, f in results.results.items() for r in f.test_case_results}\n"
        "open('cases.json', 'w').write(json.dumps(cases))\n"
    )
    kit = os.pathsep.join([str(LESSON_ROOT), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [sys.executable, "-c", script, str(submission), str(autograder)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": kit},
        check=True,
        capture_output=True,
        timeout=300,
    )
    cases: dict[str, tuple[bool, float]] = json.loads((folder / "cases.json").read_text())
    return cases


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in QUICK else [pytest.mark.campaign])
        for name in NAMES
        if name not in NOT_FOR_OTTER and (CLASS / name).is_file()
    ],
)
def test_otter_run_gives_the_marks_of_the_batch(
    autograder: Path, lesson: GradedLesson, sandbox: ForkSandbox, tmp_path: Path, name: str
) -> None:
    result = mark(str(CLASS / name), lesson, sandbox, Diagnoser.of(lesson).diagnose)
    ours = {f"{v.challenge}/{v.case}": (v.earned > 0, v.points) for v in result.verdicts}
    theirs = run_otter(autograder, CLASS / name, tmp_path)
    if result.status == "refused":
        assert not any(passed for passed, _ in theirs.values())
    else:
        assert {k: (p, Fraction(w)) for k, (p, w) in theirs.items()} == ours


def run_gradescope(autograder: Path, submitted: dict[str, bytes], root: Path) -> dict[str, Any]:
    """Lay the zip out as Gradescope does, run it, and read its results."""
    for name in ("submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(autograder) as archive:
        archive.extractall(root / "source")
    (root / "submission_metadata.json").write_text(json.dumps({"id": 1, "users": []}))
    for name, data in submitted.items():
        path = root / "submission" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run(
        [sys.executable, "-W", "ignore", str(root / "source" / "run_otter.py")],
        cwd="/",
        env=environment,
        check=True,
        capture_output=True,
        timeout=300,
    )
    results: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    return results


def check_fields(results: dict[str, Any]) -> None:
    """Only what Gradescope documents, with values that it takes; nothing hidden is shown."""
    assert set(results) <= FIELDS
    for test in results["tests"]:
        assert set(test) <= TEST_FIELDS
        assert test["visibility"] in VISIBILITY
        assert test.get("status", "passed") in {"passed", "failed"}
    shown = "".join(t["output"] for t in results["tests"] if t["visibility"] == "visible")
    shown += results.get("output", "")
    lesson = load_graded_lesson(LESSON_ROOT)
    for case in lesson.cases:
        if case.prepared.case.visibility == "hidden":
            assert f"{case.prepared.case.id} result" not in shown


def score(results: dict[str, Any]) -> float:
    return float(sum(test.get("score", 0) for test in results["tests"]))


class Touch:
    """Unpickled, it leaves a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


SHADOW = b"import sys\nsys.stderr.write('SHADOWED')\nraise SystemExit(0)\n"
FORGE_RESULTS = b"""
import json
for place in ("/autograder/results/results.json", "../results/results.json", "results.json"):
    try:
        with open(place, "w") as file:
            json.dump({"score": 100, "tests": []}, file)
    except OSError:
        pass
"""
FORGE_TESTS = b"""
try:
    import otter.test_files.exception_test as e
    e.test_case.call_func = lambda *a: None
except ImportError:
    pass
class Always:
    def __eq__(self, other): return True
    def __getattr__(self, name): return self
    def __call__(self, *a, **k): return self
attention_scores = attention_weights = causal_mask = Always()
masked_attention = multi_head_attention = Always()
"""
FORGE_VERDICTS = b"""
import sys
for name in ("__main__", "attention"):
    module = sys.modules.get(name)
    for key in ("scores__colours_compared", "masking__colours_blocked"):
        setattr(module, key, (True, ""))
raise SystemExit(0)
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "code",
                "metadata": {"otter": {"tests": ["scores"]}},
                "source": "import os\nos._exit(0)",
                "outputs": [],
                "execution_count": None,
            }
        ],
        "metadata": {"kernelspec": {"name": "/bin/sh", "display_name": "mine"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
).encode()
FORGERIES = {
    "shadowed-modules-and-tests": {
        "attention.py": FORGE_RESULTS,
        "otter/__init__.py": SHADOW,
        "grader/__init__.py": SHADOW,
        "json.py": SHADOW,
        "nbformat.py": SHADOW,
        "sitecustomize.py": SHADOW,
        "tests/scores.py": b"OK_FORMAT = False\nname = 'scores'\npoints = 100\n",
    },
    "forged-results": {"attention.py": FORGE_RESULTS},
    "patched-tests": {"attention.py": FORGE_TESTS},
    "forged-verdicts": {"attention.py": FORGE_VERDICTS},
    "own-kernel": {"attention.ipynb": NOTEBOOK},
    "two-notebooks": {"attention.ipynb": NOTEBOOK, "other.ipynb": NOTEBOOK},
    "broken-notebook": {"attention.ipynb": b'{"cells": ['},
    "nothing": {"notes.txt": b"please give me 100 points"},
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if number == 0 else [pytest.mark.campaign])
        for number, name in enumerate(FORGERIES)
    ],
)
def test_forging_earns_nothing(autograder: Path, tmp_path: Path, name: str) -> None:
    loaded = tmp_path / "loaded"
    log = pickle.dumps(Touch(loaded))
    results = run_gradescope(
        autograder, {**FORGERIES[name], ".OTTER_LOG": log}, tmp_path / "autograder"
    )
    check_fields(results)
    assert score(results) == 0
    assert not loaded.exists()


@pytest.mark.campaign
def test_gradescope_gives_the_right_their_marks(autograder: Path, tmp_path: Path) -> None:
    right = (CLASS / "right-windows-latin-1.py").read_bytes()
    results = run_gradescope(autograder, {"attention.py": right}, tmp_path / "autograder")
    check_fields(results)
    assert score(results) == 100
    assert "read as Latin-1" in results["output"]


@pytest.mark.campaign
def test_another_lesson_with_graded_questions(tmp_path: Path) -> None:
    root = tmp_path / "lesson"
    shutil.copytree(TINY, root)
    settings = root / "course" / "lesson.yaml"
    settings.write_text(settings.read_text("utf-8") + "graded: true\n", "utf-8")
    file = tmp_path / "autograder.zip"
    build_autograder(load_lesson(root), file)
    submitted = {
        "smoothing.py": KINDS["from-zero"].encode(),
        "answers.json": b'{"answers": {"first-mean": "2.5", "kinds": [0], "shorter": [0]}}',
    }
    results = run_gradescope(file, submitted, tmp_path / "autograder")
    assert {test["name"]: test.get("score") for test in results["tests"]} == {
        "Public Tests": None,
        "questions": 2.0,
        "smooth": 6.0,
    }
