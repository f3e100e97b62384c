"""Puts verdicts through otter's test files, in process: what otter passes is what counts.

Otter's own start loads the exporters of notebooks, which takes half a second; it is left out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from challenges.model import Challenge
from challenges.verdict_tests import verdict_name, verdict_tests
from grader.lean import without_start
from grader.remembered import Remembered

with without_start("otter"):
    from otter.test_files import GradingResults
    from otter.test_files.exception_test import ExceptionTestFile


REMEMBERED = 10_000
"""So many scores are remembered, each of some cases passed of a file."""


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
        self._names = {
            file.name: [verdict_name(file.name, case.name) for case in file.test_cases]
            for file in self._files
        }
        self._scores: Remembered[tuple[str, tuple[bool, ...]], float] = Remembered(REMEMBERED)

    def confirm(self, granted: Collection[str], earned: float) -> None:
        """Have otter pass exactly the cases that are granted, by the names in its test files, and
        make the same points of them; raises HarnessError if it does not."""
        total = 0.0
        for file in self._files:
            passes = tuple(name in granted for name in self._names[file.name])
            total += self._score(file, passes)
        if not abs(total - earned) <= 1e-6:
            raise HarnessError(f"otter's total is not the judge's, {earned:g}")

    def _score(self, file: ExceptionTestFile, passes: tuple[bool, ...]) -> float:
        """Otter's points for a test file of which these cases are to pass; run once for each."""
        key = file.name, passes
        if key not in self._scores:
            verdicts = [(passed, "") for passed in passes]
            file.run(dict(zip(self._names[file.name], verdicts, strict=True)))
            if tuple(outcome.passed for outcome in file.test_case_results) != passes:
                raise HarnessError(f"otter passes other cases of {file.name} than the judge")
            self._scores[key] = GradingResults([file]).total
        return self._scores[key]
