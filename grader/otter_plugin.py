"""What the exported autograder.zip does inside otter: student code is judged here, in the sandbox,
and otter's kernel is given a notebook that holds verdicts only.

Everything handed in leaves otter's reach before otter reads any of it (`put_aside`); a log that
a student made up (`.OTTER_LOG`, a pickle) goes with it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
from otter.plugins import AbstractOtterPlugin

from challenges.verdict_tests import QUESTIONS, verdict_name
from grader.diagnosis import Diagnoser
from grader.lesson import load_graded_lesson
from grader.marking import mark
from grader.sandbox import open_sandbox
from grader.verdict import Result

ASIDE = "handed_in"
OURS = {"tests"}  # otter has put its own in their place by now
STUB = "# What was handed in is judged elsewhere; nothing of it runs here.\n"
NOTEBOOK_STUB = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


class GradingFailedError(RuntimeError):
    """The grader failed; better no mark at all than one that is not the student's."""


def put_aside(autograder: Path) -> Path:
    """Move what was handed in out of otter's way, once; returns the folder that holds it."""
    aside = autograder / ASIDE
    if aside.is_dir():
        return aside
    submission = autograder / "submission"
    aside.mkdir()
    for entry in list(submission.iterdir()):
        if entry.name == "__init__.py" and not entry.is_symlink() and not entry.stat().st_size:
            continue  # made by otter
        if entry.name not in OURS:
            entry.rename(aside / entry.name)
    return aside


def prepare(autograder: Path) -> None:
    """Before otter starts: put everything aside, `tests` too, and leave a stub to be found."""
    submission = autograder / "submission"
    aside = put_aside(autograder)
    for name in OURS:
        if os.path.lexists(submission / name):
            (submission / name).rename(aside / name)
    (submission / "submission.py").write_text(STUB, "utf-8")


class VerdictsOnly(AbstractOtterPlugin):  # type: ignore[misc]
    """Otter's hooks, in the order in which it calls them."""

    def before_grading(self, config: Any) -> None:
        """Judge the submission; leave an empty file of its kind where otter looks for it."""
        path = Path(self.submission_path)
        autograder = path.parent.parent
        aside = put_aside(autograder)
        self.result = judge_aside(aside, autograder / "source" / "lesson", self.plugin_config)
        path.write_text(NOTEBOOK_STUB if path.suffix == ".ipynb" else STUB, "utf-8")

    def before_execution(self, submission: Any) -> Any:
        """A notebook that defines every verdict by name, instead of anything of the student's."""
        verdicts = {verdict_name(*key): mark for key, mark in marks(self.result).items()}
        source = f"import json\nglobals().update(json.loads({json.dumps(verdicts)!r}))"
        cell: dict[str, Any] = {
            "cell_type": "code",
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        notebook = {
            "cells": [{**cell, "metadata": {}, "id": "verdicts"}],
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        return nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]

    def after_grading(self, results: Any) -> None:
        """Check otter's marks against ours, and say things in our words, not in tracebacks."""
        ours = marks(self.result)
        for name, file in results.results.items():
            for outcome in file.test_case_results:
                passed, message = ours.get((name, outcome.test_case.name), (False, ""))
                if outcome.passed != passed:
                    raise GradingFailedError("otter's verdicts are not the judge's")
                outcome.message = f"{'✓' if passed else '✗'} {message}".strip()
        results.set_output(student_text(self.result))


def judge_aside(aside: Path, lesson_root: Path, config: Any) -> Result:
    """The result of what was put aside; raises GradingFailedError where it is not a mark."""
    lesson = load_graded_lesson(lesson_root)
    entries = [entry for entry in aside.iterdir() if not entry.name.startswith(".")]
    path = entries[0] if len(entries) == 1 else aside
    weak = bool(isinstance(config, dict) and config.get("accept_weak_isolation"))
    with open_sandbox(accept_weak=weak) as sandbox:
        result = mark(str(path), lesson, sandbox, Diagnoser.of(lesson).diagnose)
    if result.status == "broken":
        raise GradingFailedError("the grader failed on this submission; run it again")
    return result


def marks(result: Result) -> dict[tuple[str, str], tuple[bool, str]]:
    """By challenge and case: whether it earns its points, and a message; answers likewise."""
    cases = {
        (v.challenge, v.case): (v.verdict == "pass" and v.earned == v.points, v.message)
        for v in result.verdicts
    }
    answers = {(QUESTIONS, name): (right, "") for name, (right, _) in result.answers.items()}
    return cases | answers


def student_text(result: Result) -> str:
    """What the student reads about the submission as a whole."""
    lines = [f"Nothing could be graded: {result.reason}."] if result.reason else []
    lines += [f"Note: {note}." for note in result.notes]
    named = {v.function: v.misconception for v in result.verdicts if v.misconception}
    lines += [f"{function}: {text}" for function, text in named.items()]
    return "\n".join(lines)
