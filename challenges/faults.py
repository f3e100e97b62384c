"""The words for faults: `challenges/faults/*.yaml`, checked against the reference's faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from challenges.explain import suggest
from challenges.model import Identifier, Text
from challenges.source import Content, Finding, Source, read_as


class FaultText(Content):
    """What a fault is called, what a student reads, the section to reread, what staff read.

    `common` faults are looked for two at a time, too; `once` ones cost points in one challenge.
    `covers` names faults that can give the same results and that this text fits as well.
    """

    name: Text
    section: Identifier
    student: Text
    staff: Text
    common: bool = False
    once: bool = False
    covers: list[Identifier] = []


Sign = Literal[
    "repeat-differs",
    "inputs-changed",
    "right-among-others",
    "constant",
    "inputs-returned",
    "nearly-right",
    "constant-ratio",
    "constant-difference",
    "transposed",
    "rearranged",
    "first-row-nan",
    "not-a-number",
    "columns-total-one",
    "rows-do-not-total-one",
    "only-last-row",
    "first-rows-differ",
    "fits-some-sizes",
    "right-with",
    "wrong-with",
    "part-right",
]


class ObservationText(Content):
    """What to say where no fault fits and the results show this sign.

    `tag` is for right-with and wrong-with, `part` (a returned array's name) for part-right,
    `rows` for first-rows-differ: how many rows of tagged cases of a function must be the same.
    """

    sign: Sign
    student: Text
    staff: Text
    tag: Identifier | None = None
    part: Text | None = None
    rows: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _arguments(self) -> Self:
        needed = {
            "right-with": {"tag"},
            "wrong-with": {"tag"},
            "first-rows-differ": {"tag", "rows"},
            "part-right": {"part"},
        }.get(self.sign, set())
        given = {name for name in ("tag", "part", "rows") if getattr(self, name) is not None}
        if given != needed:
            wanted = " and ".join(sorted(needed)) or "no tag, part or rows"
            raise ValueError(f"the sign {self.sign} takes {wanted}")
        return self


class FaultFile(Content):
    """One file of `challenges/faults/`."""

    faults: dict[Identifier, FaultText] = {}
    observations: list[ObservationText] = []
    charged_once: Text | None = None


@dataclass(frozen=True)
class FaultTexts:
    """All words of a lesson; empty where it has none."""

    faults: Mapping[str, FaultText] = field(default_factory=dict)
    observations: tuple[ObservationText, ...] = ()
    sections: Mapping[str, int] = field(default_factory=dict)
    """The number of each section."""
    charged_once: str = ""
    """What a student reads where a mistake has cost points before; `{title}` is the challenge."""


def load_faults(root: Path, reference: ModuleType | None) -> tuple[FaultTexts, list[Finding]]:
    """The words of the lesson at `root`, and every mistake in their files."""
    faults: dict[str, FaultText] = {}
    observations: list[ObservationText] = []
    charged_once = ""
    findings: list[Finding] = []
    sections = {
        file.stem[3:]: int(file.stem[:2])
        for file in (root / "course" / "sections").glob("[0-9][0-9]-*.yaml")
    }
    known = dict(getattr(reference, "FAULTS", {})) if reference is not None else None
    folder = root / "challenges" / "faults"
    files: list[tuple[Source, FaultFile]] = []
    names = sorted(folder.glob("*.yaml"))
    for file in names:
        content = read_as(file, FaultFile, findings)
        if content is not None:
            source, parsed = content
            files.append(content)
            findings += [
                source.finding(("faults", name), "another file has this fault too")
                for name in sorted(parsed.faults.keys() & faults.keys())
            ]
            faults |= parsed.faults
            observations += parsed.observations
            charged_once = parsed.charged_once or charged_once
    whole = len(files) == len(names)  # else a name may be in the file that cannot be read
    for source, parsed in files:
        findings += _name_findings(source, parsed, known, faults if whole else None, sections)
    missing = [name for name in known or {} if name not in faults]
    if whole and files and missing:
        text = f"no text for the reference's fault{'s' * (len(missing) > 1)} {', '.join(missing)}"
        findings.append(Finding(folder, 0, "", text))
    return FaultTexts(faults, tuple(observations), sections, charged_once), findings


def _name_findings(
    source: Source,
    parsed: FaultFile,
    known: Mapping[str, object] | None,
    faults: Mapping[str, FaultText] | None,
    sections: Mapping[str, int],
) -> list[Finding]:
    """Names that nothing else has."""
    found = []
    for name, text in parsed.faults.items():
        place = ("faults", name)
        if known is not None and name not in known:
            message = "the reference has no such fault" + suggest(name, known)
            found.append(source.finding(place, message))
        if sections and text.section not in sections:
            message = f"no section '{text.section}'" + suggest(text.section, sections)
            found.append(source.finding((*place, "section"), message))
        for index, other in enumerate(text.covers):
            if faults is not None and other not in faults:
                message = f"no fault '{other}'" + suggest(other, faults)
                found.append(source.finding((*place, "covers", index), message))
    return found
