"""Stock otter on the same cases: test files that hold the expected values, run by `otter run`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from grader.lesson import GradedCase, GradedLesson

HEAD = """OK_FORMAT = False
import numpy as np
from otter.test_files import test_case
name = {name!r}
points = None
inf = np.inf
"""
CASE = """
@test_case(points={points}, hidden={hidden})
def {identifier}({function}):
    got = {function}(*{arguments})
    got = got if isinstance(got, tuple) else (got,)
    for one, other in zip(got, {expected}, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
"""


def write_zip(lesson: GradedLesson, file: Path) -> None:
    """An autograder zip without the kit: a test file of each challenge, no plugin."""
    with zipfile.ZipFile(file, "w") as archive:
        for challenge in lesson.challenges:
            own = [c for c in lesson.cases if c.challenge is challenge]
            text = HEAD.format(name=challenge.id) + "".join(_case(c, lesson) for c in own)
            archive.writestr(f"tests/{challenge.id}.py", text)
        archive.writestr("otter_config.json", json.dumps({"pdf": False}))


def _case(case: GradedCase, lesson: GradedLesson) -> str:
    function = lesson.reference.FUNCTIONS[case.call.function]
    fresh = [a.copy() if isinstance(a, np.ndarray) else a for a in case.call.arguments]
    result = function(*fresh)
    return CASE.format(
        points=float(case.prepared.case.points),
        hidden=case.prepared.case.visibility == "hidden",
        identifier="test_" + case.prepared.case.id.replace("-", "_"),
        function=case.call.function,
        arguments=_written(case.call.arguments),
        expected=_written(result if isinstance(result, tuple) else (result,)),
    )


def _written(value: object) -> str:
    """A value as source text that gives it again."""
    if isinstance(value, tuple):
        return "(" + "".join(f"{_written(v)}, " for v in value) + ")"
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r})"
    return repr(value)


def otter_seconds(zip_file: Path, submissions: Sequence[Path], folder: Path) -> list[float]:
    """Seconds that `otter run` takes over each submission, a notebook of one cell."""
    seconds = []
    for number, file in enumerate(submissions):
        home = folder / f"stock-{number}"
        home.mkdir()
        notebook = home / "submission.ipynb"
        notebook.write_text(_notebook(file.read_text("utf-8")), "utf-8")
        command = [sys.executable, "-m", "otter", "run", "-a", str(zip_file), "-o", str(home)]
        began = time.monotonic()
        subprocess.run(
            [*command, str(notebook)],
            check=True,
            capture_output=True,
            cwd=home,
            env={**os.environ, "HOME": str(home)},
        )
        seconds.append(time.monotonic() - began)
    return seconds


def _notebook(source: str) -> str:
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "a",
        "metadata": {},
        "outputs": [],
        "source": source,
    }
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps(
        {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    )
