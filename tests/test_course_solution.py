"""The solution for staff stands alone and is right."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from challenges.cases import prepare
from challenges.comparison import check_result
from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from course.public_tests import parts
from course.solution import solution

TINY = Path(__file__).parent / "fixtures" / "tiny"


@pytest.mark.parametrize("root", [LESSON_ROOT, TINY], ids=["lesson", "tiny"])
def test_the_solution_passes_every_case(root: Path, tmp_path: Path) -> None:
    lesson = load_lesson(root)
    namespace: dict[str, object] = {"__name__": "solution"}
    source = solution(lesson.reference)
    sys.modules["solution"] = type(sys)("solution")  # dataclasses look their module up
    exec(compile(source, "solution.py", "exec"), namespace)
    checked = 0
    for item in lesson.challenges:
        for case in item.challenge.cases:
            prepared = prepare(case, item.challenge.function(case.function), lesson.reference)
            function = namespace[case.function]
            assert callable(function)
            given = [a.copy() if isinstance(a, np.ndarray) else a for a in prepared.arguments]
            got = function(*given)
            problem = check_result(
                got, prepared.expected, parts(prepared.function), relative=1e-12, absolute=1e-14
            )
            assert problem is None, f"{case.id}: {problem}"
            for before, after in zip(prepared.arguments, given, strict=True):
                np.testing.assert_array_equal(before, after)
            checked += 1
    assert checked == sum(len(item.challenge.cases) for item in lesson.challenges)


@pytest.mark.parametrize("root", [LESSON_ROOT, TINY], ids=["lesson", "tiny"])
def test_the_solution_imports_nothing_of_ours(root: Path, tmp_path: Path) -> None:
    source = solution(load_lesson(root).reference)
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert {name.split(".")[0] for name in imported} <= {
        "__future__",
        "dataclasses",
        "numpy",
        "typing",
    }
    (tmp_path / "answer.py").write_text(source, "utf-8")
    command = [sys.executable, "-I", "-c", "import runpy; runpy.run_path('answer.py')"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_helper_named_like_a_student_function_is_renamed(tmp_path: Path) -> None:
    """Two modules with one function name, a constant, a class, and its name as a variable."""
    package = tmp_path / "bundled_reference"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from . import inner\nfrom .outer import double\nFUNCTIONS = {'double': double}\n", "utf-8"
    )
    (package / "inner.py").write_text(
        "FACTOR = 2  # a constant\n\n\nclass Box:\n    def __init__(self, value):\n"
        "        self.value = value\n\n\ndef double(FACTORS):\n    return Box(FACTORS * FACTOR)\n",
        "utf-8",
    )
    (package / "outer.py").write_text(
        "from . import inner\nfrom .inner import FACTOR as TWO\n\n\ndef double(inner_value):\n"
        "    Box = inner_value  # a variable, not the class: ∞\n"
        "    return inner.double(Box).value * TWO\n",
        "utf-8",
    )
    sys.path.insert(0, str(tmp_path))
    try:
        import bundled_reference  # type: ignore[import-not-found]  # noqa: PLC0415
    finally:
        sys.path.remove(str(tmp_path))
    source = solution(bundled_reference)
    namespace: dict[str, object] = {}
    exec(source, namespace)
    double = namespace["double"]
    assert callable(double)
    assert double(3) == 12
    assert "def _double(FACTORS)" in source
    assert "∞" in source
