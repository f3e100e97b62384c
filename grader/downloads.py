"""Read who handed something in from a path, as the usual systems name what they let staff download.

Only names and Gradescope's `submission_metadata.yml` are read, never what a student wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

System = Literal["canvas", "moodle", "gradescope", "plain", "recorded"]

_CANVAS = re.compile(r"(?P<name>.+?)_(?P<late>LATE_)?(?P<user>\d+)_(?P<file>\d+)_(?P<rest>.+)")
_MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<participant>\d+)_assignsubmission_\w*.*")
_GRADESCOPE = re.compile(r"submission_\d+")
_METADATA = "submission_metadata.yml"
_MOST_METADATA = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of one person; empty where nothing is.

    `squeezed` is a name as Canvas writes it, lower case and run together, last name first.
    `number` is the system's own: Canvas's user id, Moodle's participant.
    """

    id: str = ""
    email: str = ""
    name: str = ""
    squeezed: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class Clue:
    """What a path says of a submission: who (several in a group), when, whether late.

    `words` are parts of the name that may be an id, an account or a name.
    """

    system: System
    people: tuple[Person, ...] = ()
    words: tuple[str, ...] = ()
    late: bool = False
    submitted: datetime | None = None

    @property
    def label(self) -> str:
        """The people as a gradebook without a roster names them."""
        known = [person.id or person.email or person.name or person.squeezed
                 for person in self.people]  # fmt: skip
        return "; ".join(filter(None, known)) or (self.words[0] if self.words else "")


def read_path(path: Path, hand_in: str) -> Clue:
    """The clue in a path's own name and, for a file called like the handout, in its folder's."""
    for name in (path.name, path.parent.name):
        if match := _MOODLE.fullmatch(name):
            person = Person(name=match["name"].strip(), number=match["participant"])
            return Clue("moodle", (person,))
        if match := _CANVAS.fullmatch(name):
            person = Person(squeezed=match["name"], number=match["user"])
            return Clue("canvas", (person,), late=bool(match["late"]))
    for folder in (path, path.parent):
        if _GRADESCOPE.fullmatch(folder.name):
            entry = _metadata(folder.parent / _METADATA).get(folder.name)
            if isinstance(entry, dict):
                return _gradescope(entry)
    stem = re.escape(hand_in)
    own = path.stem if path.suffix in {".py", ".ipynb", ".zip"} else path.name
    if re.fullmatch(rf"({stem}|submission|main)([ _-]?\(?\d+\)?)?", own, re.I):
        own = path.parent.name
    name = re.sub(rf"^{stem}[ _-]+|[ _-]+{stem}$", "", own, flags=re.I)
    return Clue("plain", words=_words(name))


def _words(name: str) -> tuple[str, ...]:
    """The whole name; then, for `attention-octo-cat`, what follows each dash; then single parts."""
    dashes = name.split("-")
    tails = ["-".join(dashes[start:]) for start in range(1, len(dashes))]
    parts = re.split(r"[_\s]+|(?<=\w)-(?=\w)", name)
    return tuple(dict.fromkeys(word for word in (name, *tails, *parts) if word))


def _gradescope(entry: dict[str, Any]) -> Clue:
    listed = entry.get(":submitters")
    people = tuple(
        Person(*(str(one.get(key) or "").strip() for key in (":sid", ":email", ":name")))
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict)
    )
    created = entry.get(":created_at")
    if isinstance(created, datetime) and created.tzinfo is None:
        created = created.replace(tzinfo=UTC)
    return Clue("gradescope", people, submitted=created if isinstance(created, datetime) else None)


@lru_cache(maxsize=4)
def _metadata(file: Path) -> dict[str, Any]:
    """Gradescope's list of submitters; empty where there is none that can be read."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if file.is_symlink() or file.stat().st_size > _MOST_METADATA:
            return {}
        data = yaml.load(file.read_bytes(), loader)
    except (OSError, yaml.YAMLError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
