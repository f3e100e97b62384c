"""Each format is read back (by its own reader where it has one) and compared with the questions."""

from __future__ import annotations

import hashlib
import html as html_entities
import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import xmlschema
from text2qti.config import Config
from text2qti.quiz import Quiz

from challenges.figures import load_reference
from challenges.load import LESSON_ROOT
from questions.command import main
from questions.exports import FORMATS, jupyterquiz, moodle, qti
from questions.item import ExportError, Item, ItemChoice, ItemNumber, item
from questions.load import load_questions

FIXTURES = Path(__file__).parent / "fixtures"
TINY = FIXTURES / "tiny"
AWKWARD = [
    Item(
        "awkward",
        "single-choice",
        "1. Looks like a list\n\n> quoted, with $a_1 < b$ & `x < y`\n\n% not a comment",
        (
            ItemChoice("*a) `=1+1`\n\n    indented", True, "... and **so** on"),
            ItemChoice("[*] costs 5 & <b>more</b>", False, "END_GROUP\n\nnext paragraph"),
            ItemChoice("−∞, é, 😀 ](x)", False, "Title: a title"),
        ),
    ),
    Item("three", "several-choices", "Pick.", tuple(
        ItemChoice(f"choice {i}", i < 3, f"reply {i}") for i in range(5)
    )),
    Item("half", "number", "How much?", number=ItemNumber(
        -0.62245933120185459, 0.0005, "Yes: $-0.6225$.", "No.", ((0.5, "Too large."), (-2.0, "-2"))
    )),
]  # fmt: skip


def _lesson_items(root: Path) -> list[Item]:
    questions, findings = load_questions(root, load_reference(root))
    assert findings == []
    return [item(question) for question in questions]


@pytest.fixture(params=["lesson", "tiny", "awkward"])
def items(request: pytest.FixtureRequest) -> list[Item]:
    roots = {"lesson": LESSON_ROOT, "tiny": TINY}
    found = _lesson_items(roots[request.param]) if request.param in roots else AWKWARD
    assert found
    return found


def _words(markup: str) -> str:
    """What a reader sees of HTML: no tags, formulas as LaTeX, straight quotes, single spaces."""
    text = re.sub(r"<img[^>]*data-equation-content=\"([^\"]*)\"[^>]*>", r"\1", markup)
    text = re.sub(r"\\[()\[\]]", "", re.sub(r"</?[a-zA-Z][^>]*>", " ", text))
    for _ in range(2):
        text = html_entities.unescape(text)
    text = text.translate(str.maketrans("“”‘’", "\"\"''")).replace("…", "...")
    return re.sub(r"\s+", "", text)


def _as_read(made: Item, **changes: Any) -> dict[str, Any]:
    """An item in comparable form: what must be the same after reading a format back."""
    from questions.exports.markup import html  # noqa: PLC0415

    number = made.number
    return {
        "id": made.id,
        "kind": made.kind,
        "prompt": _words(html(made.prompt)),
        "choices": [
            (_words(html(choice.text)), choice.right, _words(html(choice.reply)))
            for choice in made.choices
        ],
        "number": number
        and {
            "answer": number.answer,
            "tolerance": number.tolerance,
            "right": _words(html(number.right_reply)),
            "wrong": _words(html(number.wrong_reply)),
            "known": [(value, _words(html(reply))) for value, reply in number.known_wrong],
        },
    } | changes


def _true_false(expected: dict[str, Any]) -> dict[str, Any]:
    """Canvas and Moodle have their own words for true and false."""
    if expected["kind"] == "true-false":
        words = ["true", "false"]
        expected["choices"] = [
            (word, right, reply)
            for word, (_, right, reply) in zip(words, expected["choices"], strict=True)
        ]
    return expected


