"""The reference as text, line by line: what the leak scan looks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml


def reference_code(folder: Path) -> Iterator[tuple[str, str]]:
    """Every line of code of the reference but imports and bare names, and every function's body."""
    for file in sorted(folder.rglob("*.py")):
        what = f"of reference/{file.relative_to(folder)}"
        source = file.read_text("utf-8")
        tree = ast.parse(source)
        skipped = set(_lines_of(tree, (ast.Import, ast.ImportFrom))) | set(_docstring_lines(tree))
        for number, line in enumerate(source.splitlines(), start=1):
            bare = line.partition("  #")[0].strip()
            if number not in skipped and not re.fullmatch(r"#.*|[\w.]+,?", bare):
                yield f"line {number} {what}", bare
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                statements = node.body[1:] if ast.get_docstring(node) else node.body
                body = "\n".join(map(ast.unparse, statements))
                yield f"the body of {node.name} {what}", body


def reference_words(folder: Path) -> Iterator[tuple[str, str]]:
    """Docstrings and comments of the reference, line by line, and the texts of its YAML files."""
    for file in sorted(folder.rglob("*.py")):
        what = f"of reference/{file.relative_to(folder)}"
        source = file.read_text("utf-8")
        documented = set(_docstring_lines(ast.parse(source)))
        for number, line in enumerate(source.splitlines(), start=1):
            if number in documented:
                yield f"line {number} {what}", line
            elif "#" in line:
                yield f"the comment in line {number} {what}", line.rpartition("#")[2]
    for file in sorted(folder.rglob("*.yaml")):
        what = f"a text of reference/{file.relative_to(folder)}"
        for text in strings(yaml.safe_load(file.read_text("utf-8"))):
            yield what, text


def _lines_of(tree: ast.AST, kinds: tuple[type[ast.AST], ...]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, kinds) and isinstance(node, ast.stmt):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _docstring_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)
