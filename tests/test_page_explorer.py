"""The explorer: its arithmetic against the reference, its controls, its address."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import reference
from course.scripts import SCRIPTS
from tests.browser import Watched

pytestmark = pytest.mark.browser
COLOURS = ("red", "blue", "green", "yellow")


def sequences() -> list[tuple[str, ...]]:
    """All up to length 4, and a seeded sample of longer ones."""
    short = [s for n in range(1, 5) for s in itertools.product(COLOURS, repeat=n)]
    draw = random.Random(9)
    longer = [tuple(draw.choices(COLOURS, k=n)) for n in (5, 6) for _ in range(15)]
    return short + longer


@pytest.fixture
def page(browser: Browser, lesson_page: str) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(f"{lesson_page}#explorer")
        yield page
        assert watched.errors == []
        assert watched.outside == []


def test_arithmetic_agrees_with_the_reference(browser: Browser) -> None:
    settings = [
        {"tokens": tokens, "heads": heads, "causal": causal, "positions": positions}
        for tokens in sequences()
        for heads in (1, 2, 4)
        for causal in (False, True)
        for positions in (False, True)
    ]
    with browser.new_context() as context:
        page = context.new_page()
        module = (SCRIPTS / "explorers/colour_attention/attention.js").read_text("utf-8")
        text = page.evaluate(
            """async ([module, settings]) => {
                const url = "data:text/javascript;charset=utf-8," + encodeURIComponent(module);
                const { attend } = await import(url);
                const numbers = (key, value) => value === -Infinity ? "-inf" : value;
                return JSON.stringify(JSON.parse(settings).map(attend), numbers);
            }""",
            [module, json.dumps(settings)],
        )
    found: list[dict[str, Any]] = json.loads(text)
    assert len(found) == len(settings) > 4000
    for setting, got in zip(settings, found, strict=True):
        right = reference.FIGURES["colour_attention"](**setting)
        pairs = [(got["inputs"], right["X"]), (got["output"], right["output"])]
        for head, expected in zip(got["heads"], right["heads"], strict=True):
            pairs += [(head[key], expected[key]) for key in ("raw", "scaled", "shares", "result")]
            pairs += [(head["vectors"], expected[role]) for role in "QKV"]
        close([left for left, _ in pairs], [right for _, right in pairs])


def close(got: list[Any], expected: list[Any]) -> None:
    """All tables have the same shapes, and numbers within 1e-12 of each other."""
    assert [np.shape(table) for table in got] == [np.shape(table) for table in expected]
    left, right = (
        np.concatenate([np.array(table, np.float64).ravel() for table in tables])
        for tables in (got, expected)
    )
    assert np.all(np.isclose(left, right, rtol=0, atol=1e-12))


def shares(page: Page, head: int = 0) -> list[list[str]]:
    rows = page.locator(".explorer .head").nth(head).locator(".heat tbody tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


def test_the_figures_of_section_5(page: Page) -> None:
    red = ["0.3837", "0.2327", "0.3837"]
    assert shares(page) == [red, ["0.2741", "0.4519", "0.2741"], red]
    expect(page.locator(".explorer tfoot td").nth(1)).to_have_text("0.9173")


def test_controls_change_numbers_address_and_live_line(page: Page) -> None:
    page.get_by_label("Block future tokens").check()
    assert shares(page)[1] == ["0.3775", "0.6225", "0.0000"]
    live = page.locator(".explorer .live")
    expect(live).to_contain_text("Future tokens are now blocked.")
    expect(page.locator(".explorer td", has_text="−∞").first).to_be_visible()
    page.get_by_label("2", exact=True).check(force=True)
    expect(live).to_contain_text("2 heads of width 2")
    page.get_by_label("Token 3").focus()
    page.get_by_label("Token 3").select_option("yellow")
    expect(page.get_by_label("Token 3")).to_be_focused()
    page.get_by_role("button", name="Add a token").click()
    expect(page.get_by_role("button", name="Add a token")).to_be_focused()
    assert page.url.endswith("#explorer?tokens=red,blue,yellow,red&heads=2&causal=1")
    page.reload()
    assert len(shares(page, 1)) == 4
    page.get_by_role("button", name="Reset").click()
    assert page.url.endswith("#explorer?tokens=red,blue,red")


def test_from_one_to_six_tokens(page: Page) -> None:
    add, remove = (
        page.get_by_role("button", name=name) for name in ("Add a token", "Remove the last token")
    )
    for _ in range(3):
        add.click()
    assert len(shares(page)) == 6
    expect(add).to_have_attribute("aria-disabled", "true")
    for _ in range(5):
        remove.click()
    assert shares(page) == [["1"]]
    expect(remove).to_have_attribute("aria-disabled", "true")


def test_a_row_is_walked_through_with_its_numbers(page: Page) -> None:
    page.get_by_role("button", name="Walk through row 2, blue, of head 1").click()
    walk = page.locator(".walkthrough")
    expect(walk.locator("h4")).to_have_text("Token 2, blue, reads")
    text = walk.inner_text()
    for figure in ("[0, 1, 0, 0]", "0.5", "1.6487", "3.6487", "0.4519", "[0.5481, 0.4519, 0, 0]"):
        assert figure in text
    assert page.url.endswith("row=1")


def test_nonsense_in_the_address_is_put_right(page: Page, lesson_page: str) -> None:
    page.goto(f"{lesson_page}#explorer?tokens=mauve,red&heads=3&row=99&head=x&%E0%A4%A")
    assert shares(page) == [["1"]]


def test_other_sections_open_it_in_their_state(page: Page, lesson_page: str) -> None:
    links = page.locator("section:not(#explorer) a.explorer-link")
    sections = links.evaluate_all("links => links.map(a => a.closest('.section').id)")
    assert sorted(set(sections)) == ["causal-mask", "heads", "matrices", "shares", "transformer"]
    page.goto(f"{lesson_page}#heads")
    page.locator("#heads a.explorer-link").first.click()
    assert shares(page)[0] == ["0.4011", "0.1978", "0.4011"]
    assert shares(page, 1)[0] == ["0.3333"] * 3
    expect(page.locator("#explorer .explorer")).to_be_focused()
    page.go_back()
    expect(page.locator("#heads h2")).to_be_visible()


def test_three_prepared_walks(page: Page) -> None:
    assert page.locator(".walks a").count() == 3
    page.get_by_role("link", name="Block the future").click()
    assert shares(page)[0] == ["1.0000", "0.0000", "0.0000"]
