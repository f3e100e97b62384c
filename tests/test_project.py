"""The project's own files agree with each other."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent


def _locked() -> dict[str, set[Version]]:
    """Package name → the versions that requirements.lock pins (one a marker)."""
    pins: dict[str, set[Version]] = {}
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line):
            name = match[1].lower().replace("_", "-")
            pins.setdefault(name, set()).add(Version(match[2]))
    return pins


def test_every_requirement_is_locked_at_a_version_that_it_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    locked = _locked()
    assert locked, "requirements.lock pins nothing"
    for requirement in [Requirement(line) for group in groups for line in group]:
        pins = locked.get(requirement.name.lower().replace("_", "-"))
        assert pins, f"{requirement.name} is not in requirements.lock; run `make lock`"
        assert all(requirement.specifier.contains(pin) for pin in pins), requirement


def test_the_installed_packages_are_the_locked_ones() -> None:
    locked = _locked()
    for name in ("numpy", "otter-grader", "pydantic", "pyyaml", "markdown-it-py", "pytest"):
        assert Version(version(name)) in locked[name]


def test_the_top_level_holds_only_the_folders_that_the_project_has() -> None:
    known = {"course", "questions", "challenges", "reference", "grader", "tests"}
    made = {"build", "results", "node_modules", "__pycache__"}
    folders = {p.name for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".")}
    assert folders - made == known
