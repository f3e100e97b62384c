"""Live preview: builds the lesson in a process of its own on every change, and reloads the browser.

Mistakes in the content are shown in the page, with file and line, until they are gone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from watchfiles import PythonFilter, watch

from course.theming import THEME, html_environment

WATCHED = ("course", "questions", "challenges", "reference")
HEARTBEAT = 15.0
"""Seconds after which an idle connection is written to, so that a closed one is noticed."""

_RELOAD = b"<script>new EventSource('/changes').onmessage = () => location.reload();</script>"


class Preview:
    """The latest build of a lesson: files in `folder`, or the mistakes that prevented it."""

    def __init__(self, lesson: Path, folder: Path, python_runtime: str = "") -> None:
        self.lesson = lesson
        self.folder = folder
        self.python_runtime = python_runtime
        self.mistakes = ""
        self.html = b""
        self.version = 0
        self.changed = threading.Condition()

    def build(self) -> None:
        """Build anew; a fresh process, so that a changed reference is read anew too."""
        command = [sys.executable, "-m", "course", "build", "--lesson", str(self.lesson)]
        command += ["--out", str(self.folder), "--no-autograder"]
        if self.python_runtime:
            command += ["--python-runtime", self.python_runtime]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        with self.changed:
            self.mistakes = done.stderr.strip() if done.returncode else ""
            if not done.returncode:  # kept, as the next build takes the file away for a moment
                self.html = (self.folder / "student" / "index.html").read_bytes()
            self.version += 1
            self.changed.notify_all()

    def page(self) -> bytes:
        """The page, or a page of mistakes; either reloads itself after the next build."""
        if self.mistakes:
            template = html_environment().get_template("mistakes.html")
            html = template.render(mistakes=self.mistakes.splitlines()).encode("utf-8")
        else:
            html = self.html
        return html.replace(b"</body>", _RELOAD + b"</body>")

    def wait(self, version: int) -> bool:
        """Whether a build newer than `version` came within a heartbeat."""
        with self.changed:
            return self.changed.wait_for(lambda: self.version > version, HEARTBEAT)


class Handler(SimpleHTTPRequestHandler):
    """Serves the page at `/`, news of builds at `/changes`, and the other student files."""

    def __init__(self, *arguments: object, preview: Preview) -> None:
        self.preview = preview
        super().__init__(*arguments, directory=str(preview.folder / "student"))  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Answer one request."""
        path = self.path.partition("?")[0]
        if path == "/changes":
            self._changes()
        elif path in {"/", "/index.html"}:
            page = self.preview.page()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(page)
        else:
            super().do_GET()

    def _changes(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        version = self.preview.version
        try:
            self.wfile.write(b": listening\n\n")
            while not self.preview.wait(version):
                self.wfile.write(b": still here\n\n")
            self.wfile.write(f"data: {self.preview.version}\n\n".encode())
        except OSError:
            return  # the browser has gone

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing: the terminal is for mistakes."""


def make_server(preview: Preview, port: int) -> ThreadingHTTPServer:
    """A server on this machine only; raises OSError if the port is taken."""

    def handler(*arguments: object) -> Handler:
        return Handler(*arguments, preview=preview)

    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    return server


def serve(lesson: Path, port: int, python_runtime: str = "") -> int:
    """Build, serve and watch until interrupted."""
    with tempfile.TemporaryDirectory(prefix="lesson-") as scratch:
        preview = Preview(lesson, Path(scratch), python_runtime)
        server = make_server(preview, port)
        _report(preview)  # who asks meanwhile waits for it
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_port}/  (stop with Ctrl+C)", flush=True)
        folders = [lesson / name for name in WATCHED if (lesson / name).is_dir()]
        only = PythonFilter(extra_extensions=(".yaml", ".html", ".css", ".js", ".jinja"))
        for _ in watch(*folders, THEME, watch_filter=only, raise_interrupt=False):
            _report(preview)
        server.shutdown()
    return 0


def _report(preview: Preview) -> None:
    preview.build()
    print(preview.mistakes or f"built ({preview.version})", flush=True)
