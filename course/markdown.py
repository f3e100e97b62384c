"""Markdown and LaTeX to HTML: prose, one-line texts, formulas as MathML, marked words."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin


class FormulaError(ValueError):
    """A formula that cannot be read as LaTeX; the text says which and why."""


def formula(latex: str, *, display: bool = False) -> Markup:
    """One formula as MathML; raises FormulaError."""
    bare = re.sub(r"\\[{}]", "", latex)
    if bare.count("{") != bare.count("}"):
        raise FormulaError(f"formula {latex!r} is not readable: its braces do not pair up")
    try:
        mathml = convert(latex.strip(), display="block" if display else "inline")
    except Exception as error:  # the library raises a type of its own for each mistake
        reason = str(error) or type(error).__name__
        raise FormulaError(f"formula {latex!r} is not readable: {reason}") from error
    if unknown := re.search(r"\\[A-Za-z]+", mathml):
        raise FormulaError(f"formula {latex!r}: {unknown[0]} is not known")
    # The library takes ∞ for an operator, which sets a gap between it and its sign.
    return Markup(mathml.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>"))


def _dollar(latex: str, options: dict[str, Any]) -> str:
    return str(formula(latex, display=options["display_mode"]))


_parser = (
    MarkdownIt("commonmark", {"html": False, "typographer": True})
    .enable(["table", "smartquotes"])
    .use(dollarmath_plugin, allow_space=False, renderer=_dollar)
)


_parser.add_render_rule("th_open", lambda *_: '<th scope="col">')


def prose(text: str) -> Markup:
    """Paragraphs, lists, tables and code of a Markdown text."""
    return Markup(_parser.render(text))


def inline(text: str) -> Markup:
    """A Markdown text of one line, without a paragraph around it."""
    return Markup(_parser.renderInline(text.strip()))


def marked(sentence: str) -> Markup:
    """A sentence whose `==words==` are marked: visibly, and in words for a screen reader."""
    html = re.sub(
        r"==(.+?)==",
        r'<mark><span class="unseen">[marked: </span>\1<span class="unseen">]</span></mark>',
        str(inline(sentence)),
    )
    return Markup(html)
