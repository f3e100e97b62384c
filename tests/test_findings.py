"""Planted mistakes: each is reported with file, line, key, what was found and what was expected."""

import shutil
from pathlib import Path

import pytest

from challenges.source import ContentError
from course.lesson import load_lesson

TINY = Path(__file__).parent / "fixtures" / "tiny"
LESSON = "course/lesson.yaml"
IDEA = "course/sections/01-idea.yaml"
PRACTICE = "course/sections/02-practice.yaml"
SHORTER = "questions/01-shorter.yaml"
MEAN = "questions/02-first-mean.yaml"
WIDTH = "questions/03-true-of-width.yaml"
KINDS = "questions/04-kinds.yaml"
SMOOTH = "challenges/smooth/challenge.yaml"
STARTER = "challenges/smooth/starter.py"

# what is planted: file, text, what it becomes; the finding's key, words of its sentence
MISTAKES: dict[str, tuple[str, str, str, str, str]] = {
    "misspelt key at the top": (
        LESSON, "title: Moving", "titel: Moving", "titel", "unknown key; did you mean 'title'?",
    ),
    "missing key": (LESSON, "title: Moving average\n", "", "title", "missing; this key is required"),
    "misspelt key deep inside": (
        IDEA, "latex: a_i", "latx: a_i", "body[1].latx", "unknown key; did you mean 'latex'?",
    ),
    "a number where text is expected": (
        LESSON, "title: Moving average", "title: 12", "title", "found 12, expected text",
    ),
    "yes where text is expected": (
        IDEA, "title: Smooth a series", "title: yes", "title", "found true, expected text",
    ),
    "nothing where text is expected": (
        IDEA, "title: Smooth a series", "title:", "title", "found nothing, expected text",
    ),
    "empty text": (
        IDEA, "title: Smooth a series", "title: ''", "title", "expected text that is not empty",
    ),
    "text where a number is expected": (
        SMOOTH, "points: 10", "points: ten", "points", "found 'ten', expected a whole number",
    ),
    "text where a list is expected": (
        PRACTICE, "[shorter, first-mean, true-of-width, kinds]", "shorter",
        "body[2].questions", "found 'shorter', expected a list",
    ),
    "a list where a mapping is expected": (
        IDEA, "arguments: {values: [1, 4, 7, 6], width: 2}\nbody", "arguments: [1]\nbody",
        "figures.mean.arguments", "found a list of 1, expected a mapping of keys",
    ),
    "a list that is too short": (
        SMOOTH, '  - "`np.lib.stride_tricks.sliding_window_view` gives all of them at once."\n', "",
        "hints", "found a list of 2, expected at least 3",
    ),
    "unknown kind of block": (
        IDEA, "kind: formula\n", "kind: fromula\n",
        "body[1]", "expected one of text, formula, worked-example",
    ),
    "block without a kind": (
        IDEA, "- kind: note\n    markdown", "- markdown", "body[4]", "the key 'kind' must say",
    ),
    "unknown kind of question": (
        SHORTER, "kind: single-choice", "kind: one-choice", "", "did you mean 'single-choice'?",
    ),
    "neither public nor hidden": (
        SMOOTH, "visibility: public", "visibility: pubic",
        "cases[0].visibility", "expected one of public, hidden; did you mean 'public'?",
    ),
    "a number out of range": (
        SMOOTH, "number: 1", "number: 0", "number", "greater than or equal to 1",
    ),
    "an id with capitals": (SHORTER, "id: shorter", "id: Shorter", "id", "found 'Shorter'"),
    "negative points": (
        SMOOTH, "points: 3", "points: -3", "cases[1].points", "points of 0 or more",
    ),
    "points that do not add up": (
        SMOOTH, "points: 3", "points: 2", "points", "found 10, but the cases total 9",
    ),
    "the same case id twice": (
        SMOOTH, "id: drawn-range", "id: drawn-series", "cases[3].id", "is used 2 times",
    ),
    "a case for a function that is not declared": (
        SMOOTH, "function: moving_average\n    visibility: hidden",
        "function: moving_averge\n    visibility: hidden",
        "cases[1].function", "no function 'moving_averge' in this challenge; did you mean",
    ),
    "an input that is no parameter": (
        SMOOTH, "inputs: {values: [1, 4, 7, 6], width: 2}\n  - id: drawn-series",
        "inputs: {values: [1, 4, 7, 6], widht: 2}\n  - id: drawn-series",
        "cases[0].inputs.widht", "has no parameter 'widht'; did you mean 'width'?",
    ),
    "an input that is missing": (
        SMOOTH, "inputs: {values: [1, 4, 7, 6], width: 2}\n  - id: drawn-series",
        "inputs: {values: [1, 4, 7, 6]}\n  - id: drawn-series",
        "cases[0].inputs", "no input for width of moving_average",
    ),
    "an unknown law": (
        SMOOTH, "seed: 48151", "seed: 48151\n    expect: rows-total-1",
        "cases[1].expect", "did you mean 'rows-total-one'?",
    ),
    "a draw of an unknown kind": (
        SMOOTH, "{draw: normal, shape: [9], scale: 3.0}", "{draw: gauss, shape: [9]}",
        "cases[1].inputs.values.draw", "found 'gauss', expected one of normal, uniform",
    ),
    "a table that is not rectangular": (
        SMOOTH, "values: {draw: normal, shape: [9], scale: 3.0}", "values: [[1, 2], [3]]",
        "cases[1]", "a rectangular table of numbers is expected",
    ),
    "a case that the reference cannot calculate": (
        SMOOTH, "      width: 4", "      width: 40", "cases[1]", "the reference cannot calculate",
    ),
    "a folder that is not the challenge's id": (
        SMOOTH, "id: smooth\n", "id: smoothing\n", "id", "but the folder is 'smooth'",
    ),
    "a starter without the function": (
        STARTER, "def running_range", "def running_rnge", "running_range", "does not define it",
    ),
    "a starter with another signature": (
        STARTER, "def running_range(values, width)", "def running_range(width, values)",
        "running_range", "found running_range(width, values), but the challenge declares",
    ),
    "a starter that is not Python": (STARTER, "def running_range", "def 2nd", "", "not valid Python"),
    "a question that no section carries": (
        PRACTICE, ", kinds]", "]", "id", "no section carries 'kinds'",
    ),
    "a question that is not there": (
        PRACTICE, "first-mean, true", "frist-mean, true",
        "body[2].questions[1]", "no question 'frist-mean'; did you mean 'first-mean'?",
    ),
    "a question that is asked twice": (
        PRACTICE, "[shorter, first", "[shorter, shorter, first",
        "body[2].questions[1]", "'shorter' is asked twice",
    ),
    "a challenge that is not there": (
        PRACTICE, "challenge: smooth", "challenge: smoth",
        "body[3].challenge", "no challenge 'smoth'; did you mean 'smooth'?",
    ),
    "a question about a section that is not there": (
        SHORTER, "section: idea", "section: ideas", "section", "no section 'ideas'",
    ),
    "a part that is not there": (
        IDEA, "part: idea", "part: ideal", "part", "no part 'ideal' in lesson.yaml",
    ),
    "a figure that is not declared": (
        IDEA, "{{ mean.means[0] | fig }}", "{{ means[0] | fig }}",
        "body[0].markdown", "'means' is undefined",
    ),
    "an unknown calculation": (
        IDEA, "    call: window_means\n    arguments: {values: [1, 4, 7, 6], width: 2}\nbody",
        "    call: window_mean\n    arguments: {values: [1, 4, 7, 6], width: 2}\nbody",
        "figures.mean", "no figure 'window_mean'; did you mean 'window_means'?",
    ),
    "arguments that the calculation does not take": (
        MEAN, "width: '{{ width }}'}", "size: 2}", "figures.mean", "window_means cannot be calculated",
    ),
    "an expression with a slip": (
        IDEA, "value: it.windows", "value: it.window", "body[2].steps[0].value", "it.window",
    ),
    "an answer that is no single number": (
        MEAN, "answer: mean.means[0]", "answer: mean.means", "answer", "gives no single number",
    ),
    "two right choices where one is picked": (
        SHORTER, "right: false", "right: true", "choices", "2 choices are right; exactly one",
    ),
    "no right choice": (
        KINDS, "right: true", "right: false", "choices", "no choice is right",
    ),
    "a wrong choice without its misconception": (
        WIDTH, "    misconception: Thinks that averaging must always alter the numbers it is given.\n",
        "", "choices[1].misconception", "name the misconception",
    ),
    "a right choice with a misconception": (
        WIDTH, "reply: Each value is its own average.",
        "reply: Each.\n    misconception: none",
        "choices[0].misconception", "a right choice has no misconception",
    ),
    "two choices with the same text": (
        SHORTER, "text: Ten", "text: Eight", "choices[1].text", "another choice has the same text",
    ),
    "a third choice for true or false": (
        WIDTH, "  - text: 'True'", "  - {text: Maybe, right: false, reply: r, misconception: m}\n  - text: 'True'",
        "choices", "found a list of 3, expected at most 2",
    ),
    "a duplicate key": (
        LESSON, "title: Moving average", "title: Moving average\ntitle: Again",
        "title", "duplicate key; it is first given on line 1",
    ),
    "a tab": (
        LESSON, "  values: Values", "\tvalues: Values", "", "a tab is used for indentation",
    ),
    "a tag that runs code": (
        LESSON, "title: Moving average", "title: !!python/object/apply:os.system [ls]",
        "title", "is not allowed; plain values only",
    ),
    "a tag of one's own": (
        LESSON, "title: Moving average", "title: !secret x", "title", "the tag !secret is not allowed",
    ),
    "a colon in plain text": (
        LESSON, "title: Moving average", "title: Moving: average", "", "needs quotes",
    ),
    "a bracket that never closes": (
        PRACTICE, "[shorter, first-mean, true-of-width, kinds]", "[shorter", "", "expected",
    ),
    "a second document": (
        LESSON, "parts:", "---\nparts:", "", "a second document starts here",
    ),
}  # fmt: skip

