"""The report for staff: what it says of made classes, and what it never says."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from challenges.load import LESSON_ROOT
from grader.__main__ import main
from grader.report.clusters import find_clusters
from grader.report.comparison import compare_runs
from grader.report.misconceptions import Names, count_misconceptions, load_names
from grader.report.pseudonyms import KEY, Naming, pseudonym
from grader.report.questions import question_items
from grader.report.reading import Told, read_run
from tests.made_class import Made, write_class

TINY = Path(__file__).parent / "fixtures" / "tiny"
SAMPLE = Path(__file__).parent / "submissions" / "class"
HOSTILE = '</title><script>alert("1")</script><img src=x onerror=alert(2)>'
RIGHT = Made("class/ann.py", ("pass",) * 4)
SHORT = "The window is one too short. Count on your fingers. Reread section 1."
CLASS = [
    RIGHT,
    Made("class/ben.py", ("fail", "fail", "pass", "pass"), SHORT, "Window of n - 1."),
    Made("class/cid.py", ("fail", "fail", "pass", "pass"), SHORT, "Window of n - 1."),
    Made("class/dot.py", ("fail", "fail", "fail", "pass"), SHORT, "Window of n - 1."),
    Made("class/eve.py", ("pass", "pass", "timeout", "timeout"), seconds=9.0),
    Made("class/fay.py", ("pass", "pass", "blocked", "missing")),
    Made("class/gil.py", reason="gil private.py is larger than 1 MiB"),
    Made("class/hal.py", reason="there are 2 files that could be meant (hal.py, h2.py)"),
    Made("class/ida.py", ("pass", "pass", "broken", "pass")),
    Made(f"class/{HOSTILE}.py", ("fail", "pass", "pass", "pass"), HOSTILE, "", HOSTILE),
]  # fmt: skip


def page(folder: Path, *options: str) -> str:
    assert main(["report", str(folder), "--lesson", str(TINY), *options]) == 0
    return (folder / "report.html").read_text("utf-8")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write_class(tmp_path / "results", CLASS)


class Outline(HTMLParser):
    """Headings in order, tags, ids and where links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and tag == "a":
                self.links.append(value or "")


def test_like_wrong_submissions_are_one_cluster(results: Path) -> None:
    run = read_run(results)
    clusters = find_clusters(run, Names({}))
    named = {run.people[row].student for row in clusters[0].rows}
    assert named == {"ben", "cid", "dot"}, "the same fault, the same cases of moving_average"
    assert clusters[0].functions == ("moving_average",)
    assert [case.id for case, _ in clusters[0].failed] == ["by-hand", "drawn-series"]
    assert clusters[0].lost == 5
    assert clusters[0].replies == (SHORT,)
    assert len(clusters) == 1, "eve and fay end in different ways, dot's range fails alone"


def test_functions_that_fail_for_the_very_same_students_are_one_cluster(tmp_path: Path) -> None:
    nothing = [Made(f"class/{i}.py", ("missing",) * 4) for i in range(3)]
    run = read_run(write_class(tmp_path / "r", [RIGHT, *nothing]))
    (cluster,) = find_clusters(run, Names({}))
    assert cluster.functions == ("moving_average", "running_range")
    assert (len(cluster.rows), cluster.ended, cluster.lost) == (3, "4 missing", 10)


def test_students_are_counted_not_cases(results: Path) -> None:
    found = count_misconceptions(read_run(results), load_names(TINY))
    first = found.counts[0]
    assert (first.misconception.name, first.students) == ("Window of n - 1", 3)
    assert first.functions == ("moving_average", "running_range")
    assert first.misconception.section.number == 1
    assert found.sections[0].students == 3
    assert found.sections[0].section.id == "idea"
    assert found.failing == 6
    assert found.unnamed == 2, "eve and fay; ida's is our own fault"


