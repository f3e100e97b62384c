"""The scripts of the page, as elements that stand inside it.

Where there is Node, esbuild bundles them together with the editor from npm (by the lock file).
Elsewhere the hand-written modules stand in the page as they are, without that editor.
An explorer is particular to a lesson: its folder is named after the calculation that it shows.
"""

from __future__ import annotations

import base64
import json
import logging
import re
from functools import cache
from pathlib import Path

from course import npm
from course.lesson import Lesson
from course.model import ExplorerBlock
from course.theming import THEME

SCRIPTS = THEME / "scripts"
IMPORT = re.compile(r'(?<=from ")(\.[^"]+)(?=";)')

PLAIN = "the page gets a plain text field for code."

log = logging.getLogger("course")


def page_scripts(lesson: Lesson) -> str:
    """All script elements that the lesson's page needs."""
    features = _features(lesson)
    newest = max(file.stat().st_mtime_ns for file in SCRIPTS.rglob("*.js"))
    return _texts(features) + _program(features, newest)


def _features(lesson: Lesson) -> tuple[str, ...]:
    """The folders of `theme/scripts` whose `start` the page calls, in order."""
    blocks = [block for loaded in lesson.sections for block in loaded.section.body]
    calls = {block.call for block in blocks if isinstance(block, ExplorerBlock) and block.call}
    explorers = [f"explorers/{call}" for call in sorted(calls)]
    features = [name for name in explorers if (SCRIPTS / name).is_dir()]
    if lesson.questions:
        features.append("quiz")
    if lesson.challenges:
        features.append("challenge")
    return (*features, "reading")


def _texts(features: tuple[str, ...]) -> str:
    """What the worker that runs Python is made of; it is no script of the page itself."""
    if "challenge" not in features:
        return ""
    texts = {"python-worker": "worker.js", "python-harness": "harness.py"}
    return "".join(
        f'<script type="text/plain" id="{name}">\n{_text(SCRIPTS / "challenge" / file)}</script>\n'
        for name, file in texts.items()
    )


@cache
def _program(features: tuple[str, ...], newest: int) -> str:
    """The program of the page; made anew when a script is newer."""
    bundle = _bundle(features)
    return f"<script>{bundle}</script>" if bundle else _unbundled(features)


def _entry(features: tuple[str, ...], folder: str) -> str:
    """A program that starts each feature."""
    imports = [
        f'import {{ start as start{number} }} from "{folder}{name}/start.js";'
        for number, name in enumerate(features)
    ]
    return "\n".join(imports + [f"start{number}();" for number in range(len(features))])


def _bundle(features: tuple[str, ...]) -> str:
    """One script by esbuild, or nothing (and the reason on the log) where that cannot be."""
    folder = npm.node_folder()
    if folder is None:
        log.warning("There is no Node here: %s", PLAIN)
        return ""
    if not (npm.PACKAGES / "esbuild").is_dir() and (reason := npm.install(folder)):
        log.warning("npm could not fetch the editor: %s\n%s", PLAIN, reason)
        return ""
    if "challenge" in features:
        features = (*features, "editor")
    status, program, errors = npm.run(folder, "node", "bundle.js", text=_entry(features, "./"))
    if status != 0:
        log.warning("esbuild failed: %s\n%s", PLAIN, errors)
        return ""
    return program.strip().replace("</script", "<\\/script")


def _unbundled(features: tuple[str, ...]) -> str:
    """The modules themselves, under names that an import map ties to their text."""
    names = {file: file.relative_to(SCRIPTS).as_posix() for file in sorted(SCRIPTS.rglob("*.js"))}
    imports = {}
    for file, name in names.items():
        if name.startswith("editor/") or name == "challenge/worker.js":
            continue

        def named(match: re.Match[str], file: Path = file) -> str:
            return f"page/{names[(file.parent / match[1]).resolve()]}"

        text = IMPORT.sub(named, file.read_text("utf-8"))
        code = base64.b64encode(text.encode("utf-8")).decode("ascii")
        imports[f"page/{name}"] = f"data:text/javascript;charset=utf-8;base64,{code}"
    return (
        f'<script type="importmap">{json.dumps({"imports": imports})}</script>\n'
        f'<script type="module">\n{_entry(features, "page/")}\n</script>'
    )


def _text(file: Path) -> str:
    return file.read_text("utf-8").replace("</script", "<\\/script")