# The finding stands on the first planted line, but for these: file and a text on its line.
ELSEWHERE: dict[str, tuple[str, str]] = {
    "missing key": (LESSON, "description:"),
    "a list that is too short": (SMOOTH, "hints:"),
    "unknown kind of block": (IDEA, "- kind: fromula"),
    "unknown kind of question": (SHORTER, "id: shorter"),
    "points that do not add up": (SMOOTH, "points: 10"),
    "an input that is missing": (SMOOTH, "inputs: {values: [1, 4, 7, 6]}"),
    "a table that is not rectangular": (SMOOTH, "id: drawn-series"),
    "a case that the reference cannot calculate": (SMOOTH, "id: drawn-series"),
    "a starter without the function": (STARTER, "import numpy as np"),
    "a question that no section carries": (KINDS, "id: kinds"),
    "an unknown calculation": (IDEA, "mean:"),
    "arguments that the calculation does not take": (MEAN, "mean:"),
    "two right choices where one is picked": (SHORTER, "choices:"),
    "no right choice": (KINDS, "choices:"),
    "a wrong choice without its misconception": (WIDTH, "- text: 'False'"),
    "a right choice with a misconception": (WIDTH, "    misconception: none"),
    "a third choice for true or false": (WIDTH, "choices:"),
    "a figure that is not declared": (IDEA, "markdown: |"),
    "a duplicate key": (LESSON, "title: Again"),
    "a bracket that never closes": (PRACTICE, "- kind: challenge"),
}


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    return shutil.copytree(TINY, tmp_path / "lesson")