def test_text2qti_reads_the_text_back_as_it_was_written(items: list[Item]) -> None:
    quiz = Quiz(qti.text("A title", items), config=Config())
    assert quiz.title_raw == "A title"
    kinds = {
        "true_false_question": "true-false",
        "multiple_choice_question": "single-choice",
        "multiple_answers_question": "several-choices",
        "numerical_question": "number",
    }
    assert len(quiz.questions_and_delims) == len(items)
    for read, made in zip(quiz.questions_and_delims, items, strict=True):
        assert (read.title_raw, kinds[read.type]) == (made.id, made.kind)
        assert read.question_raw == made.prompt
        assert [(c.correct, c.feedback_raw) for c in read.choices] == [
            (c.right, c.reply) for c in made.choices
        ]
        if made.kind != "true-false":
            assert [c.choice_raw for c in read.choices] == [c.text for c in made.choices]
        if made.number:
            low, high = read.numerical_min, read.numerical_max
            assert low == pytest.approx(made.number.answer - made.number.tolerance)
            assert high == pytest.approx(made.number.answer + made.number.tolerance)
            assert read.correct_feedback_raw == made.number.right_reply
            assert read.incorrect_feedback_raw == made.number.wrong_reply


def _read_qti(data: bytes) -> list[dict[str, Any]]:
    """The questions of a QTI 1.2 zip: found through the manifest, as Canvas does."""
    names = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
    archive = zipfile.ZipFile(io.BytesIO(data))
    manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    hrefs = [e.get("href", "") for e in manifest.iter() if e.tag.endswith("}file")]
    assert set(hrefs) < set(archive.namelist())
    root = ElementTree.fromstring(archive.read(hrefs[0]))
    found = []
    for entry in root.iterfind(".//q:item", names):
        fields = {
            field.findtext("q:fieldlabel", "", names): field.findtext("q:fieldentry", "", names)
            for field in entry.iterfind(".//q:qtimetadatafield", names)
        }
        replies = {
            feedback.get("ident", ""): _words(feedback.findtext(".//q:mattext", "", names))
            for feedback in entry.iterfind("q:itemfeedback", names)
        }
        scoring = next(
            c
            for c in entry.iterfind("q:resprocessing/q:respcondition", names)
            if c.find("q:setvar", names) is not None
        )
        variables = scoring.find("q:conditionvar", names)
        assert variables is not None
        right = {v.text for v in [*variables.iterfind("q:varequal", names),
                                  *variables.iterfind("q:and/q:varequal", names)]}  # fmt: skip
        bounds = [
            float(v.text or "nan")
            for v in variables.iter()
            if v.tag.endswith(("}vargte", "}varlte"))
        ]
        found.append({
            "id": entry.get("title"),
            "kind": fields["question_type"],
            "prompt": _words(entry.findtext("q:presentation/q:material/q:mattext", "", names)),
            "choices": [
                (
                    _words(label.findtext(".//q:mattext", "", names)),
                    label.get("ident") in right,
                    replies.get(f"{label.get('ident')}_fb"),
                )
                for label in entry.iterfind(".//q:render_choice/q:response_label", names)
            ],
            "bounds": bounds,
            "replies": (replies.get("correct_fb"), replies.get("general_incorrect_fb")),
        })  # fmt: skip
    return found


def test_the_qti_zip_holds_every_question(items: list[Item]) -> None:
    kinds = {
        "true-false": "true_false_question",
        "single-choice": "multiple_choice_question",
        "several-choices": "multiple_answers_question",
        "number": "numerical_question",
    }
    read = _read_qti(qti.write("T", items))
    assert len(read) == len(items)
    for got, made in zip(read, items, strict=True):
        expected = _true_false(_as_read(made))
        assert got["id"] == made.id
        assert got["kind"] == kinds[made.kind]
        if made.id != "awkward":  # the two Markdown dialects differ on nested blocks
            assert got["prompt"] == expected["prompt"]
            assert [(t.lower(), r, f) for t, r, f in got["choices"]] == [
                (t.lower(), r, f) for t, r, f in expected["choices"]
            ]
        if made.number:
            tolerance = made.number.tolerance
            bounds = [made.number.answer - tolerance, made.number.answer + tolerance]
            assert got["bounds"] == pytest.approx(bounds, abs=5.1e-5)
            assert got["replies"] == (expected["number"]["right"], expected["number"]["wrong"])


