"""Pictures of every section as readers see it, to be looked at: `make screenshots`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser import ROOT, chromium

PICTURES = ROOT / "course" / "theme" / "pictures"
WAYS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


def main() -> None:
    """Write `<way>/<number>-<section>.png` and `print.pdf`."""
    parser = argparse.ArgumentParser(description=__doc__)
    build = ROOT / "build"
    parser.add_argument("--page", type=Path, default=build / "student" / "index.html")
    parser.add_argument("--out", type=Path, default=build / "screenshots")
    parser.add_argument("--readme", action="store_true", help="only the two pictures of README")
    options = parser.parse_args()
    address = options.page.resolve().as_uri()
    with chromium() as browser:
        if options.readme:
            picture_for_readme(browser, address)
            return
        for way, settings in WAYS.items():
            picture_sections(browser, address, settings, options.out / way)
        page = browser.new_page()
        page.goto(address)
        page.pdf(path=options.out / "print.pdf", format="A4", print_background=False)
    print(f"{options.out}  look at them")


def picture_sections(browser: Browser, address: str, settings: dict[str, Any], out: Path) -> None:
    """One picture of each section, whole."""
    with browser.new_context(**settings) as context:
        page = context.new_page()
        page.goto(address)
        for number, section in enumerate(sections(page), start=1):
            page.evaluate("id => { location.hash = id }", section)
            for editor in page.locator(".cm-editor:visible").all():
                editor.scroll_into_view_if_needed()  # it measures itself when it is seen
            page.wait_for_timeout(150)
            page.screenshot(path=out / f"{number:02d}-{section}.png", full_page=True)


def picture_for_readme(browser: Browser, address: str) -> None:
    """The explorer with the future blocked, and a question with its reply."""
    page = browser.new_page(viewport={"width": 1180, "height": 820})
    page.goto(f"{address}#explorer?tokens=red,blue,red&causal=1&row=1")
    page.locator(".controls").evaluate("e => e.scrollIntoView()")
    page.screenshot(path=PICTURES / "explorer.png")
    page.goto(f"{address}#heads")
    question = page.locator("form.question").nth(1)
    question.locator("input").first.check()
    question.get_by_role("button", name="Check answer").click()
    question.evaluate("e => e.scrollIntoView()")
    page.screenshot(path=PICTURES / "questions.png")


def sections(page: Page) -> list[str]:
    """The ids of all sections, in order."""
    ids: list[str] = page.evaluate("[...document.querySelectorAll('.section')].map(s => s.id)")
    return ids


if __name__ == "__main__":
    main()