def findings(root: Path) -> list[tuple[str, int, str, str]]:
    """(file, line, key, sentence) of each finding; none where the lesson loads."""
    try:
        load_lesson(root)
    except ContentError as error:
        return [
            (f.file.relative_to(root).as_posix(), f.line, f.key, f.message) for f in error.findings
        ]
    return []


def test_the_lesson_without_mistakes_has_no_finding(lesson: Path) -> None:
    assert findings(lesson) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistake_is_reported_where_it_stands(lesson: Path, mistake: str) -> None:
    file, old, new, key, words = MISTAKES[mistake]
    path = lesson / file
    before = path.read_text("utf-8")
    assert old in before, "the fixture has changed; plant the mistake elsewhere"
    after = before.replace(old, new)
    path.write_text(after, "utf-8")
    if mistake in ELSEWHERE:
        file, text = ELSEWHERE[mistake]
        lines = (lesson / file).read_text("utf-8").splitlines()
        line = next(number for number, content in enumerate(lines, 1) if text in content)
    else:
        pairs = zip(before.splitlines(), after.splitlines(), strict=False)
        line = next(number for number, (a, b) in enumerate(pairs, 1) if a != b)
    matching = [f for f in findings(lesson) if f[2] == key and words in f[3]]
    assert (file, line) in [f[:2] for f in matching], findings(lesson)


def test_all_mistakes_of_all_files_come_at_once(lesson: Path) -> None:
    for file, old, new in [
        (LESSON, "title: Moving", "titel: Moving"),
        (IDEA, "part: idea", "part: ideal"),
        (MEAN, "tolerance: 0.01", "tolerance: small"),
        (SMOOTH, "points: 3", "points: 2"),
    ]:
        path = lesson / file
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert {LESSON, MEAN, SMOOTH} <= {f[0] for f in findings(lesson)}


