"""Where templates come from: one Jinja environment for HTML, one for plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

THEME = Path(__file__).parent / "theme"
_OPTIONS: dict[str, Any] = {
    "loader": FileSystemLoader(THEME / "templates"),
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}


def html_environment() -> Environment:
    """For pages: whatever is not markup already is escaped."""
    return Environment(autoescape=True, **_OPTIONS)


def plain_template(name: str) -> Template:
    """A template of Markdown or Python, where nothing is escaped."""
    return Environment(autoescape=False, **_OPTIONS).get_template(name)
