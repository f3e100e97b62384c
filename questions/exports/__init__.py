"""Questions for other systems: `FORMATS` maps a format's name to how it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from questions.exports import jupyterquiz, moodle, qti
from questions.item import Item


@dataclass(frozen=True)
class Format:
    """A format: the name of its file, and its bytes for a title and items (always the same)."""

    file_name: str
    write: Callable[[str, Sequence[Item]], bytes]


FORMATS = {
    "qti": Format("questions-qti.zip", qti.write),
    "moodle": Format("questions-moodle.xml", moodle.write),
    "jupyterquiz": Format("questions-jupyterquiz.json", jupyterquiz.write),
}
