"""Puts verdicts through otter's test files, in process: what otter passes is what counts.

Otter's own start loads the exporters of notebooks, which takes half a second; it is left out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from inspect import signature
from pathlib import Path

from challenges.model import Challenge
from challenges.verdict_tests import verdict_name, verdict_tests
from grader.lean import without_start
from grader.verdict import Verdict

with without_start("otter"):
    from otter.test_files import GradingResults
    from otter.test_files.exception_test import ExceptionTestFile


class HarnessError(RuntimeError):
    """Otter and the judge do not agree; nothing may be marked then."""


class Harness:
    """The test files of a lesson, read by otter once."""

    def __init__(self, challenges: Sequence[Challenge]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._files = []
            for challenge in challenges:
                path = Path(folder) / f"{challenge.id}.py"
                path.write_text(verdict_tests(challenge), "utf-8")
                self._files.append(ExceptionTestFile.from_file(str(path)))
        for file in self._files:
            for case in file.test_cases:  # otter works it out anew for each run
                case.body.test_func.__signature__ = signature(case.body.test_func)

    def settle(self, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
        """The verdicts with the points that otter grants; raises HarnessError on disagreement."""
        environment = {
            verdict_name(v.challenge, v.case): (v.earned == v.points and v.verdict == "pass", "")
            for v in verdicts
        }
        granted: dict[tuple[str, str], bool] = {}
        for file in self._files:
            file.run(environment)
            for outcome in file.test_case_results:
                granted[file.name, outcome.test_case.name] = outcome.passed
        settled = tuple(
            v if granted[v.challenge, v.case] or not v.earned else replace(v, earned=Fraction(0))
            for v in verdicts
        )
        total = sum((v.earned for v in verdicts), Fraction(0))
        if abs(GradingResults(self._files).total - float(total)) > 1e-6:
            raise HarnessError(f"otter's total is not the judge's, {total}")
        return settled
