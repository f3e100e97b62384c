"""Moodle XML, for Question bank, Import.

Moodle has no all-or-nothing question of several choices without a plugin: there the right choices
share the mark, and any wrong one takes all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from questions.exports.markup import html
from questions.item import ExportError, Item, ItemNumber

_SHARES = {
    1: "100", 2: "50", 3: "33.33333", 4: "25", 5: "20",
    6: "16.66667", 7: "14.28571", 8: "12.5", 9: "11.11111", 10: "10",
}  # fmt: skip
"""The fractions that Moodle's import accepts for n right choices, as it writes them."""

_PLAIN = "moodle_auto_format"


def write(title: str, items: Sequence[Item]) -> bytes:
    """The questions in one category called `title`."""
    quiz = ElementTree.Element("quiz")
    category = ElementTree.SubElement(quiz, "question", type="category")
    _text(category, "category", "$course$/top/" + title.replace("/", "//"))
    for item in items:
        _question(quiz, item)
    ElementTree.indent(quiz)
    text: bytes = ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _question(quiz: ElementTree.Element, item: Item) -> None:
    kinds = {"true-false": "truefalse", "number": "numerical"}
    question = ElementTree.SubElement(quiz, "question", type=kinds.get(item.kind, "multichoice"))
    _text(question, "name", item.id)
    _text(question, "questiontext", html(item.prompt), format="html")
    _text(question, "generalfeedback", "", format="html")
    for tag, value in {"defaultgrade": "1", "penalty": "0.3333333", "hidden": "0"}.items():
        ElementTree.SubElement(question, tag).text = value
    ElementTree.SubElement(question, "idnumber").text = item.id
    if item.number is not None:
        _numbers(question, item.number)
    elif item.kind == "true-false":
        for word, choice in zip(("true", "false"), item.choices, strict=True):
            _answer(question, "100" if choice.right else "0", word, _PLAIN, choice.reply)
    else:
        _choices(question, item)


def _choices(question: ElementTree.Element, item: Item) -> None:
    several = item.kind == "several-choices"
    right = sum(choice.right for choice in item.choices)
    if right not in _SHARES:
        raise ExportError(f"question {item.id}: Moodle takes 1 to 10 right choices, not {right}")
    settings = {
        "single": "false" if several else "true",
        "shuffleanswers": "false",
        "answernumbering": "abc",
    }
    for tag, value in settings.items():
        ElementTree.SubElement(question, tag).text = value
    for choice in item.choices:
        fraction = _SHARES[right] if choice.right else "-100" if several else "0"
        _answer(question, fraction, html(choice.text), "html", choice.reply)


def _numbers(question: ElementTree.Element, number: ItemNumber) -> None:
    tolerance = repr(number.tolerance)
    _answer(question, "100", repr(number.answer), _PLAIN, number.right_reply, tolerance)
    for value, reply in number.known_wrong:
        _answer(question, "0", repr(value), _PLAIN, reply, tolerance)
    _answer(question, "0", "*", _PLAIN, number.wrong_reply, "0")


def _answer(
    question: ElementTree.Element,
    fraction: str,
    text: str,
    form: str,
    reply: str,
    tolerance: str | None = None,
) -> None:
    answer = ElementTree.SubElement(question, "answer", {"fraction": fraction, "format": form})
    ElementTree.SubElement(answer, "text").text = text
    _text(answer, "feedback", html(reply), format="html")
    if tolerance is not None:
        ElementTree.SubElement(answer, "tolerance").text = tolerance


def _text(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    element = ElementTree.SubElement(parent, tag, attributes)
    ElementTree.SubElement(element, "text").text = text
