"""Load all challenges of a lesson: `challenges/<id>/challenge.yaml` and `starter.py`."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from challenges.cases import prepare
from challenges.figures import FigureError
from challenges.model import Challenge
from challenges.source import Finding, Source, read, read_as

LESSON_ROOT = Path(__file__).resolve().parent.parent
"""The lesson that the kit carries; every command takes another by `--lesson`."""


def lesson_value(root: Path, key: str) -> str:
    """A text of `course/lesson.yaml`, for who needs one without the whole lesson; empty if none."""
    source, _ = read(root / "course" / "lesson.yaml")
    return str(source.data.get(key, "")) if source else ""


@dataclass(frozen=True)
class LoadedChallenge:
    """A challenge, its starter code and where it was read."""

    challenge: Challenge
    starter: str
    source: Source


def load_challenges(
    root: Path, reference: ModuleType | None
) -> tuple[list[LoadedChallenge], list[Finding]]:
    """All challenges in order of their number, and every mistake in their files.

    With a `reference` each case is also calculated once, so that a case that cannot run is found.
    """
    loaded: list[LoadedChallenge] = []
    findings: list[Finding] = []
    folder = root / "challenges"
    files = sorted(folder.glob("*/challenge.yaml"))
    if not files:
        findings.append(Finding(folder, 0, "", "no <challenge>/challenge.yaml is here"))
    for file in files:
        content = read_as(file, Challenge, findings)
        if content is None:
            continue
        source, challenge = content
        findings += [source.finding(place, text) for place, text in challenge.mistakes()]
        if challenge.id != file.parent.name:
            text = f"found '{challenge.id}', but the folder is '{file.parent.name}'"
            findings.append(source.finding(("id",), text))
        starter, mistakes = _starter(file.parent / "starter.py", challenge)
        findings += mistakes
        if reference is not None:
            findings += _case_findings(source, challenge, reference)
        loaded.append(LoadedChallenge(challenge, starter, source))
    loaded.sort(key=lambda item: item.challenge.number)
    if len(loaded) == len(files):
        findings += _number_findings(loaded)
    return loaded, findings


def _starter(file: Path, challenge: Challenge) -> tuple[str, list[Finding]]:
    try:
        text = file.read_text("utf-8")
        tree = ast.parse(text)
    except OSError as error:
        return "", [Finding(file, 0, "", f"the starter cannot be read: {error.strerror}")]
    except UnicodeDecodeError:
        return "", [Finding(file, 0, "", "the starter is not UTF-8; save it as UTF-8")]
    except SyntaxError as error:
        return "", [Finding(file, error.lineno or 1, "", f"not valid Python: {error.msg}")]
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    findings = []
    for function in challenge.functions:
        node = defined.get(function.name)
        if node is None:
            findings.append(Finding(file, 1, function.name, "the starter does not define it"))
        elif (given := f"{node.name}({ast.unparse(node.args)})") != function.signature:
            text_ = f"found {given}, but the challenge declares {function.signature}"
            findings.append(Finding(file, node.lineno, function.name, text_))
    return text, findings


def _case_findings(source: Source, challenge: Challenge, reference: ModuleType) -> list[Finding]:
    findings = []
    for index, case in enumerate(challenge.cases):
        if any(place[:2] == ("cases", index) for place, _ in challenge.mistakes()):
            continue
        try:
            prepare(case, challenge.function(case.function), reference)
        except FigureError as error:
            findings.append(source.finding(("cases", index), str(error)))
    return findings


def _number_findings(loaded: list[LoadedChallenge]) -> list[Finding]:
    return [
        item.source.finding(("number",), f"found {item.challenge.number}, expected {expected}")
        for expected, item in enumerate(loaded, start=1)
        if item.challenge.number != expected
    ]
