"""JSON for `jupyterquiz.display_quiz`.

jupyterquiz takes a range as [from, to): the upper end is moved up by the smallest step there is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from questions.exports.markup import html
from questions.item import Item, ItemNumber


def write(title: str, items: Sequence[Item]) -> bytes:
    """A list of questions; jupyterquiz has no place for the title."""
    # jupyterquiz reads the file in the machine's own encoding, so everything is kept to ASCII.
    return (json.dumps([_question(item) for item in items], indent=1) + "\n").encode("ascii")


def _question(item: Item) -> dict[str, Any]:
    if item.number is not None:
        kind, answers = "numeric", _numbers(item.number)
    else:
        kind = "many_choice" if item.kind == "several-choices" else "multiple_choice"
        answers = [
            {"answer": _text(c.text), "correct": c.right, "feedback": _text(c.reply)}
            for c in item.choices
        ]
    return {"question": _text(item.prompt), "type": kind, "answers": answers}


def _numbers(number: ItemNumber) -> list[dict[str, Any]]:
    found = [_range(number.answer, number.tolerance, True, number.right_reply)]
    for value, reply in number.known_wrong:
        found.append(_range(value, number.tolerance, False, reply))
    return [*found, {"type": "default", "feedback": _text(number.wrong_reply)}]


def _range(value: float, tolerance: float, right: bool, reply: str) -> dict[str, Any]:
    ends = [value - tolerance, math.nextafter(value + tolerance, math.inf)]
    return {"type": "range", "range": ends, "correct": right, "feedback": _text(reply)}


def _text(markdown: str) -> str:
    """HTML in which a dollar or `](` is not taken for the start of a formula or of a link."""
    return html(markdown).replace("$", "&#36;").replace("](", "]&#40;")
