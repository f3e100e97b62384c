"""`autograder.zip` for `otter run` and Gradescope, made by `otter generate`.

Its plugin judges in the sandbox and gives otter's kernel verdicts only (grader/otter_plugin.py).
The zip carries the kit's code and the lesson, so the machine that grades needs neither.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from challenges.verdict_tests import QUESTIONS, question_tests, verdict_tests
from course.lesson import Lesson

AUTOGRADER = "autograder.zip"
KIT = Path(__file__).resolve().parent.parent
PLUGIN = "grader.otter_plugin.VerdictsOnly"
CODE = ("grader/**/*", "challenges/*.py", "questions/**/*.py")
CONTENT = (
    "course/lesson.yaml",
    "course/sections/*.yaml",
    "challenges/*/*.yaml",
    "challenges/*/starter.py",
    "questions/*.yaml",
    "reference/**/*.py",
)
NEEDED = ("jinja2", "nbformat", "numpy", "pydantic", "pyyaml", "pyseccomp")
MOMENT = (1980, 1, 1, 0, 0, 0)  # the same bytes whenever it is built
RUN_OTTER = '''\
"""Runs otter's autograding process; what was handed in is put out of its reach first."""

import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE / "kit"))

from grader.otter_plugin import prepare
from otter.run.run_autograder import main

if __name__ == "__main__":
    prepare(SOURCE.parent)
    main(str(SOURCE.parent))
'''


class AutograderError(Exception):
    """The zip cannot be made; the text says why in one line."""


def build_autograder(lesson: Lesson, out: Path) -> None:
    """Write the zip to the file `out`, whole or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=out.parent) as scratch:
        stage = Path(scratch)
        _generate(lesson, stage)
        with zipfile.ZipFile(stage / "generated.zip") as made:
            files = {name: made.read(name) for name in made.namelist()}
        files["run_otter.py"] = RUN_OTTER.encode()
        files |= {f"kit/{name}": data for name, data in _files(KIT, CODE)}
        files |= {f"lesson/{name}": data for name, data in _files(lesson.root, CONTENT)}
        with zipfile.ZipFile(stage / AUTOGRADER, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                info = zipfile.ZipInfo(name, MOMENT)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                archive.writestr(info, files[name])
        (stage / AUTOGRADER).replace(out)


def _generate(lesson: Lesson, stage: Path) -> None:
    """Let otter make its part: tests, environment, scripts for Gradescope, configuration."""
    tests = stage / "tests"
    tests.mkdir()
    for loaded in lesson.challenges:
        text = verdict_tests(loaded.challenge)
        (tests / f"{loaded.challenge.id}.py").write_text(text, "utf-8")
    if lesson.settings.graded:
        text = question_tests(loaded.question.id for loaded in lesson.questions)
        (tests / f"{QUESTIONS}.py").write_text(text, "utf-8")
    config = {"plugins": [{PLUGIN: {"accept_weak_isolation": False}}]}
    (stage / "otter_config.json").write_text(json.dumps(config), "utf-8")
    pins = "".join(f"{name}=={version(name)}\n" for name in NEEDED)
    (stage / "requirements.txt").write_text(pins, "utf-8")
    major, minor, _ = platform.python_version_tuple()
    command = [sys.executable, "-W", "ignore", "-m", "otter", "generate", "--tests-dir", "tests"]
    command += ["--output-path", "generated.zip", "--config", "otter_config.json"]
    command += ["--requirements", "requirements.txt", "--no-environment"]
    command += ["--python-version", f"{major}.{minor}"]
    paths = os.pathsep.join(filter(None, [str(KIT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command,
        cwd=stage,
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise AutograderError(f"otter generate failed: {last}")


def _files(root: Path, patterns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for pattern in patterns:
        for file in sorted(root.glob(pattern)):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix(), file.read_bytes()
