"""A solution that stands alone: the reference's student functions with all that they use.

A helper whose name would meet another's gets an underscore; comments and docstrings stay.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

Key = tuple[str, str]
"""Module and name of one top-level definition of the reference."""

Edit = tuple[int, int, str]
"""First and last byte in a module's source, and what to write there."""


@dataclass
class _Module:
    """A module's source, its definitions, and what each imported name stands for."""

    source: bytes
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    names: dict[str, Key] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    external: dict[str, str] = field(default_factory=dict)

    def offset(self, line: int, column: int) -> int:
        """Byte offset of a place as `ast` counts it."""
        return sum(map(len, self.source.splitlines(keepends=True)[: line - 1])) + column


def solution(reference: ModuleType) -> str:
    """The source of all of `reference.FUNCTIONS`; it imports nothing of ours."""
    wanted = [(f.__module__, f.__name__) for f in reference.FUNCTIONS.values()]
    bundle = _Bundle(reference.__name__, wanted)
    for key in wanted:
        bundle.add(key)
    head = ["from __future__ import annotations", "", *sorted(bundle.imports)]
    return "\n".join(head) + "\n\n\n" + "\n\n\n".join(bundle.parts) + "\n"


class _Bundle:
    """Definitions written so far, each after what it uses."""

    def __init__(self, package: str, wanted: list[Key]) -> None:
        self.package = package
        self.modules: dict[str, _Module] = {}
        self.names: dict[Key, str] = {key: key[1] for key in wanted}
        self.seen: set[Key] = set()
        self.parts: list[str] = []
        self.imports: set[str] = set()

    def add(self, key: Key) -> None:
        """Write the definition `key`, and before it whatever it uses."""
        if key in self.seen:
            return
        self.seen.add(key)
        module = self._module(key[0])
        node = module.definitions[key[1]]
        edits = []
        for used in _uses(node):
            target = self._target(module, key[0], used)
            if target is not None:
                self.add(target)
                start = module.offset(used.lineno, used.col_offset)
                end = module.offset(used.end_lineno or 0, used.end_col_offset or 0)
                edits.append((start, end, self._name(target)))
        edits += _own_name(module, node, key[1], self._name(key))
        self.parts.append(_text(module, node, edits))

    def _target(self, module: _Module, name: str, used: ast.Name | ast.Attribute) -> Key | None:
        """The definition that a name or a `module.name` stands for; imports are noted."""
        if isinstance(used, ast.Attribute):
            holder = used.value.id if isinstance(used.value, ast.Name) else ""
            return (module.modules[holder], used.attr) if holder in module.modules else None
        if used.id in module.definitions:
            return (name, used.id)
        if used.id in module.external:
            self.imports.add(module.external[used.id])
        return module.names.get(used.id)

    def _name(self, key: Key) -> str:
        if key not in self.names:
            name = key[1]
            while name in self.names.values():
                name = f"_{name}"
            self.names[key] = name
        return self.names[key]

    def _module(self, name: str) -> _Module:
        if name not in self.modules:
            file = Path(str(sys.modules[name].__file__))
            base = name if file.name == "__init__.py" else name.rpartition(".")[0]
            self.modules[name] = _read(file, base, self.package)
        return self.modules[name]


def _read(file: Path, base: str, package: str) -> _Module:
    module = _Module(file.read_bytes())
    for node in ast.parse(module.source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            module.definitions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    module.definitions[target.id] = node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            _note_import(module, node, base, package)
    return module


def _note_import(
    module: _Module, node: ast.Import | ast.ImportFrom, base: str, package: str
) -> None:
    origin = ""
    if isinstance(node, ast.ImportFrom):
        origin = ".".join(base.split(".")[: len(base.split(".")) + 1 - node.level])
        origin = ".".join(filter(None, [origin if node.level else "", node.module]))
    for alias in node.names:
        known = alias.asname or alias.name
        if origin.split(".")[0] != package:
            one = ast.Import([alias]) if not origin else ast.ImportFrom(origin, [alias], 0)
            module.external[known] = ast.unparse(one)
        elif f"{origin}.{alias.name}" in sys.modules:
            module.modules[known] = f"{origin}.{alias.name}"
        else:
            module.names[known] = (origin, alias.name)


def _uses(node: ast.stmt) -> Iterator[ast.Name | ast.Attribute]:
    """Every read of a name that is not the definition's own parameter or variable."""
    own = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
    own |= {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    for part in ast.walk(node):
        name = part.value if isinstance(part, ast.Attribute) else part
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and name.id not in own:
            yield part if isinstance(part, ast.Attribute) else name


def _own_name(module: _Module, node: ast.stmt, old: str, new: str) -> list[Edit]:
    """The edit that renames the definition itself."""
    if old == new:
        return []
    begin = module.offset(node.lineno, node.col_offset)
    start = module.source.index(old.encode(), begin)
    return [(start, start + len(old.encode()), new)]


def _text(module: _Module, node: ast.stmt, edits: list[Edit]) -> str:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    begin = module.offset(min([node.lineno, *(d.lineno for d in decorators)]), 0)
    end = module.offset(node.end_lineno or 0, node.end_col_offset or 0)
    text = module.source
    for start, stop, new in sorted(set(edits), reverse=True):
        text = text[:start] + new.encode() + text[stop:]
        end += len(new.encode()) - (stop - start)
    return text[begin:end].decode("utf-8")
