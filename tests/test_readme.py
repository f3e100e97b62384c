"""The README's commands work and print what it says; every command of the kit is named in it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git holds, with this environment in place of one that `make` would have to download."""
    folder = tmp_path_factory.mktemp("clone")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.split(b"\0")
    for name in filter(None, names):
        source, target = ROOT / os.fsdecode(name), folder / os.fsdecode(name)
        if source.exists() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "80"}
    environment["PATH"] = f"{folder / '.venv' / 'bin'}:{environment['PATH']}"
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_make_prints_what_the_readme_says(clone: Path) -> None:
    command = "make --assume-old=.venv/installed"  # no download in a test
    made = _run(command, clone)
    assert made.returncode == 0, made.stdout + made.stderr
    shown = re.search(r"^```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert shown, "the README shows no output"
    printed = _lines(made.stdout)
    for line in _lines(shown[1]):
        assert line == "…" or line in printed, f"`make` does not print: {line}\n{made.stdout}"
    again = _run(command, clone)
    assert "course build" not in again.stdout
    assert "grader grade" not in again.stdout


def test_make_test_is_what_ci_calls() -> None:
    assert "$ make test" in README
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()


@pytest.mark.parametrize("command", re.findall(r"^ *\$ (python -m .*)$", README, re.MULTILINE))
def test_a_command_of_the_readme_works(clone: Path, command: str) -> None:
    done = _run(command, clone)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_of_the_grader_is_named() -> None:
    named = set(re.findall(r"python -m grader ([a-z]+)", README))
    assert set(COMMANDS) <= named
    assert named <= set(COMMANDS)


def test_every_picture_and_path_is_there() -> None:
    for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
    for folder in re.findall(r"^\| `([a-z]+)/` \|", README, re.MULTILINE):
        assert (ROOT / folder).is_dir(), folder
