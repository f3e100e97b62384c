"""Canvas (classic and new quizzes): a QTI 1.2 zip, made by text2qti from its own text format.

What Canvas cannot hold is left out: replies to known wrong numbers, and more than four decimals.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

from questions.item import ExportError, Item, ItemNumber

_DATE = "2000-01-01"
_SMALLEST = 0.0001  # of a number or a tolerance in Canvas


def write(title: str, items: Sequence[Item]) -> bytes:
    """The zip that Canvas imports (Settings, Import Course Content, QTI .zip file)."""
    try:
        from text2qti.config import Config  # noqa: PLC0415
        from text2qti.err import Text2qtiError  # noqa: PLC0415
        from text2qti.qti import QTI  # noqa: PLC0415
        from text2qti.quiz import Quiz  # noqa: PLC0415
    except ImportError as error:
        raise ExportError("text2qti is missing; pip install text2qti") from error
    try:
        qti = QTI(Quiz(text(title, items), config=Config()))
    except Text2qtiError as error:
        raise ExportError(f"text2qti: {error}") from error
    folder = qti.assessment_identifier
    # text2qti dates the manifest and the members with today; the same questions give the same file.
    manifest = re.sub(r"(<imsmd:dateTime>)[^<]*", rf"\g<1>{_DATE}", qti.imsmanifest_xml)
    members = {
        "imsmanifest.xml": manifest,
        f"{folder}/assessment_meta.xml": qti.assessment_meta,
        f"{folder}/{folder}.xml": qti.assessment,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), content, 8)
    return stream.getvalue()


def text(title: str, items: Sequence[Item]) -> str:
    """The questions in text2qti's text format."""
    lines = [_block("Quiz title: ", title)]
    for number, item in enumerate(items, start=1):
        lines += ["", _block("Title: ", item.id), _block(f"{number}. ", item.prompt)]
        if item.number is not None:
            lines += _number(item.id, item.number)
        for index, choice in enumerate(item.choices):
            if item.kind == "several-choices":
                mark = "[*] " if choice.right else "[ ] "
            else:
                mark = ("*" if choice.right else "") + f"{chr(ord('a') + index)}) "
            shown = choice.text if item.kind != "true-false" else ("True", "False")[index]
            lines += [_block(mark, shown), _block("... ", choice.reply)]
    return "\n".join(lines) + "\n"


def _block(mark: str, content: str) -> str:
    """Content after its mark, further lines indented to where it starts."""
    return mark + content.replace("\n", "\n" + " " * len(mark))


def _number(name: str, number: ItemNumber) -> list[str]:
    answer, tolerance = number.answer, number.tolerance
    if tolerance == 0 and answer == int(answer) and answer != 0:
        asked = f"= {int(answer)}"
    elif tolerance < _SMALLEST or min(abs(answer - tolerance), abs(answer + tolerance)) < _SMALLEST:
        raise ExportError(
            f"question {name}: Canvas keeps four decimals and takes no bound of zero; "
            f"{answer:g} ± {tolerance:g} cannot be asked there"
        )
    else:
        asked = f"= {answer!r} +- {tolerance!r}"
    return [_block("+ ", number.right_reply), _block("- ", number.wrong_reply), asked]
