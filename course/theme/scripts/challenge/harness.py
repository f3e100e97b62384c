"""Run a student's code in the page, show errors as Python shows them, and check public cases.

The worker calls `perform` with one task; printed text goes to the page through `page_write`. The
public cases come as the text of the students' otter test file, so only the name of otter's
decorator stands in here.
"""

from __future__ import annotations

import io
import json
import linecache
import sys
import traceback
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import Any

import numpy as np

page_write: Callable[[str, str], object]  # set by the worker

Namespace = dict[str, Any]
Part = dict[str, str]  # the name and the source of one challenge's code

cases: list[tuple[str, Callable[..., None]]] = []
names: set[str] = set()


class Stream(io.TextIOBase):
    """A text stream that the page shows; without a name nobody sees what is written."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> int:
        if self.name:
            page_write(self.name, text)  # noqa: F821
        return len(text)


def perform(task_json: str) -> str:
    """Do one task, JSON in and JSON out: `run` a part, `check` it, or `compile` all parts."""
    task = json.loads(task_json)
    if task["what"] == "compile":
        return json.dumps({"broken": broken_parts(task["parts"])})
    namespace: Namespace = {"__name__": "__main__"}
    sys.stdin = io.StringIO()
    sys.stdout = sys.stderr = Stream("")
    for part in task["before"]:
        execute(part, namespace)
    sys.stdout, sys.stderr = Stream("out"), Stream("err")
    trace = execute(task["part"], namespace)
    checking = task["what"] == "check" and not trace
    outcomes = check(task["test"], namespace) if checking else []
    return json.dumps({"trace": trace, "cases": outcomes})


def execute(part: Part, namespace: Namespace) -> str:
    """Run one part; the traceback as Python shows it, or an empty text."""
    name, source = part["name"], part["source"]
    names.add(name)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    np.seterr(divide="warn", over="warn", invalid="warn", under="ignore")
    try:
        exec(compile(source, name, "exec", dont_inherit=True), namespace)
    except BaseException as error:
        return shown(error)
    return ""


def check(test: str, namespace: Namespace) -> list[dict[str, str]]:
    """Run the cases of a test file on the functions in `namespace`."""
    cases.clear()
    exec(compile(test, "tests.py", "exec", dont_inherit=True), {"__name__": "tests"})
    return [outcome(name, function, namespace) for name, function in cases]


def outcome(name: str, case: Callable[..., None], namespace: Namespace) -> dict[str, str]:
    """What one case gave: no message when it passed."""
    code = case.__code__
    wanted = code.co_varnames[: code.co_argcount]
    message = trace = ""
    try:
        case(**{parameter: namespace.get(parameter) for parameter in wanted})
    except BaseException as error:
        if isinstance(error, AssertionError) and student_frames(error.__traceback__) is None:
            message = str(error)
        else:
            message = traceback.format_exception_only(error)[-1].strip()
            trace = shown(error)
    return {"name": name, "message": message, "trace": trace}


def shown(error: BaseException) -> str:
    """The traceback from the student's first line on."""
    frames = student_frames(error.__traceback__)
    return "".join(traceback.format_exception(type(error), error, frames))


def student_frames(frames: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that begins in the student's code."""
    while frames is not None and frames.tb_frame.f_code.co_filename not in names:
        frames = frames.tb_next
    return frames


def broken_parts(parts: list[Part]) -> list[dict[str, Any]]:
    """Names of the parts that are not valid Python, each with the line."""
    broken = []
    for part in parts:
        try:
            compile(part["source"], part["name"], "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            broken.append({"name": part["name"], "line": getattr(error, "lineno", None)})
    return broken


def test_case(
    *, name: str, points: float | None = None, hidden: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Otter's decorator, as far as the public test files use it."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        cases.append((name, function))
        return function

    return register


def _stand_in_for_otter() -> None:
    package, test_files = ModuleType("otter"), ModuleType("otter.test_files")
    vars(test_files)["test_case"] = test_case
    sys.modules.update({"otter": package, "otter.test_files": test_files})


_stand_in_for_otter()
