"""The scripts of the page, as one text that stands inside it."""

from __future__ import annotations

from pathlib import Path

SCRIPTS = Path(__file__).parent / "theme" / "scripts"


def page_scripts() -> str:
    """All scripts of the theme, in the order of their names."""
    return "\n".join(file.read_text("utf-8") for file in sorted(SCRIPTS.glob("*.js")))
