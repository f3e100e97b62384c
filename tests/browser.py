"""What the tests in a browser share: Chromium, npm's packages, a Python runtime on this machine."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from course import npm

ROOT = Path(__file__).parent.parent
CHROMIUM = "/usr/bin/chromium"
STANDIN = ROOT / "tests" / "fixtures" / "standin_numpy" / "numpy.py"


def unavailable(what: str) -> None:
    """Skip, except in CI, where what is missing is a failure."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    if not Path(CHROMIUM).exists():
        unavailable("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def npm_package(name: str) -> Path:
    """The folder of a locked npm package; `make test` fetches them before the tests start."""
    folder = npm.PACKAGES / name
    if not folder.is_dir():
        unavailable(f"{name} from npm is missing; `python -m course.npm` fetches it")
    return folder


def node() -> Path:
    """The folder of Node's programs."""
    folder = npm.node_folder()
    if folder is None:
        unavailable("Node is not installed")
    assert folder is not None
    return folder


class Handler(SimpleHTTPRequestHandler):
    """Files with the types that a browser asks for; silent."""

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:
        pass


class Network(Handler):
    """Files for pages from anywhere, as a content network serves them."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def served(folder: Path, *, elsewhere: bool = True) -> Iterator[str]:
    """The address of a folder served on this machine, to pages from elsewhere as well."""
    handler = functools.partial(Network if elsewhere else Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def make_runtime(folder: Path) -> Path:
    """The real Pyodide from npm beside the stand-in for NumPy, whose wheel says what it is."""
    shutil.copytree(npm_package("pyodide"), folder, dirs_exist_ok=True)
    name = "numpy-0+standin-py3-none-any.whl"
    information = "numpy-0+standin.dist-info"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.write(STANDIN, "numpy.py")
        wheel.writestr(
            f"{information}/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 0+standin\n"
        )
        wheel.writestr(
            f"{information}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{information}/RECORD", "")
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    lock["packages"]["numpy"] |= {
        "version": "0+standin",
        "file_name": name,
        "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest(),
    }
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    return folder


class Watched:
    """What a page must not do: write errors to the console, or ask for anything."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda m: self.errors.append(m.text) if m.type != "log" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    @property
    def outside(self) -> list[str]:
        """Requests to anything but the page itself and what it carries."""
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]
