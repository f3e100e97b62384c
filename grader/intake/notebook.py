"""The code cells of a notebook, from its JSON alone: any version, with or without metadata."""

from __future__ import annotations

import json
import re
from typing import Any

from grader.intake.magics import LARGEST_SOURCE, Magics
from grader.intake.refusal import Refusal
from grader.intake.text import conflict_line, readable
from grader.outcome import Cell

MOST_CELLS = 2000
TOO_MUCH = "the notebook holds far more code than this lesson needs"
CELLS_BEGIN = re.compile(r'"cells"\s*:\s*\[')


def notebook_cells(raw: bytes) -> tuple[list[Cell], list[str]]:
    """The code cells as they can be run, and what was repaired; raises Refusal."""
    data, notes = readable(raw)
    found, language = _parsed(data.decode("utf-8", "replace"), notes)
    if language and "python" not in language:
        raise Refusal(f"the notebook is for {language[:40]}, not for Python")
    sources = _sources(found)
    if len(sources) > MOST_CELLS or sum(map(len, sources)) > LARGEST_SOURCE:
        raise Refusal(TOO_MUCH)
    cells: list[Cell] = []
    magics = Magics()
    for number, source in enumerate(sources, start=1):
        name = f"cell {number}"
        text = source.replace("\0", "").encode("utf-8", "replace")
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if conflict_line(text) is not None:
            notes.append(f"{name} was left out: it holds merge conflict markers")
            continue
        text, dropped = magics.without(text)
        if dropped:
            lines = "1 line" if dropped == 1 else f"{dropped} lines"
            notes.append(f"{name}: {lines} that only a notebook understands (% or !) left out")
        if text.strip():
            cells.append(Cell(name, text))
    if not cells:
        raise Refusal("the notebook has no code in it")
    return cells, notes


def _parsed(text: str, notes: list[str]) -> tuple[list[Any], str]:
    """The cells and the language of the notebook, of any notebook format."""
    try:
        book = json.loads(text)
    except RecursionError:
        raise Refusal("the notebook's JSON is nested too deeply") from None
    except ValueError as error:
        if (line := conflict_line(text.encode("utf-8", "replace"))) is not None:
            raise Refusal(
                f"line {line} holds a merge conflict marker; settle the conflict and hand in again"
            ) from None
        cells = _whole_cells(text)
        if not cells:
            raise Refusal(f"the notebook is not whole or no notebook at all ({error})") from None
        notes.append(f"the notebook is cut off; the {len(cells)} cells before that are used")
        return cells, ""
    if not isinstance(book, dict):
        raise Refusal("the file is JSON, but no notebook")
    if isinstance(book.get("worksheets"), list):  # format 3 and before
        sheets = [sheet for sheet in book["worksheets"] if isinstance(sheet, dict)]
        return [c for s in sheets for c in _listed(s.get("cells"))], _language(book)
    if not isinstance(book.get("cells"), list):
        raise Refusal("the file is JSON, but no notebook: it has no cells")
    return book["cells"], _language(book)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _language(book: dict[str, Any]) -> str:
    metadata = book.get("metadata")
    for key, inner in (("language_info", "name"), ("kernelspec", "language")):
        holder = metadata.get(key) if isinstance(metadata, dict) else None
        name = holder.get(inner) if isinstance(holder, dict) else None
        if isinstance(name, str) and name:
            return name.casefold()
    return ""


def _whole_cells(text: str) -> list[Any]:
    """The cells that are complete in a notebook whose end is missing."""
    start = CELLS_BEGIN.search(text)
    if start is None:
        return []
    decoder = json.JSONDecoder()
    cells: list[Any] = []
    position = start.end()
    while len(cells) <= MOST_CELLS:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            cell, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        cells.append(cell)
    return cells


def _sources(cells: list[Any]) -> list[str]:
    found: list[str] = []
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        if isinstance(source, list):
            source = "".join(part for part in source if isinstance(part, str))
        found.append(source if isinstance(source, str) else "")
    return found
