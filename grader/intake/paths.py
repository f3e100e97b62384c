"""Which submissions the paths of a command name."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from grader.downloads import read_path

METADATA = "submission_metadata.yml"  # Gradescope's list of submitters, beside the submissions
SUFFIXES = (".py", ".ipynb")
RULE = (
    "A file or a zip is one submission. A folder that itself holds the hand-in file "
    "(NAME.py or NAME.ipynb) is one submission. Any other folder is a class: each file, zip and "
    "folder directly in it is one submission (names that begin with a dot are left out)."
)


def discover(paths: Sequence[str], hand_in: str) -> Iterator[str]:
    """The path of each submission, as given; a class folder's name comes before its members'.

    Raises FileNotFoundError for a path that is not there.
    """
    for path in paths:
        Path(path).lstat()
        if not Path(path).is_dir():
            yield path
            continue
        if Path(path).is_symlink():  # a link is followed where the operator names it, only there
            path = str(Path(path).resolve())  # noqa: PLW2901
        with os.scandir(path) as entries:
            names = [e.name for e in entries if not e.name.startswith(".") and e.name != METADATA]
        if not names or any(_is_hand_in(name, hand_in) for name in names):
            yield path
            continue
        for name in sorted(names):
            yield str(Path(path) / name)


def student_of(path: str, hand_in: str) -> str:
    """Who handed it in, as far as the path says."""
    return read_path(Path(path), hand_in).label


def _is_hand_in(name: str, hand_in: str) -> bool:
    return name.casefold() in {hand_in.casefold() + suffix for suffix in SUFFIXES}


def shown(path: str) -> str:
    """A path as text that can be written anywhere, whatever bytes its name has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def submission_id(path: str) -> str:
    """A file name for the feedback, safe anywhere, that belongs to this path only."""
    parts = PurePosixPath(path).parts[-2:]
    slug = re.sub(r"[^A-Za-z0-9]+", "-", "-".join(parts)).strip("-")[-48:].strip("-")
    return f"{slug or 'submission'}-{hashlib.sha256(path.encode()).hexdigest()[:10]}"
