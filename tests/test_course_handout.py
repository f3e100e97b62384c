"""The files that students download work on their own."""

import re
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from otter.test_files.exception_test import ExceptionTestFile

from challenges.load import LESSON_ROOT
from course.handout import Files, starter_file, student_files
from course.lesson import Lesson, load_lesson
from course.public_tests import literal
from course.solution import solution

TINY = Path(__file__).parent / "fixtures" / "tiny"


@pytest.fixture(scope="module", params=[LESSON_ROOT, TINY], ids=["lesson", "tiny"])
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return load_lesson(request.param)


@pytest.fixture(scope="module")
def files(lesson: Lesson) -> Files:
    return student_files(lesson)


def _namespace(source: str) -> dict[str, object]:
    module = types.ModuleType("__main__")
    exec(compile(source, "handed-in.py", "exec"), module.__dict__)
    return module.__dict__


def _run(lesson: Lesson, files: Files, name: str, namespace: dict[str, object], tmp_path: Path):  # type: ignore[no-untyped-def]
    path = tmp_path / f"{name}.py"
    path.write_bytes(files[f"tests/{name}.py"])
    file = ExceptionTestFile.from_file(str(path))
    file.run(namespace)
    return file


def test_the_starter_defines_every_function_and_says_what_to_write(lesson: Lesson) -> None:
    source = starter_file(lesson)
    namespace = _namespace(source)
    for item in lesson.challenges:
        for function in item.challenge.functions:
            written = namespace[function.name]
            assert callable(written)
            with pytest.raises(NotImplementedError, match=function.name):
                written(*[None] * len(function.parameters))
    assert source.count("import numpy as np") == 1
    assert lesson.settings.file_stem in source.splitlines()[0]


def test_the_public_tests_pass_on_the_solution(
    lesson: Lesson, files: Files, tmp_path: Path
) -> None:
    namespace = _namespace(solution(lesson.reference).replace("@dataclass", "@dataclass"))
    for item in lesson.challenges:
        file = _run(lesson, files, item.challenge.id, namespace, tmp_path)
        assert file.passed_all, file.summary()
        assert [r.test_case.name for r in file.test_case_results] == [
            case.id for case in item.challenge.visible("public")
        ]
        points = sum(case.points for case in item.challenge.visible("public"))
        assert file.possible == pytest.approx(float(points))


def test_the_public_tests_fail_on_the_starter_with_its_own_words(
    lesson: Lesson, files: Files, tmp_path: Path
) -> None:
    namespace = _namespace(starter_file(lesson))
    for item in lesson.challenges:
        file = _run(lesson, files, item.challenge.id, namespace, tmp_path)
        for result in file.test_case_results:
            assert not result.passed
            assert "NotImplementedError" in result.message


def _wrong(
    change: Callable[[np.ndarray], object],
) -> Callable[[np.ndarray, int], object]:
    def moving_average(values: np.ndarray, width: int) -> object:
        return change(np.convolve(values, np.ones(width) / width, mode="valid"))

    return moving_average


def _changing(values: np.ndarray, width: int) -> np.ndarray:
    result = np.convolve(values, np.ones(width) / width, mode="valid")
    values[0] = 99.0
    return result


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (None, "There is no function moving_average in your file"),
        (_wrong(list), "averages: a numpy.ndarray is asked for; a list came back."),
        (_wrong(lambda a: a.astype(int)), "one of int64 came back"),
        (_wrong(lambda a: a[:-1]), "the shape is (2,); (n - width + 1) = (3,) is expected."),
        (_wrong(lambda a: a * np.nan), "an entry is nan where a finite number is expected"),
        (_wrong(lambda a: a * 2), "got 13, expected 6.5. Hint: Add two neighbours and halve."),
        (_changing, "moving_average changes its input values: work on a copy."),
        (_wrong(lambda a: a), ""),
    ],
)
def test_the_public_tests_use_the_words_of_the_judge(
    function: object, message: str, tmp_path: Path
) -> None:
    lesson = load_lesson(TINY)
    namespace = {"moving_average": function}
    file = _run(lesson, student_files(lesson), "smooth", namespace, tmp_path)
    result = file.test_case_results[0]
    assert result.passed is (message == "")
    assert message in result.message


def test_the_public_tests_import_nothing_but_numpy_and_otter(files: Files) -> None:
    for name, content in files.items():
        if name.startswith("tests/"):
            text = content.decode()
            assert text.index("OK_FORMAT = False") < text.index("import")
            imported = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
            assert imported <= {"otter", "numpy", "dataclasses", "typing", "collections"}


@pytest.mark.parametrize(
    "value", [np.array([[0.1, -np.inf], [np.inf, 1 / 3]]), np.zeros((2, 0)), 3, True, 2.5]
)
def test_a_literal_gives_the_value_back(value: object) -> None:
    back = eval(literal(value), {"np": np})  # type: ignore[arg-type]
    np.testing.assert_array_equal(back, value)
    assert type(back) is type(value)


def test_the_readme_names_the_two_commands_and_every_function(lesson: Lesson, files: Files) -> None:
    text = files["README.md"].decode()
    blocks = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)
    assert len(blocks) == 2
    assert blocks[1] == f"otter check {lesson.settings.file_stem}.py"
    for item in lesson.challenges:
        assert f"-q {item.challenge.id}" in text
        for function in item.challenge.functions:
            assert f"`{function.name}`" in text
