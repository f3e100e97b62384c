"""Read one YAML file and check it against a pydantic model, with file, line, key of each fault.

Nothing here raises for a mistake in the content: every reader returns its findings, so that an
author sees all mistakes of all files at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from challenges.explain import explain

Location = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


class Content(BaseModel):
    """Base of all content models: frozen, and a misspelt key is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, order=True)
class Finding:
    """One mistake in one content file, as an author reads it."""

    file: Path
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        return place + (f"{self.key}: " if self.key else "") + self.message


class ContentError(Exception):
    """Content has mistakes; `findings` holds every one of them."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, sorted(findings))))
        self.findings = sorted(findings)


@dataclass(frozen=True)
class Source:
    """The plain data of one YAML file and the line on which each key and item stands."""

    file: Path
    data: Any
    lines: dict[Location, int] = field(default_factory=dict)

    def finding(self, location: Location, message: str) -> Finding:
        """A finding at `location`, or at the nearest enclosing key that the file has."""
        known = location
        while known and known not in self.lines:
            known = known[:-1]
        return Finding(self.file, self.lines.get(known, 1), key_text(location), message)


def key_text(location: Location) -> str:
    """`("body", 2, "title")` as `body[2].title`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class _Loader(yaml.SafeLoader):
    """SafeLoader that reads `1e-6` as a number (YAML 1.2), not as text (YAML 1.1)."""


class _FastLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same by libyaml: ten times as fast, with poorer messages for what is wrong."""


for _loader in (_Loader, _FastLoader):
    _loader.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$"),
        list("-+.0123456789"),
    )


def read(file: Path) -> tuple[Source | None, list[Finding]]:
    """Read a file as YAML data with positions; `None` where nothing usable is in it."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        return None, [Finding(file, 0, "", f"cannot be read: {error.strerror or error}")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        message = f"byte {raw[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        return None, [Finding(file, line, "", message)]
    try:
        loader, node = _parsed(text)
        if node is None:
            return None, [Finding(file, 1, "", "the file is empty; a mapping of keys is expected")]
        findings: list[Finding] = []
        lines: dict[Location, int] = {}
        _walk(node, (), lines, findings, file)
        if findings:
            return None, findings
        source = Source(file, loader.construct_document(node), lines)
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        message = f"the character {error.character:#06x} is not allowed in YAML"
        return None, [Finding(file, line, "", message)]
    except yaml.MarkedYAMLError as error:
        return None, [_syntax_finding(file, error)]
    except (yaml.YAMLError, ValueError) as error:
        return None, [Finding(file, 1, "", f"not readable as YAML: {error}")]
    if not isinstance(source.data, dict):
        return None, [Finding(file, 1, "", "a mapping of keys is expected at the top of the file")]
    return source, []


def _parsed(text: str) -> tuple[Any, yaml.Node | None]:
    """The loader and the tree of the one document. Raises YAMLError, with PyYAML's own words."""
    try:
        loader: Any = _FastLoader(text)
        return loader, loader.get_single_node()
    except yaml.YAMLError:
        loader = _Loader(text)
        return loader, loader.get_single_node()


def check(source: Source, model: type[Model]) -> tuple[Model | None, list[Finding]]:
    """Validate the data of `source`; all mistakes come back, each with its line."""
    try:
        return model.model_validate(source.data), []
    except ValidationError as error:
        findings = []
        for details in error.errors():
            location, message = explain(model, source.data, details)
            findings.append(source.finding(location, message))
        return None, findings


def read_as(file: Path, model: type[Model], findings: list[Finding]) -> tuple[Source, Model] | None:
    """Read and validate in one go; mistakes join `findings`, and `None` stands for the content."""
    source, mistakes = read(file)
    findings += mistakes
    if source is None:
        return None
    content, mistakes = check(source, model)
    findings += mistakes
    return None if content is None else (source, content)


def name_findings(source: Source, identifier: str, before: Path | None) -> list[Finding]:
    """What is wrong with a name `NN-<id>.yaml` that comes after the file `before`.

    Each file is held against its neighbour alone, so that one number too many is one finding.
    """
    number, _, rest = source.file.stem.partition("-")
    last = before.name.partition("-")[0] if before else "0"
    expected = int(last) + 1 if last.isdecimal() else None
    place = ("id",)
    if not number.isdecimal():
        return [source.finding(place, f"the file's name must be NN-{identifier}.yaml")]
    findings = []
    if expected is not None and int(number) != expected:
        text = f"the file is number {number}, expected {expected:02d}"
        text += f" after {before.name}" if before else ", as the first"
        findings.append(source.finding(place, text))
    if rest != identifier:
        text = f"found '{identifier}', but the file is named '{rest}'"
        findings.append(source.finding(place, text))
    return findings


def _walk(
    node: yaml.Node,
    location: Location,
    lines: dict[Location, int],
    findings: list[Finding],
    file: Path,
) -> None:
    line = node.start_mark.line + 1
    lines.setdefault(location, line)
    if not node.tag.startswith("tag:yaml.org,2002:") or "python" in node.tag:
        message = f"the tag {node.tag} is not allowed; plain values only"
        findings.append(Finding(file, line, key_text(location), message))
    elif isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key_node, value in node.value:
            key, key_line = str(key_node.value), key_node.start_mark.line + 1
            inner = (*location, key)
            if key in seen:
                message = f"duplicate key; it is first given on line {seen[key]}"
                findings.append(Finding(file, key_line, key_text(inner), message))
            seen.setdefault(key, key_line)
            lines.setdefault(inner, key_line)
            _walk(value, inner, lines, findings, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _walk(item, (*location, index), lines, findings, file)


def _syntax_finding(file: Path, error: yaml.MarkedYAMLError) -> Finding:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    problem = error.problem or "not readable as YAML"
    if "\\t" in problem:
        problem = "a tab is used for indentation; YAML wants spaces"
    elif problem == "mapping values are not allowed here":
        problem += " (text that holds a colon and a space needs quotes or a | block)"
    elif error.context == "while scanning a double-quoted scalar" and error.context_mark:
        problem += f" (the double-quoted text begins on line {error.context_mark.line + 1})"
    elif "expected a single document" in (error.context or ""):
        problem = "a second document starts here (---); one document a file is expected"
    return Finding(file, line, "", problem)
