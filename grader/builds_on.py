"""Which of a student's functions call which, read from the text of their code.

The text is only searched, never parsed or run here: a student's code may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from grader.outcome import Cell

DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")
LONGEST = 200_000
"""Longer sources are not looked at."""


def builds_on(cells: Sequence[Cell], functions: Collection[str]) -> dict[str, set[str]]:
    """For each of `functions`, which of the others it uses, by itself or through helpers."""
    source = "\n".join(cell.source[:LONGEST].decode("utf-8", "replace") for cell in cells)
    uses: dict[str, set[str]] = {}
    starts = list(DEFINITION.finditer(source))
    for start in starts:
        uses[start[1]] = set(NAME.findall(_body(source, start.end())))
    return {name: _reached(name, uses) & set(functions) - {name} for name in functions}


def _body(source: str, start: int) -> str:
    """The indented lines that follow a definition, comments left out."""
    lines: list[str] = []
    for line in source[start:].splitlines()[1:] if "\n" in source[start:] else []:
        if line[:1] not in {"", " ", "\t", "#", ")"}:
            break
        lines.append(line.split("#", 1)[0])
    return "\n".join([source[start:].split("\n", 1)[0], *lines])


def _reached(name: str, uses: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for other in uses.get(waiting.pop(), set()) & uses.keys() - reached:
            reached.add(other)
            waiting.append(other)
    return reached
