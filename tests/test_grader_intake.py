"""Intake: real hand-ins are accepted, repaired with a note, or refused with a reason."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from grader.intake import Submission, discover, submission_id, take_in

STARTER = "import numpy as np\n\n\ndef mean(x):\n    raise NotImplementedError('mean')\n"
CODE = "import numpy as np\n\n\ndef mean(x):\n    return np.sum(x) / len(x)  # übrig\n"
OWN = CODE.encode()
CONFLICT = CODE.replace("    return", "<<<<<<< a\n=======\n>>>>>>> b\n    return").encode()
LATIN = CODE.replace("übrig", "müde").encode("latin-1")


def notebook(*sources: str | list[str], **more: object) -> bytes:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": cells, "nbformat": 4, **more}).encode()


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def encrypted(data: bytes) -> bytes:
    """The zip with the flag of a password on its members."""
    raw = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.find(mark) + offset] |= 1
    return bytes(raw)


def take(path: Path) -> Submission:
    return take_in(str(path), "stats", [STARTER])


def given(folder: Path, name: str, data: bytes) -> Submission:
    path = folder / name
    path.write_bytes(data)
    return take(path)


def source(submission: Submission) -> str:
    assert not submission.refused
    return "".join(cell.source.decode() for cell in submission.cells)


@pytest.mark.parametrize(
    ("data", "note"),
    [
        pytest.param(OWN, "", id="plain"),
        pytest.param(b"\xef\xbb\xbf" + OWN, "", id="mark"),
        pytest.param(CODE.replace("\n", "\r\n").encode(), "", id="crlf"),
        pytest.param(CODE.replace("\n", "\r").encode(), "CR alone", id="cr"),
        pytest.param(CODE.encode("utf-16"), "UTF-16", id="utf-16"),
        pytest.param(CODE.encode("utf-16-le"), "UTF-16 without a mark", id="utf-16-le"),
        pytest.param(CODE.encode("utf-16-be"), "UTF-16 without a mark", id="utf-16-be"),
        pytest.param(CODE.encode("utf-32"), "UTF-32", id="utf-32"),
        pytest.param(CODE.encode("latin-1"), "Latin-1", id="latin-1"),
        pytest.param(OWN + b"\0" * 12, "12 NUL bytes", id="nul"),
    ],
)
def test_any_encoding_gives_the_same_source(tmp_path: Path, data: bytes, note: str) -> None:
    submission = given(tmp_path, "stats.py", data)
    assert source(submission) == CODE
    assert len(submission.notes) == bool(note)
    assert note in "".join(submission.notes)


@pytest.mark.parametrize(
    ("cookie", "note"),
    [
        ("latin-1", "is in iso8859-1"),
        ("iso-8859-15", "is in iso8859-15"),
        ("rot13", "not known"),
        ("no-such", "not known"),
        ("utf-8", "not in the encoding it names"),
    ],
)
def test_a_declared_encoding_is_read_and_then_says_utf_8(
    tmp_path: Path, cookie: str, note: str
) -> None:
    head = f"# -*- coding: {cookie} -*-\n".encode()
    submission = given(tmp_path, "stats.py", head + LATIN)
    compile(submission.cells[0].source, "stats.py", "exec")
    assert "müde" in source(submission)
    assert submission.cells[0].source.startswith(b"# -*- coding: utf-8 -*-\n")
    assert note in "".join(submission.notes)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("stats.py", b"", "empty"),
        ("stats.py", b" \r\n\t", "empty"),
        ("stats.py", b"%PDF-1.7 ...", "a PDF"),
        ("stats.py", b"PK\x03\x04" + bytes(30), "zip archive"),
        ("stats.docx", b"PK\x03\x04", "neither a Python file nor a notebook"),
        ("stats.so", b"\x7fELF", "neither a Python file nor a notebook"),
        ("stats.py", CONFLICT, "line 5 holds a merge conflict marker"),
        ("stats.py", b"x = 1\n" * 400_000, "far more code"),
        ("stats.ipynb", b'{"cells": [', "not whole"),
        ("stats.ipynb", b'<<<<<<< a\n{"cells": []\n=======\n>>>>>>> b', "line 1 holds a merge"),
        ("stats.ipynb", b"[1, 2]", "no notebook"),
        ("stats.ipynb", b'{"x": 1}', "no cells"),
        ("stats.ipynb", b"[" * 100_000, "nested too deeply"),
        ("stats.ipynb", notebook(), "no code"),
        ("stats.ipynb", notebook("x <- 1", metadata={"kernelspec": {"language": "R"}}), "for r,"),
        ("a.zip", b"not a zip", "cannot be opened"),
        ("a.zip", zipped(), "holds no files"),
        ("a.zip", zipped(("report.pdf", b"%PDF")), "no Python file and no notebook"),
        ("a.zip", zipped(("stats.py", b"\0" * (5 << 20))), "times its size"),
        ("a.zip", zipped(*((f"{i}.txt", b"") for i in range(1001))), "more than 1000 files"),
        ("a.zip", zipped(("inner.zip", zipped(("stats.py", OWN)))), "archive inside"),
        ("a.zip", encrypted(zipped(("stats.py", OWN))), "password"),
        ("a.zip", zipped(("../stats.py", OWN)), "holds no files"),
        ("a.zip", zipped(("/etc/stats.py", OWN)), "holds no files"),
        ("a.zip", zipped(("C:\\stats.py", OWN)), "holds no files"),
        ("a.zip", zipped((link("stats.py"), b"/etc/passwd")), "holds no files"),
        ("a.zip", zipped(("stats.py", b"x = 1\n"), ("Stats.py", b"x = 2\n")), "hand in one"),
        ("a.zip", zipped(("one.py", b"x = 1\n"), ("two.py", b"x = 2\n")), "(one.py, two.py)"),
    ],
)  # fmt: skip
def test_refused_with_a_reason(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    submission = given(tmp_path, name, data)
    assert reason in submission.refused
    assert submission.cells == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]  # nothing was written


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_same_name_twice_in_a_zip_is_refused(tmp_path: Path) -> None:
    data = zipped(("stats.py", b"x = 1\n"), ("stats.py", b"x = 2\n"))
    assert "hand in one" in given(tmp_path, "a.zip", data).refused


def test_a_damaged_member_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped(("stats.py", OWN * 20)))
    data[60] ^= 255
    assert "damaged" in given(tmp_path, "a.zip", bytes(data)).refused


@pytest.mark.parametrize(
    "members",
    [
        pytest.param([("stats.py", OWN)], id="plain"),
        pytest.param([("a/b/c/stats.py", OWN)], id="nested"),
        pytest.param(
            [("stats.py", OWN), ("__MACOSX/._stats.py", b"\0\5\x16\7")], id="mac"
        ),
        pytest.param([("stats.py", OWN), ("tests/mean.py", b"# ours\n")], id="tests"),
        pytest.param([("stats.py", OWN), ("other.py", b"x = 1\n")], id="helper"),
        pytest.param([("stats.py", OWN), ("old/stats.py", OWN)], id="twice"),
        pytest.param([("stats.py", STARTER.encode()), ("stats (1).py", OWN)], id="starter"),
        pytest.param([("stats.py", OWN), ("stats.ipynb", notebook(STARTER))], id="notebook"),
        pytest.param([("stats.py.txt", OWN)], id="txt"),
        pytest.param([("my work.py", OWN)], id="other-name"),
        pytest.param([("stats.py", OWN), ("bomb.bin", b"\0" * (9 << 20))], id="bomb-aside"),
    ],
)  # fmt: skip
def test_the_one_file_that_is_meant(tmp_path: Path, members: Sequence[tuple[str, bytes]]) -> None:
    assert source(given(tmp_path, "a.zip", zipped(*members))) == CODE
    folder = tmp_path / "folder"
    for name, data in members:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert source(take(folder)) == CODE


def test_files_that_are_not_files(tmp_path: Path) -> None:
    kinds: dict[str, Callable[[Path], object]] = {
        "link": lambda path: path.symlink_to("/etc/passwd"),
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
    }
    refusals = []
    for name, make in kinds.items():
        path = tmp_path / f"{name}.py"
        make(path)
        refusals.append(take(path).refused)
    assert refusals[0] == "it is a symbolic link, not a file"
    assert refusals[1] == "it is a named pipe, not a file"
    assert "holds no files" in refusals[2]
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "stats.py").symlink_to("/etc/passwd")
    submission = take(folder)
    assert submission.refused
    assert submission.notes == ("stats.py was left out: it is a symbolic link",)


def test_a_file_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def barred(path: Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    file = tmp_path / "attention.py"
    file.write_text("x = 1\n", "utf-8")
    monkeypatch.setattr("grader.intake.members.os.open", barred)
    assert take(file).refused == "attention.py cannot be read: Permission denied"


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "stats.py"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert "larger than" in take(path).refused


def test_cells_of_any_notebook_format(tmp_path: Path) -> None:
    old = {
        "worksheets": [{"cells": [{"cell_type": "code", "input": [CODE], "language": "python"}]}]
    }
    assert source(given(tmp_path, "a.ipynb", json.dumps(old).encode())) == CODE
    assert source(given(tmp_path, "b.ipynb", notebook(CODE.splitlines(True)))) == CODE
    strange = notebook(
        CODE, metadata={"kernelspec": {"name": "conda-env-my", "language": "python"}}
    )
    assert source(given(tmp_path, "c.ipynb", strange)) == CODE


def test_cells_before_the_cut_count(tmp_path: Path) -> None:
    whole = notebook(CODE, "x = 1", "y = 2")
    submission = given(tmp_path, "a.ipynb", whole[:-30])
    assert source(submission) == CODE + "x = 1"
    assert submission.notes == ("the notebook is cut off; the 2 cells before that are used",)


@pytest.mark.parametrize(
    ("cell", "left"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install numpy\nx = 1", "pass\nx = 1"),
        ("if True:\n    !ls\nx = 1", "if True:\n    pass\nx = 1"),
        ("files = !ls\nx = 1", "pass\nx = 1"),
        ("mean?\nx = 1", "pass\nx = 1"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("%%writefile stats.py\ndef f():\n    pass", "pass\ndef f():\n    pass"),
        ("get_ipython().run_line_magic('time', '')\nx = 1", "pass\nx = 1"),
    ],
)
def test_lines_for_notebooks_only_are_dropped_with_a_note(
    tmp_path: Path, cell: str, left: str
) -> None:
    submission = given(tmp_path, "a.ipynb", notebook(cell))
    assert source(submission) == left
    assert submission.notes == (
        "cell 1: 1 line that only a notebook understands (% or !) left out",
    )


@pytest.mark.parametrize(
    "cell",
    ["x = (17\n     % 5)", "s = '''\n!important\n%d of 3\n'''", "x = 3 != 4", "# is that so?"],
)
def test_python_that_looks_like_magic_stays(tmp_path: Path, cell: str) -> None:
    submission = given(tmp_path, "a.ipynb", notebook(cell))
    assert source(submission) == cell
    assert submission.notes == ()


def test_a_cell_in_another_language_goes(tmp_path: Path) -> None:
    submission = given(tmp_path, "a.ipynb", notebook("%%bash\nrm -r x", CODE))
    assert source(submission).endswith(CODE)
    assert "rm" not in source(submission)


def test_a_conflict_in_one_cell_costs_that_cell(tmp_path: Path) -> None:
    conflict = "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other"
    submission = given(tmp_path, "a.ipynb", notebook(CODE, conflict))
    assert source(submission) == CODE
    assert submission.notes == ("cell 2 was left out: it holds merge conflict markers",)


def test_a_function_in_two_cells_is_told(tmp_path: Path) -> None:
    submission = given(tmp_path, "a.ipynb", notebook(CODE, "x = 1", CODE))
    assert submission.notes == ("mean is defined in cell 1, cell 3; the last one counts",)
    assert len(submission.cells) == 3


def test_contents_count_more_than_the_suffix(tmp_path: Path) -> None:
    assert source(given(tmp_path, "stats.py", notebook(CODE))) == CODE
    assert source(given(tmp_path, "stats.ipynb", OWN)) == CODE


def test_answers_beside_the_code_are_taken_along(tmp_path: Path) -> None:
    data = zipped(("stats.py", OWN), ("answers.json", b'{"answers": {}}'))
    assert given(tmp_path, "a.zip", data).answers == b'{"answers": {}}'
    assert given(tmp_path, "stats.py", OWN).answers is None


def test_a_folder_is_a_submission_or_a_class(tmp_path: Path) -> None:
    names = ["=1+1.py", "a b [2].py", "c-😀.ipynb", "d.zip", ".hidden", "e/stats.py", "f/g/x.py"]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x = 1\n")
    members = ["=1+1.py", "a b [2].py", "c-😀.ipynb", "d.zip", "e", "f"]
    assert list(discover([str(tmp_path)], "stats")) == [str(tmp_path / name) for name in members]
    assert list(discover([str(tmp_path / "e")], "stats")) == [str(tmp_path / "e")]
    assert list(discover([str(tmp_path / "f")], "stats")) == [str(tmp_path / "f" / "g")]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert list(discover([str(empty)], "stats")) == [str(empty)]
    with pytest.raises(FileNotFoundError):
        list(discover([str(tmp_path / "missing")], "stats"))


def test_ids_are_safe_file_names_of_one_path_each() -> None:
    paths = ["a/x.py", "a-x.py", "a/x.ipynb", "../../etc/passwd", "=1+1.py", "😀", "n" * 900]
    ids = [submission_id(path) for path in paths]
    assert len(set(ids)) == len(paths)
    assert all(len(name) < 70 and name.replace("-", "").isalnum() for name in ids)
    assert all(name.isascii() and not name.startswith("-") for name in ids)
