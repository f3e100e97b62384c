"""Which of a student's functions call which, read from the text of their code.

The text is only searched, never parsed or run here: a student's code may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from grader.outcome import Cell

DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+([A-Za-z_]\w*)")
NAME = re.compile(r"[A-Za-z_]\w*")
_INSIDE = {"", " ", "\t", "#", ")"}
LONGEST = 200_000
"""Longer sources are not looked at."""


def builds_on(cells: Sequence[Cell], functions: Collection[str]) -> dict[str, set[str]]:
    """For each of `functions`, which of the others it uses, by itself or through helpers."""
    uses: dict[str, set[str]] = {}
    body: set[str] = set()
    for cell in cells:
        for line in cell.source[:LONGEST].decode("utf-8", "replace").split("\n"):
            start = DEFINITION.match(line)
            if start is not None:  # the last definition of a name counts
                body = uses[start[1]] = set(NAME.findall(line, start.end()))
            elif line[:1] in _INSIDE:
                body.update(NAME.findall(line.split("#", 1)[0]))
            else:
                body = set()  # at the top again: nobody's
    calls = {name: body & uses.keys() for name, body in uses.items()}
    return {name: _reached(name, calls) & set(functions) - {name} for name in functions}


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for other in calls.get(waiting.pop(), set()) - reached:
            reached.add(other)
            waiting.append(other)
    return reached