def test_every_fault_of_the_lesson_is_found_in_what_students_read() -> None:
    names = load_names(LESSON_ROOT)
    assert len(names.faults) > 50
    for fault in names.faults:
        told = Told(f"{fault.name}. {fault.student} Reread section 3.", "whatever")
        assert fault in names.find(told)
        assert fault.section.number > 0
    one, two = names.faults[0], names.faults[-1]
    both = (
        f"Two mistakes at once. First: {one.name}. {one.student} Second: {two.name}. {two.student}"
    )
    assert set(names.find(Told(both, ""))) == {one, two}


def test_the_page_says_what_the_class_did(results: Path) -> None:
    text = page(results)
    plain = html.unescape(re.sub(r"<[^>]+>", "", text))
    assert "3 students: Window of n - 1" in plain
    assert "1 student took too long" in plain
    assert "1 student tried something that is not allowed" in plain
    assert "gil private.py is larger than 1 MiB" in plain
    assert "1 submission without a mark by the grader's own fault" in plain
    for name in ("ann", "ben", "eve", "gil"):
        if name != "ann":  # nothing needs to be said of ann
            assert f"feedback/class-{name}-py" in text
    outline = Outline(text)
    targets = [link[1:] for link in outline.links if link.startswith("#")]
    assert set(targets) <= set(outline.ids)


def test_headings_do_not_skip_a_level_and_ids_are_unique(results: Path) -> None:
    outline = Outline(page(results))
    assert outline.levels[0] == 1
    assert outline.levels.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(outline.levels, outline.levels[1:], strict=False))
    assert len(set(outline.ids)) == len(outline.ids)


def test_every_chart_is_an_image_with_title_text_and_table(results: Path) -> None:
    text = page(results)
    charts = re.findall(r"<figure>.*?</figure>", text, re.DOTALL)
    assert len(charts) >= 5
    for chart in charts:
        svg = chart[chart.index("<svg") : chart.index("</svg>") + 6]
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        space = "{http://www.w3.org/2000/svg}"
        title, description = root.find(f"{space}title"), root.find(f"{space}desc")
        assert title is not None and title.text
        assert description is not None and description.text
        assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
        assert len(re.findall("<tr>", chart)) >= 2
        assert not re.search(r"#[0-9a-f]{6}\b", svg), "every colour comes from the page's styles"
        assert "<style" not in svg and "<metadata" not in svg


def test_nothing_that_a_student_wrote_is_markup(results: Path) -> None:
    text = page(results)
    outline = Outline(text)
    assert not {"script", "img", "iframe", "object", "link"} & outline.tags
    assert not [name for name in outline.attributes if name.startswith("on")]
    assert html.escape(HOSTILE) in text or html.escape(HOSTILE).replace("&#x27;", "&#39;") in (
        text.replace("&#34;", "&quot;")
    )
    assert "default-src 'none'" in text


def test_the_page_needs_nothing_from_elsewhere(results: Path) -> None:
    text = page(results)
    without = re.sub(r'xmlns(:xlink)?="[^"]+"', "", text)
    assert "http:" not in without
    assert "https:" not in without
    assert "url(" not in without.replace("url(#", "")


def test_the_same_run_gives_the_same_bytes(results: Path) -> None:
    assert page(results) == page(results)


def test_an_anonymous_page_names_nobody(results: Path) -> None:
    text = page(results, "--anonymous")
    for one in CLASS:
        name = one.student or Path(one.path).stem
        assert one.path not in text
        assert not re.search(rf"\b{re.escape(html.escape(name))}\b", text), name
    assert "feedback/" not in text
    assert "private.py" not in text
    assert "h2.py" not in text
    assert "secret message" not in text
    assert "there are 2 files that could be meant" in text
    assert str(results) not in text
    key = (results / KEY).read_bytes()
    assert pseudonym(key, "eve") in text
    assert (results / KEY).stat().st_mode & 0o077 == 0


