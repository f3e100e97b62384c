"""The questions: each kind's control, reply at once, another try, memory, progress."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from challenges.load import LESSON_ROOT
from course.lesson import load_lesson
from course.page import render_page
from questions.model import Number, Question, SeveralChoices
from questions.scoring import read_answers, score
from tests.browser import Watched

pytestmark = pytest.mark.browser
LESSON = load_lesson(LESSON_ROOT)


@pytest.fixture
def page(browser: Browser, lesson_page: str) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        watched = Watched(page)
        page.goto(lesson_page)
        yield page
        assert watched.errors == []
        assert watched.outside == []


def form(page: Page, question: Question) -> Locator:
    """The question's form, in its section."""
    page.evaluate(
        "id => { location.hash = document.getElementById(id).closest('.section').id }",
        f"question-{question.id}",
    )
    return page.locator(f"#question-{question.id}")


def give(place: Locator, question: Question, right: bool = True) -> None:
    if isinstance(question, Number):
        answer = LESSON.question(question.id).numbers[("answer",)]
        place.get_by_label("Your number").fill(f"{answer if right else answer + 7:.4f}")
    else:
        for index, choice in enumerate(question.choices):
            if choice.right == right:
                place.locator("input").nth(index).check()
    place.get_by_role("button", name="Check answer").click()


@pytest.mark.parametrize("loaded", LESSON.questions, ids=lambda q: q.question.id)
def test_right_and_wrong_get_their_own_reply(page: Page, loaded: object) -> None:
    question: Question = loaded.question  # type: ignore[attr-defined]
    place = form(page, question)
    controls = {"number": "text", "several-choices": "checkbox"}
    assert place.locator("input").first.get_attribute("type") == controls.get(
        question.kind, "radio"
    )
    give(place, question, right=False)
    expect(place.locator(".verdict")).to_have_text("Not yet.")
    wrong = place.locator(".reply").inner_text()
    place.get_by_role("button", name="Try again").click()
    expect(place.locator(".reply")).to_be_empty()
    expect(place.locator("input").first).to_be_focused()
    give(place, question)
    expect(place.locator(".verdict")).to_have_text("That is right.")
    assert place.locator(".reply").inner_text() != wrong


def test_a_known_wrong_number_gets_its_own_reply(page: Page) -> None:
    loaded = next(q for q in LESSON.questions if isinstance(q.question, Number))
    place = form(page, loaded.question)
    replies = set()
    assert isinstance(loaded.question, Number)
    values = [
        loaded.numbers[("known_wrong", i, "value")] for i in range(len(loaded.question.known_wrong))
    ]
    for text in [*(f"{value:.4f}" for value in values), "17", "many"]:
        place.get_by_label("Your number").fill(text)
        page.keyboard.press("Enter")
        replies.add(place.locator(".reply").inner_text())
    assert len(replies) == len(values) + 2


@pytest.mark.parametrize(
    "text", ["0.6225", " .6225 ", "0,6225", "62.25 %", "6225/10000", "+0.6225"]
)
def test_a_number_may_be_written_as_people_do(page: Page, text: str) -> None:
    question = LESSON.question("blue-masked-share").question
    place = form(page, question)
    place.get_by_label("Your number").fill(text)
    page.keyboard.press("Enter")
    expect(place.locator(".verdict")).to_have_text("That is right.")


def test_a_half_right_pick_of_several_says_that_more_is_right(page: Page) -> None:
    question = next(q.question for q in LESSON.questions if isinstance(q.question, SeveralChoices))
    place = form(page, question)
    first = next(i for i, choice in enumerate(question.choices) if choice.right)
    place.locator("input").nth(first).check()
    place.get_by_role("button", name="Check answer").click()
    expect(place.locator(".nudge")).to_contain_text("more choice")


def test_answers_are_remembered_and_counted(page: Page) -> None:
    quiz = LESSON.questions[0].question
    give(form(page, quiz), quiz)
    expect(page.locator(".quiz-progress-text").first).to_have_text("1 of 5 answered rightly")
    page.reload()
    expect(page.locator(".quiz-progress-text").first).to_have_text("1 of 5 answered rightly")
    expect(page.locator(f"#question-{quiz.id} .verdict")).to_have_text("That is right.")


def test_no_answer_yet_is_said(page: Page) -> None:
    place = form(page, LESSON.questions[0].question)
    place.get_by_role("button", name="Check answer").click()
    expect(place.locator(".reply")).to_have_text("Choose an answer first.")


def test_graded_answers_are_saved_to_a_file_that_can_be_scored(
    browser: Browser, tmp_path: Path
) -> None:
    graded = replace(LESSON, settings=LESSON.settings.model_copy(update={"graded": True}))
    file = tmp_path / "graded.html"
    file.write_text(render_page(graded), "utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for loaded in LESSON.questions:
            question = loaded.question
            place = form(page, question)
            if isinstance(question, Number):
                place.get_by_label("Your number").fill(f"{loaded.numbers[('answer',)]:.4f}")
            else:
                for index, choice in enumerate(question.choices):
                    if choice.right:
                        place.locator("input").nth(index).check()
            place.get_by_role("button", name="Save answer").click()
            expect(place.locator(".reply")).to_contain_text("Saved on this device.")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download answers.json").click()
        saved = Path(download.value.path()).read_bytes()
    assert all(score(LESSON.questions, read_answers(saved)).values())
