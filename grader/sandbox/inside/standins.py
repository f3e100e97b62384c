"""Modules that notebooks import beside NumPy and that no graded function needs.

They are not there when grading. So that such an import does not cost a student the rest of its
cell, an empty module takes its place: any attribute and any call of it gives the module again.
"""

import sys
import types
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import Any, Self

NAMES = ("IPython", "google", "ipywidgets", "matplotlib", "otter", "plotly", "seaborn")


class StandIn(types.ModuleType):
    """A module that has everything and does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> Self:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class Finder(MetaPathFinder, Loader):
    """Finds a stand-in for any of NAMES; comes after the finders of real modules."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        known = name.partition(".")[0] in NAMES
        return ModuleSpec(name, self, is_package=True) if known else None

    def create_module(self, spec: ModuleSpec) -> StandIn:
        return StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def install() -> None:
    """Have imports find stand-ins where there is no real module."""
    sys.meta_path.append(Finder())


def used() -> list[str]:
    """Which of NAMES were imported as stand-ins."""
    return [name for name in NAMES if type(sys.modules.get(name)) is StandIn]
