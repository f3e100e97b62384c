"""axe finds nothing to complain of, in every section and every way of looking at the page."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from tests.browser import Watched, npm_package

pytestmark = pytest.mark.browser
SECTIONS = [s.section.id for s in load_lesson(LESSON_ROOT).sections]
WIDEST = "explorer?tokens=red,blue,green,yellow,red,blue&heads=2&causal=1&positions=1&row=3&head=1"
WAYS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "print": {"viewport": {"width": 1280, "height": 900}},
}


@pytest.fixture(
    params=[
        pytest.param(way, marks=[] if way == "light" else [pytest.mark.campaign]) for way in WAYS
    ]
)
def context(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(**WAYS[request.param]) as opened:
        yield opened


def open_page(context: BrowserContext, address: str, way: str) -> Page:
    page = context.new_page()
    page.goto(address)
    if way == "print":
        page.emulate_media(media="print")
    page.add_script_tag(path=npm_package("axe-core") / "axe.min.js")
    return page


def complaints(page: Page) -> list[str]:
    """axe's rule and the place of each violation in what is shown."""
    found: list[str] = page.evaluate(
        """async () => {
            const { violations } = await axe.run(document, { resultTypes: ["violations"] });
            return violations.flatMap(v => v.nodes.map(
                n => `${v.id}: ${n.target} ${n.any.concat(n.all, n.none).map(c => c.message)[0]}`));
        }"""
    )
    return found


def test_axe_finds_nothing(
    context: BrowserContext, lesson_page: str, request: pytest.FixtureRequest
) -> None:
    way = request.node.callspec.params["context"]
    page = open_page(context, lesson_page, way)
    watched = Watched(page)
    found = []
    for section in [WIDEST] if way == "print" else [*SECTIONS, WIDEST]:
        page.evaluate("id => { location.hash = id }", section)
        page.wait_for_timeout(100)
        found += complaints(page)
    assert found == []
    assert watched.errors == []


def test_axe_finds_nothing_in_replies_and_open_folds(
    context: BrowserContext, lesson_page: str, request: pytest.FixtureRequest
) -> None:
    way = request.node.callspec.params["context"]
    page = open_page(context, f"{lesson_page}#heads", way)
    page.evaluate(
        """() => {
            for (const fold of document.querySelectorAll("details")) fold.open = true;
            for (const form of document.querySelectorAll("form.question")) {
                const input = form.querySelector("input");
                if (input.type === "text") input.value = "0.5"; else input.checked = true;
                form.requestSubmit();
            }
        }"""
    )
    assert page.locator(".verdict").count() >= 10
    found = []
    for section in ("heads", "transformer", "build-it"):
        page.evaluate("id => { location.hash = id }", section)
        page.wait_for_timeout(100)
        found += complaints(page)
    assert found == []


def test_heat_map_text_is_readable_at_every_value(browser: Browser, lesson_page: str) -> None:
    for scheme, media in itertools.product(("light", "dark"), ("screen", "print")):
        with browser.new_context(color_scheme=scheme) as context:  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{lesson_page}#explorer")
            page.emulate_media(media=media, reduced_motion="reduce")  # type: ignore[arg-type]
            worst = page.evaluate(
                """() => {
                    const cell = document.querySelector(".explorer .heat td[style]");
                    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
                    const luminance = colour => {
                        canvas.fillStyle = colour;
                        canvas.fillRect(0, 0, 1, 1);
                        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => {
                            const c = v / 255;
                            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                        });
                        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                    };
                    const grounds = [];
                    let worst = 99;
                    for (let share = 0; share <= 1.0001; share += 0.02) {
                        cell.style.setProperty("--share", share);
                        const style = getComputedStyle(cell);
                        const pair = [luminance(style.color), luminance(style.backgroundColor)];
                        grounds.push(pair[1]);
                        const [dark, light] = pair.sort((a, b) => a - b);
                        worst = Math.min(worst, (light + 0.05) / (dark + 0.05));
                    }
                    const steps = grounds.slice(1).map((g, i) => Math.sign(g - grounds[i]));
                    return [worst, new Set(steps).size];
                }"""
            )
            assert worst[0] >= 4.5, (scheme, media)
            assert worst[1] == 1, "lighter and darker must follow the share, for black and white"


def test_every_control_is_reached_and_worked_by_keyboard(
    browser: Browser, lesson_page: str
) -> None:
    """Tab goes through all of a section's controls in order, and none keeps the focus."""
    reachable = "a[href], button, input, select, textarea, summary, [tabindex='0'], .cm-content"
    with browser.new_context() as context:
        page = context.new_page()
        for section in ("explorer", "heads", "transformer", "build-it"):
            page.goto(f"{lesson_page}#{section}")
            page.reload()
            page.wait_for_timeout(300)
            wanted = page.evaluate(
                """selector => {
                    const all = [...document.querySelectorAll(selector)].filter(e =>
                        e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
                        && !e.closest("[hidden]"));
                    const radios = new Set();
                    return all.filter(e => {
                        if (e.type !== "radio") return true;
                        if (radios.has(e.name)) return false;
                        return radios.add(e.name);
                    }).length;
                }""",
                reachable,
            )
            seen = set()
            for _ in range(wanted * 2):
                in_editor = page.evaluate("Boolean(document.activeElement.closest('.cm-content'))")
                if in_editor:
                    page.keyboard.press("Escape")
                page.keyboard.press("Tab")
                key = page.evaluate(
                    """selector => {
                        const e = document.activeElement;
                        const all = [...document.querySelectorAll(selector)];
                        return e === document.body ? -1 : e.type === "radio"
                            ? e.name : all.indexOf(e);
                    }""",
                    reachable,
                )
                if key == -1:
                    break
                seen.add(key)
            assert len(seen) == wanted, section


def test_explorer_by_keyboard(browser: Browser, lesson_page: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{lesson_page}#explorer")
        page.locator("#token-1").focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator("#token-1")).to_have_value("green")
        page.locator("#heads-1").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#heads-2")).to_be_focused()
        expect(page.locator(".explorer .live")).to_contain_text("2 heads of width 2")
        page.locator("#explorer-causal").focus()
        page.keyboard.press("Space")
        expect(page.locator("#explorer-causal")).to_be_checked()
        expect(page.locator("#explorer-causal")).to_be_focused()
        page.locator("#row-1-2").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".walkthrough h4")).to_have_text("Token 3, red, reads with head 2")
        expect(page.locator("#row-1-2")).to_be_focused()
