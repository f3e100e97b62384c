"""The report in a browser: axe finds nothing, nothing moves sideways, nothing is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from grader.__main__ import main
from tests.browser import Watched, npm_package
from tests.made_class import Made, write_class
from tests.test_page_access import complaints
from tests.test_report import CLASS, TINY

pytestmark = pytest.mark.browser
WAYS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 320, "height": 740}, "has_touch": True, "is_mobile": True},
    "print": {"viewport": {"width": 700, "height": 990}},
}


@pytest.fixture(scope="module")
def report_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report of two runs, with every section."""
    folder = tmp_path_factory.mktemp("report")
    answers = {"shorter": (True, [0]), "true-of-width": (False, [1])}
    answered = [Made(f"class/{i}.py", ("pass",) * 4, answers=answers) for i in range(12)]
    new = write_class(folder / "new", [*CLASS, *answered])
    old = write_class(folder / "old", [*CLASS[1:], Made("class/ann.py", ("fail",) * 4)])
    assert main(["report", str(new), "--against", str(old), "--lesson", str(TINY)]) == 0
    return (Path(new) / "report.html").as_uri()


@pytest.mark.parametrize("way", WAYS)
def test_nothing_to_complain_of(browser: Browser, report_page: str, way: str) -> None:
    # The page forbids all scripts: axe needs that lifted.
    with browser.new_context(**WAYS[way], bypass_csp=True) as context:
        page = context.new_page()
        watched = Watched(page)
        if way == "print":
            page.emulate_media(media="print")
        page.goto(report_page)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, "the page moves sideways"
        assert watched.errors == []
        assert watched.outside == []
        page.add_script_tag(path=npm_package("axe-core") / "axe.min.js")
        assert complaints(page) == []


def test_chart_text_can_be_read(browser: Browser, report_page: str) -> None:
    """All chart text stands out from the ground, in the light and in the dark."""
    measure = """() => {
        const light = css => {
            const [r, g, b] = css.match(/[\\d.]+/g).map(Number).map(v => {
                const c = v / 255;
                return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = light(getComputedStyle(document.documentElement).backgroundColor);
        return [...document.querySelectorAll("figure svg text")].map(text => {
            const ink = light(getComputedStyle(text).fill);
            return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
        });
    }"""
    for way in ("light", "dark"):
        with browser.new_context(**WAYS[way]) as context:
            page = context.new_page()
            page.goto(report_page)
            ratios = page.evaluate(measure)
            assert len(ratios) > 50
            assert min(ratios) >= 4.5
