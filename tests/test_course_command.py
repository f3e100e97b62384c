"""The instructor's command: exit codes, and one clear line for each wrong use."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from challenges.load import LESSON_ROOT
from course.command import main

TINY = Path(__file__).parent / "fixtures" / "tiny"


def _copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "lesson"))


def test_check_counts_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--lesson", str(TINY)]) == 0
    assert capsys.readouterr().out == (
        "Moving average: 2 sections, 4 questions, 1 challenge, 4 cases. No findings; "
        "no secret is in the student files.\n"
    )


def test_build_says_where_everything_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--lesson", str(TINY), "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert f"{tmp_path / 'out' / 'student'}  for students" in printed
    assert (tmp_path / "out" / "student" / "moving_average.py").is_file()


def test_build_takes_another_python_runtime(tmp_path: Path) -> None:
    arguments = ["build", "--no-autograder", "--lesson", str(TINY), "--out", str(tmp_path)]
    assert main([*arguments, "--python-runtime", "pyodide/"]) == 0
    assert '"pythonRuntime":"pyodide/"' in (tmp_path / "student" / "index.html").read_text("utf-8")


def test_findings_are_printed_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = _copy(tmp_path)
    file = lesson / "course" / "sections" / "01-idea.yaml"
    file.write_text(file.read_text("utf-8").replace("caption:", "captoin:", 1), "utf-8")
    assert main(["check", "--lesson", str(lesson)]) == 1
    printed = capsys.readouterr().err.splitlines()
    assert printed[0].startswith(f"{file}:")
    assert "did you mean 'caption'?" in printed[0]
    assert printed[-1] == "1 finding"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        (r"latex: a_i", r"latex: \oops_i", "body[1].latex"),
        ("of width $w$", r"of width $\oops$", "body[0].markdown"),
        (
            "value: it.windows",
            "value: it.windows\n        columns: \"['a']\"",
            "body[2].steps[0].value",
        ),
    ],
)
def test_what_cannot_be_shown_is_a_finding(
    old: str, new: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = _copy(tmp_path)
    file = lesson / "course" / "sections" / "01-idea.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    assert main(["check", "--lesson", str(lesson)]) == 1
    assert f": {key}: " in capsys.readouterr().err.splitlines()[0]


def test_a_leak_stops_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An author pastes a line of the reference into the prose."""
    lesson = _copy(tmp_path)
    file = lesson / "course" / "sections" / "01-idea.yaml"
    line = "`return _windows(values, width).mean(axis=-1)`"
    text = file.read_text("utf-8").replace("A *window* of", f"{line} A *window* of", 1)
    file.write_text(text, "utf-8")
    for command in (["check"], ["build", "--out", str(tmp_path / "out")]):
        assert main([*command, "--lesson", str(lesson)]) == 1
        printed = capsys.readouterr().err
        assert "student/index.html: holds line 12 of reference/windows.py" in printed
    assert not (tmp_path / "out").exists()


def _file_in_the_way(tmp_path: Path) -> list[str]:
    (tmp_path / "out").write_text("a file", "utf-8")
    return ["build", "--lesson", str(TINY), "--out", str(tmp_path / "out")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--lesson", "no/such/folder"], "no/such/folder is not a folder"),
        (["check", "--lesson", "TMP"], "holds no lesson: no course/ is in it"),
        (["build", "--lesson", "TINY", "--out", "TMP/file"], "TMP/file: "),
        (["build", "--lesson", "TINY", "--out", "TMP/foreign"], "give another --out"),
        (["serve", "--lesson", "no/such/folder"], "no/such/folder is not a folder"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_two(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("a file", "utf-8")
    (tmp_path / "foreign" / "student").mkdir(parents=True)
    (tmp_path / "foreign" / "student" / "mine").write_text("mine", "utf-8")
    put = [a.replace("TMP", str(tmp_path)).replace("TINY", str(TINY)) for a in arguments]
    assert main(put) == 2
    printed = capsys.readouterr().err
    assert words.replace("TMP", str(tmp_path)) in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [[], ["bild"], ["build", "--ouf", "x"], ["serve", "--port", "x"], ["serve", "--port", "99999"]],
)
def test_a_wrong_word_on_the_command_line_is_exit_code_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2


def test_debug_shows_where() -> None:
    with pytest.raises(Exception, match="is not a folder"):
        main(["check", "--lesson", "no/such/folder", "--debug"])


def _run(command: str, word: str, before: str) -> subprocess.CompletedProcess[str]:
    code = (
        f"import sys, runpy; {before}; sys.argv = [{command!r}, *{word!r}.split()]\n"
        f"runpy.run_module({command!r}, run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=LESSON_ROOT, capture_output=True, text=True, check=False
    )


COMMANDS = [("course", "check"), ("grader", "doctor"), ("questions", "export qti")]


@pytest.mark.parametrize(("command", "word"), COMMANDS)
def test_a_missing_package_is_one_line(command: str, word: str) -> None:
    done = _run(command, word, "sys.modules['numpy'] = None")
    assert done.returncode == 2
    assert "is missing; `make` installs what" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("command", "word"), COMMANDS)
def test_an_old_python_is_one_line(command: str, word: str) -> None:
    done = _run(command, word, "sys.version_info = (3, 9, 2)")
    assert done.returncode == 2
    assert done.stderr.endswith(": Python 3.11 or newer is needed; this is 3.9\n")
    assert done.stderr.count("\n") == 1
