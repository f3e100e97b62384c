"""Reading: one section at a time, addresses, arrow keys, paper, and no request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from tests.browser import Watched

pytestmark = pytest.mark.browser
SECTIONS = [s.section.id for s in load_lesson(LESSON_ROOT).sections]


@pytest.fixture
def page(browser: Browser, lesson_page: str) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(lesson_page)
        yield page
        assert watched.errors == []
        assert watched.outside == []


def shown(page: Page) -> list[str]:
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('.section')].filter(s => !s.hidden).map(s => s.id)"
    )
    return ids


def test_one_section_at_a_time_by_links_and_history(page: Page) -> None:
    assert shown(page) == SECTIONS[:1]
    expect(page.locator(".previous")).to_be_hidden()
    page.locator(".next").click()
    assert shown(page) == SECTIONS[1:2]
    expect(page.locator(f"#{SECTIONS[1]} h2")).to_be_focused()
    page.locator(".contents a").nth(4).click()
    assert shown(page) == SECTIONS[4:5]
    expect(page.locator(".progress-text")).to_have_text("Section 5 of 10")
    expect(page.locator(".contents a[aria-current=page]")).to_have_count(1)
    page.go_back()
    assert shown(page) == SECTIONS[1:2]
    page.go_forward()
    page.reload()
    assert shown(page) == SECTIONS[4:5]


def test_arrow_keys_move_but_not_while_a_control_is_worked(page: Page) -> None:
    for section in SECTIONS[1:]:
        page.keyboard.press("ArrowRight")
        assert shown(page) == [section]
    page.keyboard.press("ArrowRight")
    assert shown(page) == SECTIONS[-1:]
    page.locator(".cm-content").first.focus()
    page.keyboard.press("ArrowLeft")
    assert shown(page) == SECTIONS[-1:]
    page.evaluate("location.hash = 'explorer'")
    for control in ("#token-0", "#heads-2", "#explorer-causal", "#token-add", "#row-0-0"):
        page.locator(control).focus()
        page.keyboard.press("ArrowLeft")
        assert shown(page) == ["explorer"]
    page.locator("#explorer h2").focus()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == SECTIONS[1:2]


def test_an_address_of_something_inside_a_section_shows_that_section(
    page: Page, lesson_page: str
) -> None:
    page.goto(f"{lesson_page}#challenge-masking")
    assert shown(page) == SECTIONS[-1:]
    expect(page.locator("#challenge-masking h3")).to_be_in_viewport()
    page.goto(f"{lesson_page}#nowhere")
    assert shown(page) == SECTIONS[:1]


def test_paper_shows_every_section(page: Page) -> None:
    page.emulate_media(media="print")
    for section in SECTIONS:
        box = page.locator(f"#{section} h2").bounding_box()
        assert box is not None and box["height"] > 0
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".explorer .heat").first).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_no_sideways_scroll_on_a_phone(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    widest = "explorer?tokens=red,blue,red,green,yellow,red&heads=1&causal=1&positions=1&row=5"
    for section in [*SECTIONS, widest]:
        page.evaluate("id => { location.hash = id }", section)
        page.wait_for_timeout(50)
        assert page.evaluate("document.documentElement.scrollWidth") == width, section


def test_reduced_motion_is_respected(page: Page) -> None:
    moving = """[...document.querySelectorAll('*')].filter(e =>
        parseFloat(getComputedStyle(e).transitionDuration) > 0
        || getComputedStyle(e).animationName !== 'none').length"""
    page.goto(page.url.split("#", maxsplit=1)[0] + "#explorer")
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == 0
