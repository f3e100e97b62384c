"""Figures: numbers that content shows, calculated by the lesson's reference and never typed.

YAML names a calculation (`call` and its `arguments`); prose and worked examples read it through
Jinja expressions such as `red.shares[0][1]`, shown by the filter `fig`.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from challenges.explain import suggest
from challenges.source import Content

Namespace = dict[str, Any]
_EXPRESSION = re.compile(r"\{\{(.+)\}\}")


class FigureError(ValueError):
    """A figure cannot be calculated or shown; the text says why."""


class FigureCall(Content):
    """One calculation by the reference: a name in its `FIGURES` and keyword arguments."""

    call: str
    arguments: dict[str, Any] = {}

    def calculate(self, reference: ModuleType, given: Namespace | None = None) -> Any:
        """The figure; raises FigureError for an unknown name or arguments that do not fit.

        An argument that is one `{{ expression }}` stands for its value over `given`.
        """
        known: Mapping[str, Callable[..., Any]] = reference.FIGURES
        if self.call not in known:
            raise FigureError(f"no figure '{self.call}'" + suggest(self.call, known))
        arguments = {name: _given(value, given or {}) for name, value in self.arguments.items()}
        try:
            return known[self.call](**arguments)
        except Exception as error:
            raise FigureError(f"{self.call} cannot be calculated: {error}") from error


def _given(argument: Any, given: Namespace) -> Any:
    if isinstance(argument, list):
        return [_given(item, given) for item in argument]
    if isinstance(argument, str) and (match := _EXPRESSION.fullmatch(argument)):
        return evaluate(match[1], given)
    return argument


def load_reference(root: Path) -> ModuleType:
    """The package `reference` of the lesson at `root`; other lessons' get a private name."""
    folder = (root / "reference").resolve()
    own = Path(__file__).resolve().parent.parent / "reference"
    if folder == own:
        return importlib.import_module("reference")
    name = f"lesson_reference_{abs(hash(folder)):x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None or not (folder / "__init__.py").is_file():
        raise FigureError(f"{folder} holds no reference package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def calculate_all(figures: Mapping[str, FigureCall], reference: ModuleType) -> Namespace:
    """Every named figure, ready for expressions and prose."""
    return {name: call.calculate(reference) for name, call in figures.items()}


def show(value: Any, decimals: int = 4) -> str:
    """A number as prose shows it: rounded, no trailing zeros, real minus sign, −∞ spelt so."""
    if isinstance(value, np.ndarray | list | tuple):
        return "[" + ", ".join(show(item, decimals) for item in value) + "]"
    if isinstance(value, str | bool):
        return str(value)
    number = float(value)
    if np.isinf(number):
        return "∞" if number > 0 else "−∞"
    text = f"{number:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", "0"} else text.replace("-", "−")


_environment = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True
)
_environment.filters["fig"] = show


def fill(text: str, figures: Namespace) -> str:
    """Prose with its `{{ … }}` figures put in; raises FigureError."""
    if "{{" not in text and "{%" not in text:
        return text
    try:
        return _environment.from_string(text).render(figures)
    except (TemplateError, TypeError, ValueError, LookupError) as error:
        raise FigureError(f"{{{{ }}}} in the text: {error}") from error


def evaluate(expression: str, figures: Namespace) -> Any:
    """The value of one expression over the figures; raises FigureError."""
    try:
        result = _environment.compile_expression(expression, undefined_to_none=False)(**figures)
        if isinstance(result, StrictUndefined):
            str(result)  # raises its own explanation
    except (TemplateError, TypeError, ValueError, LookupError) as error:
        raise FigureError(f"expression {expression!r}: {error}") from error
    return result
