"""The live preview: the page, the mistakes in its place, and news of each build."""

import http.client
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from course.serve import Preview, make_server

TINY = Path(__file__).parent / "fixtures" / "tiny"


@pytest.fixture
def preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Preview:
    monkeypatch.chdir(Path(__file__).parent.parent)
    lesson = shutil.copytree(TINY, tmp_path / "lesson")
    return Preview(Path(lesson), tmp_path / "out")


@pytest.fixture
def port(preview: Preview) -> Iterator[int]:
    server = make_server(preview, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def _get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode("utf-8")


def test_it_shows_the_page_then_the_mistakes_then_the_page(preview: Preview, port: int) -> None:
    preview.build()
    status, page = _get(port, "/")
    assert status == 200
    assert "Smooth a series" in page
    assert "new EventSource('/changes')" in page
    assert _get(port, "/moving_average.py")[0] == 200
    assert _get(port, "/../staff/answers.md")[0] == 404

    built = preview.folder / "student"
    built.rename(preview.folder / "away")  # as a build does, until the new folder is there
    assert "Smooth a series" in _get(port, "/")[1]
    (preview.folder / "away").rename(built)

    file = preview.lesson / "course" / "sections" / "01-idea.yaml"
    good = file.read_text("utf-8")
    file.write_text(good.replace("title: Smooth a series", "titel: <b>", 1), "utf-8")
    preview.build()
    _, page = _get(port, "/")
    assert "01-idea.yaml:2: titel: unknown key; did you mean &#39;title&#39;?" in page
    assert "Smooth a series" not in page

    file.write_text(good.replace("Smooth a series", "Smoother still"), "utf-8")
    preview.build()
    assert "Smoother still" in _get(port, "/")[1]


def test_an_open_page_hears_of_the_next_build(preview: Preview, port: int) -> None:
    preview.build()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/changes")
    answer = connection.getresponse()
    assert answer.getheader("Content-Type") == "text/event-stream"
    assert answer.readline() == b": listening\n"
    preview.build()
    lines = iter(answer.readline, b"")
    assert next(line for line in lines if line.startswith(b"data:")) == b"data: 2\n"
