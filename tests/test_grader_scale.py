"""A crowd from a sample: all of it graded, every Python file its own, memory shown."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from grader.__main__ import main
from grader.gradebook import Gradebook
from grader.scale import make_crowd

SAMPLE = Path(__file__).parent / "submissions" / "class"


def test_a_crowd_repeats_the_sample_with_other_bytes(tmp_path: Path) -> None:
    count = 2 * len(list(SAMPLE.iterdir()))
    (folder,) = make_crowd(SAMPLE, tmp_path, count)
    names = Counter(path.name.partition("-")[2] for path in folder.iterdir())
    assert names == Counter({path.name: 2 for path in SAMPLE.iterdir()})
    files = [path.read_bytes() for path in folder.glob("*-right-*.py") if "utf-16" not in path.name]
    assert len(set(files)) == len(files) > 10


def test_what_is_left_out_is_in_no_crowd(tmp_path: Path) -> None:
    (folder,) = make_crowd(SAMPLE, tmp_path, 100, "*never-ends*")
    assert len(list(folder.iterdir())) == 100
    assert not list(folder.glob("*never-ends*"))


def test_the_command_grades_all_and_shows_rate_and_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sample = tmp_path / "sample"
    sample.mkdir()
    for name in ("right-plain.py", "wrong-scale-missing.py", "refused-empty.py"):
        (sample / name).write_bytes((SAMPLE / name).read_bytes())
    words = ["scale", "--count", "30", "--sample", str(sample), "--folder", str(tmp_path)]
    assert main(words) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1].startswith("30 submissions in ")
    done, _, _, largest, total = re.findall(r"[\d.]+", lines[-2])
    assert done == "30"
    assert 20 < float(largest) < float(total)
    with Gradebook.read(tmp_path / "results") as book:
        assert book.counts() == {"graded": 20, "refused": 10}


def test_an_empty_sample_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scale", "--sample", str(tmp_path)]) == 2
    assert "holds no submissions" in capsys.readouterr().err
