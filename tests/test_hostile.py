"""The corpus of hostile files on each tier: what must happen happens, and nothing stays behind."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from grader.outcome import Array, Call, Cell, Limits, Load, Outcome
from grader.sandbox import ForkSandbox
from reference import FUNCTIONS

CORPUS = Path(__file__).parent / "submissions" / "hostile"
MANIFEST: dict[str, dict[str, Any]] = yaml.safe_load((CORPUS / "manifest.yaml").read_text("utf-8"))
# What hangs is given little time, everything else enough for a busy machine.
BRIEF = Limits(wall_seconds=0.5, load_seconds=0.8, cpu_seconds=20, memory_mib=512, result_mib=4)
AMPLE = replace(BRIEF, wall_seconds=10, load_seconds=10)
PACKAGES = Path(np.__file__).parent
SHARED_FOLDERS = [Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/"), Path.cwd()]
PLANTED = ["results.json", "grades.csv", "results.pickle", "fill0", "owned.pth", "owned.py"]
PLANTED += ["sitecustomize.py", "grader-note-46", "grader-owned-59"]


def _calls(limits: Limits) -> list[Call]:
    random = np.random.default_rng(7)

    def table(*shape: int) -> np.ndarray:
        return random.normal(size=shape)

    inputs: list[tuple[str, tuple[np.ndarray, ...]]] = [
        ("attention_scores", (table(3, 4), table(3, 4))),
        ("causal_mask", (table(3, 3),)),
        ("attention_scores", (table(4, 2), table(4, 2))),
        ("causal_mask", (table(5, 5),)),
    ]
    return [
        Call(f"case {number}", name, arguments, limits=limits)
        for number, (name, arguments) in enumerate(inputs)
    ]


CALLS, BRIEF_CALLS = _calls(AMPLE), _calls(BRIEF)
GOOD = b"""import numpy as np
def attention_scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])
def causal_mask(scores):
    return np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf)
"""


def verdict(call: Call, outcome: Outcome) -> str:
    """One word: right, wrong, changed, or the status of a call that did not return."""
    if outcome.status != "returned":
        return outcome.status
    (value,) = outcome.values
    arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in call.arguments]
    expected = FUNCTIONS[call.function](*arguments)
    if not isinstance(value, Array) or value.dtype != "<f8" or value.data.shape != expected.shape:
        return "wrong"
    if not np.allclose(value.data, expected, rtol=1e-6, atol=1e-8):
        return "wrong"
    return "changed" if outcome.changed else "right"


def words(value: str | list[str] | None) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []


def descendants(root: int) -> set[int]:
    """Ids of all processes below one."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    found = {root}
    while more := {p for p, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def wait_for(expected: set[int], root: int) -> set[int]:
    """The processes below `root`, when they are the expected ones or after two seconds."""
    give_up = time.monotonic() + 2
    while (left := descendants(root)) != expected and time.monotonic() < give_up:
        time.sleep(0.01)
    return left


def installed() -> dict[str, tuple[int, int]]:
    """Size and time of change of everything in NumPy's folder, and of what lies beside it."""
    entries = [*PACKAGES.parent.iterdir(), *PACKAGES.rglob("*")]
    return {
        str(e): (e.stat().st_size, e.stat().st_mtime_ns)
        for e in entries
        if e.name != "__pycache__" and e.suffix != ".pyc"
    }


@pytest.fixture(scope="module")
def packages_before() -> dict[str, tuple[int, int]]:
    return installed()


def run(
    sandbox: ForkSandbox, source: bytes, calls: Sequence[Call] = CALLS
) -> tuple[Sequence[str], Load, Sequence[Outcome]]:
    load, outcomes = sandbox.run([Cell("attention.py", source)], calls)
    return [verdict(c, o) for c, o in zip(calls, outcomes, strict=True)], load, outcomes


def test_the_manifest_names_every_file() -> None:
    assert {f.stem for f in CORPUS.glob("*.py")} == set(MANIFEST)
    outside_the_sandbox = {61, 62}  # archives and special files: the intake's tests
    assert {e["entry"] for e in MANIFEST.values()} >= set(range(1, 69)) - outside_the_sandbox
    for name, entry in MANIFEST.items():
        assert name.split("-")[0] in words(entry["scores"]) + words(entry["mask"])


def hangs(name: str) -> bool:
    entry = MANIFEST[name]
    return "timeout" in words(entry["scores"]) + words(entry.get("load"))


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.campaign] * hangs(n)) for n in sorted(MANIFEST)],
)
def test_hostile(
    sandbox: ForkSandbox, name: str, packages_before: dict[str, tuple[int, int]]
) -> None:
    expected = MANIFEST[name]
    before, _, outcomes_before = run(sandbox, GOOD)
    assert before == ["right"] * 4
    server = sandbox._server
    assert server is not None
    server.settle()
    processes = descendants(server._process.pid)

    source = (CORPUS / f"{name}.py").read_bytes()
    seen, load, outcomes = run(sandbox, source, BRIEF_CALLS if hangs(name) else CALLS)
    said = [(o.status, o.error or o.detail) for o in outcomes], load
    assert set(seen[0::2]) <= set(words(expected["scores"])), said
    assert set(seen[1::2]) <= set(words(expected["mask"])), said
    error = load.cells[0]
    assert (error.type_name in words(expected.get("load"))) if error else not expected.get("load")

    assert sandbox._server is server, "the fork server had to be replaced"
    assert wait_for(processes, server._process.pid) == processes, "a process was left"
    folders = [*SHARED_FOLDERS, PACKAGES, PACKAGES.parent, *Path.home().glob(".config")]
    assert [p for f in folders for p in PLANTED if os.path.lexists(f / p)] == []
    after, _, outcomes_after = run(sandbox, GOOD)
    assert after == before
    for one, two in zip(outcomes_before, outcomes_after, strict=True):
        assert one.values[0].data.tobytes() == two.values[0].data.tobytes()  # type: ignore[union-attr]


def test_nothing_that_is_installed_changed(packages_before: dict[str, tuple[int, int]]) -> None:
    assert installed() == packages_before
