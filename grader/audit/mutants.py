"""Small changes to the source of the reference, one at a time, each to be caught by some case.

A mutant is put in place by giving a live function another code object for as long as it is tried.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Pow: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.USub: (ast.UAdd,),
}

Change = tuple[ast.AST, ast.AST]
"""A node, and what may stand in its place."""


@dataclass(frozen=True)
class Mutant:
    """One change: which function, where, and how it reads there."""

    function: FunctionType
    place: str
    change: str
    code: CodeType
    defaults: tuple[Any, ...] | None

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """The function behaves as the mutant meanwhile."""
        code, defaults = self.function.__code__, self.function.__defaults__
        self.function.__code__, self.function.__defaults__ = self.code, self.defaults
        try:
            yield
        finally:
            self.function.__code__, self.function.__defaults__ = code, defaults


def mutants(reference: ModuleType, run: Callable[[], object]) -> Iterator[Mutant]:
    """Every mutant of the functions of the reference that `run` comes through."""
    folder = str(Path(str(reference.__file__)).resolve().parent)
    for code in sorted(_visited(folder, run), key=lambda c: (c.co_filename, c.co_firstlineno)):
        found = _live(code)
        if found is not None:
            yield from _of_function(*found, Path(code.co_filename))


def _visited(folder: str, run: Callable[[], object]) -> set[CodeType]:
    codes: set[CodeType] = set()

    def profile(frame: Any, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(before)
    return codes


def _live(code: CodeType) -> tuple[FunctionType, ModuleType] | None:
    """The module-level function that has this code."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == code.co_filename:
            function = vars(module).get(code.co_name)
            if isinstance(function, FunctionType) and function.__code__ is code:
                return function, module
    return None


def _of_function(function: FunctionType, module: ModuleType, file: Path) -> Iterator[Mutant]:
    tree = ast.parse(file.read_text("utf-8"))
    name = function.__name__
    node = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    node.body = [n for n in node.body if not _is_docstring(n)] or [ast.Pass()]
    for index, target in enumerate(ast.walk(node)):
        for number, (before, after) in enumerate(_changes(target)):
            mutated = copy.deepcopy(node)
            twin = list(ast.walk(mutated))[index]
            replacement = list(_changes(twin))[number][1]
            _replace(mutated, twin, replacement)
            namespace = dict(vars(module))
            whole = ast.fix_missing_locations(ast.Module([mutated], []))
            exec(compile(whole, str(file), "exec"), namespace)
            line = getattr(target, "lineno", node.lineno)
            yield Mutant(
                function,
                f"{file.parent.name}/{file.name}:{line}",
                f"{name}: {_text(before)} → {_text(after)}",
                namespace[name].__code__,
                namespace[name].__defaults__,
            )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _text(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr | ast.stmt) else type(node).__name__


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
            elif isinstance(value, list):
                value[:] = [new if item is old else item for item in value]


def _changes(node: ast.AST) -> Iterator[Change]:
    """What may stand in a node's place. Annotations never run, so they stay."""
    for kind, changes in CHANGES.items():
        if isinstance(node, kind):
            yield from changes(node)


def _of_operation(node: ast.BinOp) -> Iterator[Change]:
    for other in SWAPS.get(type(node.op), ()):
        yield node, ast.BinOp(node.left, other(), node.right)  # type: ignore[arg-type]
    yield node, ast.BinOp(node.right, node.op, node.left)
    yield node, node.left
    yield node, node.right


def _of_comparison(node: ast.Compare) -> Iterator[Change]:
    for other in SWAPS.get(type(node.ops[0]), ()):
        yield node, ast.Compare(node.left, [other()], node.comparators)  # type: ignore[list-item]


def _of_choice(node: ast.BoolOp) -> Iterator[Change]:
    yield node, ast.BoolOp(SWAPS[type(node.op)][0](), node.values)  # type: ignore[arg-type]


def _of_constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield node, ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield node, ast.Constant(node.value + 1)
        yield node, ast.Constant(node.value - 1)


def _of_conditional(node: ast.IfExp) -> Iterator[Change]:
    yield node, node.body
    yield node, node.orelse
    yield node, ast.IfExp(node.test, node.orelse, node.body)


def _of_attribute(node: ast.Attribute) -> Iterator[Change]:
    if node.attr == "T":
        yield node, node.value


def _of_index(node: ast.Subscript) -> Iterator[Change]:
    if isinstance(part := node.slice, ast.Slice):
        yield node, ast.Subscript(node.value, ast.Slice(None, part.upper), node.ctx)
        yield node, ast.Subscript(node.value, ast.Slice(part.lower, None), node.ctx)


def _of_if(node: ast.If) -> Iterator[Change]:
    yield node, ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    yield node, ast.If(ast.Constant(False), node.body, node.orelse)


def _of_assignment(node: ast.Assign) -> Iterator[Change]:
    if isinstance(node.targets[0], ast.Subscript):
        yield node, ast.Pass()


def _of_call(node: ast.Call) -> Iterator[Change]:
    """Dropped calls, exchanged arguments, dropped arguments and keywords."""
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield node, node.func.value
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node, node.args[0]
    for index in range(len(node.args) - 1):
        args = list(node.args)
        args[index], args[index + 1] = args[index + 1], args[index]
        yield node, ast.Call(node.func, args, node.keywords)
    if len(node.args) > 1:
        yield node, ast.Call(node.func, node.args[:-1], node.keywords)
    for index in range(len(node.keywords)):
        keywords = node.keywords[:index] + node.keywords[index + 1 :]
        yield node, ast.Call(node.func, node.args, keywords)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"np", "numpy", "math"}


CHANGES: dict[type[ast.AST] | tuple[type[ast.AST], ...], Callable[[Any], Iterator[Change]]] = {
    ast.BinOp: _of_operation,
    ast.Compare: _of_comparison,
    ast.BoolOp: _of_choice,
    ast.UnaryOp: lambda node: iter([(node, node.operand)]),
    ast.Constant: _of_constant,
    ast.IfExp: _of_conditional,
    ast.Call: _of_call,
    ast.Attribute: _of_attribute,
    ast.Subscript: _of_index,
    ast.If: _of_if,
    (ast.Expr, ast.AugAssign): lambda node: iter([(node, ast.Pass())]),
    ast.Assign: _of_assignment,
}
