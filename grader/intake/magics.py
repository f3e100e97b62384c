"""Lines that only a notebook understands (`%matplotlib inline`, `!pip install`), taken out."""

from __future__ import annotations

import ast
import re
import warnings

# Worth a closer look: a line that begins with % ! or ?, assigns from one, or ends in ?.
SUSPECT = re.compile(rb"^[ \t]*[%!?]|^[ \t]*get_ipython\(\)|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
# Cell magics whose body is ordinary Python that runs in the notebook (or is saved as a module).
BODY_IS_PYTHON = re.compile(rb"\A\s*%%(time|timeit|capture|prun|writefile|python3?)\b[^\n]*")


LARGEST_SOURCE = 256 << 10  # bytes of code in a hand-in; a whole lesson's is a tenth of it
PARSED = 2 << 20  # bytes that are given to the parser for one hand-in, over all tries


class Magics:
    """Takes such lines out of the pieces of one hand-in, within one allowance of work."""

    def __init__(self) -> None:
        self._left = PARSED

    def without(self, source: bytes) -> tuple[bytes, int]:
        """The source with each such line replaced by `pass`, and how many there were.

        A line goes only where Python's own parser stumbles on it, so that `% b` in a long
        expression or `!` in a text stays. What follows such a line begins a statement.
        """
        if not SUSPECT.search(source):
            return source, 0
        if source.lstrip().startswith(b"%%"):
            match = BODY_IS_PYTHON.match(source)
            if match is None:
                return b"pass\n", 1
            source, count = b"pass" + source[match.end() :], 1
        else:
            count = 0
        lines = source.split(b"\n")
        for index, line in enumerate(lines):
            if line.lstrip().startswith(b"get_ipython()"):
                lines[index] = _passed(line)
                count += 1
        while self._left > 0:
            self._left -= len(source)
            stumble = _stumble(b"\n".join(lines))
            if stumble is None or not 0 < stumble <= len(lines):
                break
            if not SUSPECT.search(lines[stumble - 1]):
                break
            for index in range(stumble - 1, len(lines)):
                if index >= stumble and lines[index].lstrip()[:1] not in (b"%", b"!"):
                    break
                lines[index] = _passed(lines[index])
                count += 1
        return b"\n".join(lines), count


def _passed(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip())] + b"pass"


def _stumble(source: bytes) -> int | None:
    """The line on which the parser stops; None if it comes to the end (or cannot say)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        return error.lineno
    except (ValueError, RecursionError, MemoryError):
        return None
    return None
