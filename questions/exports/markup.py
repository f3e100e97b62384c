"""Markdown as the HTML that quiz systems take, formulas left to their MathJax."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin


def _inline(_self: Any, tokens: Sequence[Token], index: int, _o: Any, _e: Any) -> str:
    return rf"\({escape(tokens[index].content.strip())}\)"


def _block(_self: Any, tokens: Sequence[Token], index: int, _o: Any, _e: Any) -> str:
    return rf"\[{escape(tokens[index].content.strip())}\]"


def _renderer() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.use(dollarmath_plugin, allow_space=False)
    for name, rule in {"math_inline": _inline, "math_block": _block}.items():
        markdown.add_render_rule(name, rule)
    return markdown


_markdown = _renderer()


def html(text: str) -> str:
    """Markdown as HTML; a single paragraph comes without its `<p>`."""
    rendered = str(_markdown.render(text)).strip()
    if rendered.count("<p>") == 1 and rendered.startswith("<p>") and rendered.endswith("</p>"):
        return rendered[3:-4]
    return rendered
