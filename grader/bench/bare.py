"""The bare limit: fork, run a student's file and every call, exit. No lock, no judge.

A process of its own, as small as the fork server; for the kit's own files only, as nothing is
confined here. Called as a program: `python -m grader.bench.bare CALLS FILE...`.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import random  # noqa: F401 - what the fork server has warm
import subprocess
import sys
import time
import types
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.linalg
import numpy.random


def bare_seconds(files: Sequence[Path], calls: Path, jobs: int) -> float:
    """Seconds that `jobs` processes side by side take over all files, start-up not counted.

    `calls` is a file of marshalled (function, arguments, repeat).
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", __name__, str(calls), *map(str, files[i::jobs])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        for i in range(jobs)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.read(1)  # it is warm
    began = time.monotonic()
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    return time.monotonic() - began


def main(calls: str, *files: str) -> None:
    """Serve this process's share."""
    wanted = marshal.loads(Path(calls).read_bytes())
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    gc.freeze()
    sys.stdout.write("w")
    sys.stdout.flush()
    sys.stdin.read()
    for file in files:
        pid = os.fork()
        if pid == 0:
            _run(file, wanted)
            os._exit(0)
        os.waitpid(pid, 0)


def _run(file: str, calls: Sequence[Any]) -> None:
    space = types.ModuleType("submission").__dict__
    with contextlib.suppress(BaseException), open(file, "rb") as source:  # noqa: PTH123
        exec(compile(source.read(), file, "exec"), space)
    for function, arguments, repeat, *_ in calls:
        for _ in range(repeat):
            fresh = [_revived(argument) for argument in arguments]
            with contextlib.suppress(BaseException):
                space[function](*fresh)


def _revived(argument: Any) -> Any:
    if isinstance(argument, tuple):
        dtype, shape, data = argument
        return np.frombuffer(data, dtype).reshape(shape).copy()
    return argument


if __name__ == "__main__":
    main(*sys.argv[1:])