def test_pseudonyms_stay_the_same_and_cannot_be_found_without_the_key(results: Path) -> None:
    first = page(results, "--anonymous")
    assert page(results, "--anonymous") == first
    (results / KEY).unlink()
    other = page(results, "--anonymous")
    assert other != first
    assert not set(re.findall(r"student-[a-z2-7]{4}-[a-z2-7]{4}", first)) & set(
        re.findall(r"student-[a-z2-7]{4}-[a-z2-7]{4}", other)
    )


def test_equal_names_of_two_students_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    same = [
        Made("a/attention.py", ("fail",) * 4, student="attention"),
        Made("b/attention.py", ("fail",) * 4, student="attention"),
    ]
    run = read_run(write_class(tmp_path / "r", same))
    for key in (None, b"k" * 32):
        naming = Naming.of(run.people, key)
        assert naming.name(run.people[0]) != naming.name(run.people[1])


def test_two_runs_stand_side_by_side(tmp_path: Path) -> None:
    old = write_class(tmp_path / "old", CLASS)
    mended = [RIGHT, Made("class/ben.py", ("pass",) * 4), *CLASS[2:]]
    new = write_class(tmp_path / "new", mended)
    comparison = compare_runs(read_run(new), read_run(old))
    assert comparison.shared == 9, "ida has no mark"
    assert comparison.same == 8
    assert [(m.before, m.after) for m in comparison.moves] == [(5.0, 10.0)]
    text = page(new, "--against", str(old))
    assert "of 8 it is the same" in text
    assert "+5" in text
    assert text.count("other run") > 10
    assert page(new, "--against", str(old)) == text


def test_choices_that_students_take(tmp_path: Path) -> None:
    """Twelve students; the four best take choice 0 (right), four take 1, four leave it open."""
    answers = [
        {"shorter": (True, [0]), "true-of-width": (True, [0])},
        {"shorter": (False, [1])},
        {"true-of-width": (False, [1])},
    ]
    made = [Made(f"class/{i}.py", ("pass",) * 4, answers=answers[i // 4]) for i in range(12)]
    folder = write_class(tmp_path / "r", [*made, RIGHT])
    items = {item.id: item for item in question_items(read_run(folder), TINY)}
    item = items["shorter"]
    assert item.item.count == 12, "who handed in no answers is left out"
    assert item.item.difficulty == pytest.approx(4 / 12)
    assert item.blank == 4
    right, wrong = item.distractors[:2]
    assert (right.count, wrong.count) == (4, 4)
    assert right.right and not wrong.right
    assert (right.upper, right.lower) == (1, 0)
    assert wrong.upper == 0
    assert wrong.lower == pytest.approx(1 / 2)
    assert "Item analysis of the questions" in page(folder)


@pytest.mark.parametrize(
    "submissions",
    [[], [RIGHT], [CLASS[6]], [CLASS[8]], [Made("a.py", ("missing",) * 4)]],
    ids=["nobody", "one", "refused", "broken", "nothing written"],
)
def test_small_classes_have_a_page_too(tmp_path: Path, submissions: list[Made]) -> None:
    assert "Provenance" in page(write_class(tmp_path / "r", submissions))


def test_a_folder_without_a_run_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_graded_class_names_its_misconception(tmp_path: Path) -> None:
    """The whole way: three hand-ins with one fault, graded and reported."""
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("kim", "lea", "max"):
        (folder / f"{name}.py").write_bytes((SAMPLE / "wrong-scale-missing.py").read_bytes())
    out = tmp_path / "results"
    assert main(["grade", str(folder), "--out", str(out)]) == 0
    assert main(["report", str(out)]) == 0
    text = html.unescape((out / "report.html").read_text("utf-8"))
    texts = load_names(LESSON_ROOT)
    name = next(f.name for f in texts.faults if "not scaled" in f.name)
    assert f"3 students: {name}" in text
    feedback = [json.loads(file.read_bytes()) for file in (out / "feedback").glob("*.json")]
    assert len(feedback) == 3