def test_a_mistake_in_one_file_raises_no_alarm_in_others(lesson: Path) -> None:
    for file, old, new in [
        (SHORTER, "prompt:", "promt:"),
        (SMOOTH, "title: Smooth a series", "titel: Smooth a series"),
        (IDEA, "title: Smooth a series", "titel: Smooth a series"),
    ]:
        path = lesson / file
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert {f[2] for f in findings(lesson)} == {"title", "titel", "prompt", "promt"}


def test_a_reference_that_cannot_be_loaded_is_the_only_finding(lesson: Path) -> None:
    (lesson / "reference" / "__init__.py").write_text("from . import elsewhere\n", "utf-8")
    assert [f[0] for f in findings(lesson)] == ["reference"]


def test_a_figure_that_cannot_be_calculated_is_told_once(lesson: Path) -> None:
    path = lesson / IDEA
    text = path.read_text("utf-8").replace("width: 2}\nbody", "wdth: 2}\nbody")
    path.write_text(text, "utf-8")
    assert [f[2] for f in findings(lesson)] == ["figures.mean"]


def test_a_number_given_twice_is_told_once(lesson: Path) -> None:
    shorter, other = lesson / SHORTER, lesson / "questions" / "01-another.yaml"
    shorter.rename(other)
    other.write_text(other.read_text("utf-8").replace("id: shorter", "id: another"), "utf-8")
    shutil.copy(TINY / SHORTER, shorter)
    numbers = [f for f in findings(lesson) if "is number" in f[3]]
    assert [f[0] for f in numbers] == [SHORTER]
    assert "the file is number 01, expected 02 after 01-another.yaml" in numbers[0][3]


def test_a_name_that_is_not_the_id_says_both(lesson: Path) -> None:
    (lesson / SHORTER).rename(lesson / "questions" / "01-short.yaml")
    found = [f[3] for f in findings(lesson) if f[2] == "id"]
    assert found == ["found 'shorter', but the file is named 'short'"]


def test_a_challenge_that_cannot_be_read_does_not_move_the_others(lesson: Path) -> None:
    shutil.copytree(lesson / "challenges" / "smooth", lesson / "challenges" / "zlast")
    last = lesson / "challenges" / "zlast" / "challenge.yaml"
    text = last.read_text("utf-8").replace("id: smooth\n", "id: zlast\n")
    last.write_text(text.replace("number: 1", "number: 2"), "utf-8")
    smooth = lesson / SMOOTH
    smooth.write_text(smooth.read_text("utf-8").replace("hints:", "hint:"), "utf-8")
    assert not [f for f in findings(lesson) if f[2] == "number"]


def test_a_quote_left_open_is_shown_where_it_begins(lesson: Path) -> None:
    path = lesson / IDEA
    path.write_text('title: "open\nbody: \\command\n', "utf-8")
    assert "the double-quoted text begins on line 1" in findings(lesson)[0][3]


def test_two_files_with_the_same_id(lesson: Path) -> None:
    shutil.copy(lesson / SHORTER, lesson / "questions" / "05-shorter.yaml")
    found = findings(lesson)
    assert [f[0] for f in found] == [SHORTER, "questions/05-shorter.yaml"]
    assert all("another file has the id 'shorter' too" in f[3] for f in found)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", 1, "the file is empty"),
        (b"# only a comment\n", 1, "the file is empty"),
        (b"- a\n- b\n", 1, "a mapping of keys is expected"),
        ("title: caf\u00e9\n".encode("latin-1"), 1, "is not UTF-8"),
        ("title: x\n".encode("utf-16"), 1, "is not UTF-8"),
        (b"title: x\nparts: \x00\n", 2, "is not allowed in YAML"),
    ],
)
def test_files_that_are_no_yaml_text(lesson: Path, content: bytes, line: int, words: str) -> None:
    (lesson / LESSON).write_bytes(content)
    found = findings(lesson)
    assert any(f[:2] == (LESSON, line) and words in f[3] for f in found), found


def test_missing_files_are_findings(lesson: Path) -> None:
    shutil.rmtree(lesson / "course" / "sections")
    (lesson / LESSON).unlink()
    (lesson / STARTER).unlink()
    shutil.rmtree(lesson / "reference")
    words = {f[0]: f[3] for f in findings(lesson)}
    assert "no section file" in words["course/sections"]
    assert "cannot be read" in words[LESSON]
    assert "cannot be read" in words[STARTER]
    assert "holds no reference package" in words["reference"]
