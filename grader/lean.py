"""Import part of a package without the package's own start, where that costs more than the part."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec


@contextmanager
def without_start(package: str) -> Iterator[None]:
    """Inside the block, submodules of `package` are imported and its `__init__` is not run.

    It is run as ever when somebody imports the package itself later.
    """
    spec = None if package in sys.modules else find_spec(package)
    if spec is None:  # loaded already, or not there: the import in the block says so
        yield
        return
    sys.modules[package] = module_from_spec(spec)
    try:
        yield
    finally:
        del sys.modules[package]