@pytest.mark.parametrize(("answer", "tolerance"), [(0.25, 0.0), (0.25, 1e-5), (0.0, 0.0), (1, 1)])
def test_a_number_that_canvas_cannot_hold_is_refused(answer: float, tolerance: float) -> None:
    number = Item("n", "number", "?", number=ItemNumber(answer, tolerance, "y", "n", ()))
    with pytest.raises(ExportError, match="question n: Canvas keeps four decimals"):
        qti.write("T", [number])


def _read_moodle(data: bytes) -> list[dict[str, Any]]:
    xmlschema.XMLSchema(FIXTURES / "moodle-questions.xsd").validate(io.BytesIO(data))
    found = []
    for entry in ElementTree.fromstring(data).iterfind("question"):
        kind = entry.get("type")
        if kind == "category":
            continue
        answers = [
            (
                a.findtext("text", ""),
                float(a.get("fraction", "nan")),
                _words(a.findtext("feedback/text", "")),
                a.findtext("tolerance"),
            )
            for a in entry.iterfind("answer")
        ]
        numbers = None
        if kind == "numerical":
            (answer, full, right, tolerance), *known, (star, none, wrong, _) = answers
            assert (full, star, none) == (100, "*", 0)
            assert all((f, t) == (0, tolerance) for _, f, _, t in known)
            numbers = {
                "answer": float(answer),
                "tolerance": float(tolerance or "nan"),
                "right": right,
                "wrong": wrong,
                "known": [(float(value), reply) for value, _, reply, _ in known],
            }
            answers = []
        elif sum(fraction for _, fraction, _, _ in answers if fraction > 0) != pytest.approx(100):
            raise AssertionError("the right choices do not share the whole mark")
        kinds = {
            ("truefalse", None): "true-false",
            ("multichoice", "true"): "single-choice",
            ("multichoice", "false"): "several-choices",
            ("numerical", None): "number",
        }
        found.append({
            "id": entry.findtext("name/text"),
            "kind": kinds[kind or "", entry.findtext("single")],
            "prompt": _words(entry.findtext("questiontext/text", "")),
            "choices": [(_words(t), f > 0, r) for t, f, r, _ in answers],
            "number": numbers,
        })  # fmt: skip
    return found


def test_moodle_xml_holds_every_question(items: list[Item]) -> None:
    read = _read_moodle(moodle.write("T", items))
    assert read == [_true_false(_as_read(made)) for made in items]


def test_a_reader_of_moodle_xml_that_is_not_ours_finds_the_same(items: list[Item]) -> None:
    parser = pytest.importorskip("moodle_xml_parser.parser", reason="in the extra dev")
    read = parser.parse_bytes(moodle.write("T", items))["multichoice"]
    chosen = [made for made in items if made.kind in {"single-choice", "several-choices"}]
    assert [question.name for question in read] == [made.id for made in chosen]
    for question, made in zip(read, chosen, strict=True):
        expected = _as_read(made)
        assert question.single == (made.kind == "single-choice")
        assert _words(question.text_pre_parse) == expected["prompt"]
        got = [
            (_words(option.answer), option.score_fraction > 0, _words(option.feedback))
            for option in question.options
        ]
        if made.id != "awkward":  # it takes text that shows a tag for the tag
            assert got == expected["choices"]


def test_moodle_refuses_more_right_choices_than_it_has_fractions_for() -> None:
    choices = tuple(ItemChoice(str(i), True, "r") for i in range(11))
    with pytest.raises(ExportError, match="1 to 10 right choices"):
        moodle.write("T", [Item("many", "several-choices", "?", choices)])


def test_jupyterquiz_holds_every_question(items: list[Item]) -> None:
    kinds = {"several-choices": "many_choice", "number": "numeric"}
    read = json.loads(jupyterquiz.write("T", items))
    assert len(read) == len(items)
    for got, made in zip(read, items, strict=True):
        expected = _as_read(made)
        assert got["type"] == kinds.get(made.kind, "multiple_choice")
        assert _words(got["question"]) == expected["prompt"]
        if made.number is None:
            assert [
                (_words(a["answer"]), a["correct"], _words(a["feedback"])) for a in got["answers"]
            ] == expected["choices"]


NODE = shutil.which("node")
CHECK_NUMERIC = """
const [answers, values] = JSON.parse(process.argv[1]);
const box = () => ({style: {}, classList: {add() {}}, dataset: {},
                   parentElement: {parentElement: {id: "x"}}});
console.log = () => {};
const results = values.map((value) => {
  const feedback = box();
  globalThis.document = {getElementById: (id) => (id.startsWith("fb") ? feedback : null)};
  const field = {...box(), id: "q-0", value, blur() {}, closest: () => null,
                 dataset: {answers: JSON.stringify(answers)}};
  let right = false;
  field.classList = {add: (name) => { right = name === "correctButton"; }};
  check_numeric(field, {keyCode: 13});
  return [right, feedback.innerHTML];
});
process.stdout.write(JSON.stringify(results));
"""


@pytest.mark.skipif(NODE is None, reason="jupyterquiz's own checker is JavaScript; needs node")
def test_jupyterquiz_itself_scores_numbers_as_we_do(items: list[Item]) -> None:
    import jupyterquiz as package  # noqa: PLC0415

    scripts = Path(package.__file__).parent / "js"
    code = "\n".join((scripts / name).read_text("utf-8") for name in ("helpers.js", "numeric.js"))
    numbers = [made for made in items if made.number]
    assert numbers
    for made in numbers:
        (written,) = json.loads(jupyterquiz.write("T", [made]))
        number = made.number
        assert number is not None
        near, far = number.tolerance * 0.99, number.tolerance * 1.01 + 1e-9
        replies = {answer.get("correct"): answer["feedback"] for answer in written["answers"]}
        tried = [number.answer, number.answer - near, number.answer + near]
        tried += [number.answer - far, number.answer + far, *(v for v, _ in number.known_wrong)]
        arguments = json.dumps([written["answers"], [repr(value) for value in tried]])
        run = subprocess.run(
            [NODE or "node", "-e", code + CHECK_NUMERIC, arguments],
            capture_output=True, check=True, text=True,
        )  # fmt: skip
        got = json.loads(run.stdout)
        assert [right for right, _ in got] == [True] * 3 + [False] * (len(tried) - 3)
        assert got[0][1] == replies[True]
        known = [_words(reply) for _, reply in got[5:]]
        assert known == [reply for _, reply in _as_read(made)["number"]["known"]]


def test_the_same_questions_give_the_same_bytes(tmp_path: Path) -> None:
    for name, form in FORMATS.items():
        digests = set()
        for out in ("a", "b"):
            file = tmp_path / out / form.file_name
            assert main(["export", name, "--lesson", str(TINY), "--out", str(file)]) == 0
            digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
        assert len(digests) == 1
    archive = zipfile.ZipFile(tmp_path / "a" / FORMATS["qti"].file_name)
    assert {info.date_time[0] for info in archive.infolist()} == {2000}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--lesson", "no/such/folder"], 2, "no/such/folder is not a folder"),
        (["--student", "s1"], 2, "--student and --secret go together"),
        (["--student", "s1", "--secret", "nowhere"], 2, "nowhere cannot be read"),
    ],
)
def test_wrong_use_gets_one_clear_line(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "moodle", *arguments]) == status
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert message in lines[0]
