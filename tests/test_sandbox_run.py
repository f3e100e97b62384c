"""What one submission's run gives: load, outcomes, and who pays for a fault."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from grader.outcome import Array, Call, Cell, Items, Limits, Load, Other, Outcome
from grader.sandbox import ForkSandbox, open_sandbox

QUICK = Limits(wall_seconds=0.4, load_seconds=0.6, cpu_seconds=5)


def run(
    sandbox: ForkSandbox, source: str | Sequence[str], *calls: Call
) -> tuple[Load, list[Outcome]]:
    sources = [source] if isinstance(source, str) else source
    cells = [Cell(f"cell {i}", text.encode()) for i, text in enumerate(sources, 1)]
    return sandbox.run(cells, list(calls))


def call(
    function: str = "f", *arguments: np.ndarray | float, repeat: int = 1, limits: Limits = QUICK
) -> Call:
    return Call("case", function, arguments, repeat, limits)


def statuses(outcomes: Sequence[Outcome]) -> list[str]:
    return [o.status for o in outcomes]


def test_calls_run_in_order_in_one_process(sandbox: ForkSandbox) -> None:
    source = (
        "import numpy as np\nseen = []\ndef f(x):\n    seen.append(x)\n    return np.array(seen)"
    )
    _, outcomes = run(sandbox, source, call("f", 1.0), call("f", 2, repeat=2))
    shapes = [[v.data.shape for v in o.values if isinstance(v, Array)] for o in outcomes]
    assert shapes == [[(1,)], [(2,), (3,)]]


def test_arguments_arrive_as_given_and_fresh(sandbox: ForkSandbox) -> None:
    source = "def f(a, b, c, d):\n    a += 1\n    return a, type(b)(), type(c)(), type(d)()"
    array = np.arange(6, dtype=np.float32).reshape(2, 3).T
    _, (outcome,) = run(sandbox, source, call("f", array, 1.5, 2, True, repeat=2))
    first, second = outcome.values
    assert outcome.changed == (0,)
    assert isinstance(first, Items)
    assert isinstance(second, Items)
    assert first.items[1:] == (Other("float"), Other("int"), Other("bool"))
    for value in (first.items[0], second.items[0]):
        assert isinstance(value, Array)
        np.testing.assert_array_equal(value.data, array + 1)
        assert value.dtype == "<f4"


def test_a_result_is_kept_as_it_was_when_returned(sandbox: ForkSandbox) -> None:
    source = "import numpy as np\nb = np.zeros(1)\ndef f():\n    global b\n    b += 1\n    return b"
    _, (outcome,) = run(sandbox, source, call(repeat=3))
    assert [v.data[0] for v in outcome.values if isinstance(v, Array)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("while True: pass", "timeout"),
        ("import time; time.sleep(60)", "timeout"),
        ("import os; os._exit(0)", "crash"),
        ("import ctypes; ctypes.string_at(0)", "crash"),
        ("import os; os.kill(os.getpid(), 9)", "memory"),
        ("return np.zeros(1 << 28)", "memory"),
        ("return np.zeros(1 << 21)", "output"),
        ("return np.broadcast_to(0.0, (1 << 20, 1 << 20))", "output"),
        ("while True: print('x' * 999, flush=True)", "output"),
        ("import os; os.close(3)", "crash"),
        ("import os; os.write(3, b'x' * 99)", "crash"),
        ("raise SystemExit", "raised"),
        ("raise KeyboardInterrupt", "raised"),
        ("import os; os.fork()", "blocked"),
        ("import socket; socket.socket()", "blocked"),
    ],
)
def test_a_fault_costs_its_call_only(sandbox: ForkSandbox, body: str, status: str) -> None:
    source = f"import numpy as np\ndef f(): return np.ones(1)\ndef g():\n    {body}"
    limits = Limits(wall_seconds=0.4, memory_mib=1024)
    _, outcomes = run(
        sandbox, source, call("f"), call("g", limits=limits), call("f"), call("f", repeat=2)
    )
    assert statuses(outcomes) == ["returned", status, "returned", "returned"]
    assert outcomes[1].detail or outcomes[1].error


def test_processor_time_is_limited_for_the_whole_process(sandbox: ForkSandbox) -> None:
    source = "def f():\n    while True: pass"
    _, (outcome,) = run(sandbox, source, call(limits=Limits(wall_seconds=20, cpu_seconds=1)))
    assert (outcome.status, outcome.detail) == (
        "timeout",
        "Used more than 1 s of processor time.",
    )


def test_an_exception_names_its_line_in_the_students_cell(sandbox: ForkSandbox) -> None:
    source = ["import numpy as np", "def f(x):\n    y = 1\n    return np.linalg.inv(x)"]
    load, (outcome,) = run(sandbox, source, call("f", np.zeros((2, 2))))
    assert load.cells == (None, None)
    assert outcome.status == "raised"
    assert outcome.error is not None
    assert outcome.error.type_name == "numpy.linalg.LinAlgError"
    assert outcome.error.message == "Singular matrix"
    assert (outcome.error.cell, outcome.error.line) == ("cell 2", 3)


@pytest.mark.parametrize(
    "message",
    ["'x' * 10**8", "chr(27) + chr(0) + chr(0xD800)", "Bad()"],
)
def test_messages_are_bounded_and_guarded(sandbox: ForkSandbox, message: str) -> None:
    source = (
        "class Bad:\n    def __str__(self): raise SystemExit\n"
        f"def f():\n    raise ValueError({message})"
    )
    _, (outcome,) = run(sandbox, source, call())
    assert outcome.error is not None
    assert outcome.error.type_name == "ValueError"
    assert len(outcome.error.message) <= 2000
    assert "\x1b" not in outcome.error.message


def test_a_failing_cell_does_not_stop_later_ones(sandbox: ForkSandbox) -> None:
    load, outcomes = run(
        sandbox,
        ["def f(): return 1\n1 / 0", "def g(:", "def h(): return 1", "f = None", "del h"],
        *(call(name) for name in "fghi"),
    )
    assert [e.type_name if e else None for e in load.cells] == [
        "ZeroDivisionError",
        "SyntaxError",
        None,
        None,
        None,
    ]
    assert load.cells[1] is not None
    assert (load.cells[1].cell, load.cells[1].line) == ("cell 2", 1)
    assert dict(load.functions) == {
        "f": "recovered",
        "g": "missing",
        "h": "recovered",
        "i": "missing",
    }
    assert statuses(outcomes) == ["returned", "missing", "returned", "missing"]
    assert "f was later set to a value of type NoneType" in load.notes[0]


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("def g(): return 1\nwhile True: pass", "timeout"),
        ("import signal; signal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass", "timeout"),
        ("import os; os._exit(0)", "crash"),
        ("import ctypes; ctypes.string_at(0)", "crash"),
    ],
)
def test_a_cell_that_hangs_or_crashes_is_left_out(
    sandbox: ForkSandbox, cell: str, error: str
) -> None:
    cells = ["def f(): return 1", cell, "def g(): return f()"]
    load, outcomes = run(sandbox, cells, call("f"), call("g"))
    assert statuses(outcomes) == ["returned", "returned"]
    assert load.cells[1] is not None
    assert load.cells[1].type_name == error


def test_a_file_that_always_crashes_gives_that_outcome_everywhere(sandbox: ForkSandbox) -> None:
    cells = ["import os; os._exit(0)"] * 6
    _, outcomes = run(sandbox, cells, call("f"), call("g"))
    assert statuses(outcomes) == ["crash", "crash"]


def test_a_timeout_is_tried_again_alone() -> None:
    entered = []

    @contextmanager
    def quiet() -> Iterator[None]:
        entered.append(True)
        yield

    with open_sandbox(accept_weak=True, quiet=quiet) as sandbox:
        # It loads slowly enough for word of the cell to be out before the call.
        source = "import time\ntime.sleep(0.02)\ndef f(): time.sleep(60)\ndef g(): return 1"
        calls = [call("f"), call("g"), call("f"), call("g")]
        _, outcomes = run(sandbox, source, *calls)
    assert statuses(outcomes) == ["timeout", "returned", "timeout", "returned"]
    assert len(entered) == 1  # the second time it is known to be slow


def test_a_dead_fork_server_is_replaced(sandbox: ForkSandbox) -> None:
    source = "def f(): return 1"
    run(sandbox, source, call())
    assert sandbox._server is not None
    os.killpg(sandbox._server._process.pid, signal.SIGKILL)
    _, (outcome,) = run(sandbox, source, call())
    assert outcome.status == "returned"


def test_source_is_compiled_from_its_bytes(sandbox: ForkSandbox) -> None:
    latin = "# -*- coding: latin-1 -*-\ndef f(): raise ValueError('é')".encode("latin-1")
    bad = b"def f(): return '\xff'"
    nul = b"def f(): return 1\0"
    messages = []
    for source in (latin, bad, nul):
        load, (outcome,) = sandbox.run([Cell("attention.py", source)], [call()])
        error = outcome.error or load.cells[0]
        assert error is not None
        messages.append((outcome.status, error.type_name, error.message))
    assert messages[0] == ("raised", "ValueError", "é")
    assert [m[:2] for m in messages[1:]] == [("missing", "SyntaxError")] * 2


def test_a_plotting_library_that_is_not_there_costs_nothing(sandbox: ForkSandbox) -> None:
    source = (
        "import numpy as np, matplotlib.pyplot as plt\nfrom IPython.display import display\n"
        "plt.figure(figsize=(3, 3)).gca().imshow(np.eye(3))\ndisplay(plt)\n"
        "def f(): return np.ones(1)"
    )
    load, (outcome,) = run(sandbox, source, call())
    assert (outcome.status, load.cells) == ("returned", (None,))
    assert load.notes == (
        "IPython is not there when grading: an empty module took its place.",
        "matplotlib is not there when grading: an empty module took its place.",
    )
    load, _ = run(sandbox, "import scipy", call())
    assert load.cells[0] is not None
    assert load.cells[0].message == "No module named 'scipy'"


SPY = """
import fcntl, os, sys
import numpy as np
seen = []
def look():
    step = sys._getframe()
    while step:
        for value in list(step.f_locals.values()):
            if type(value) is list:
                seen.append(repr(value))
        step = step.f_back
    fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK)
    try:
        seen.append(os.read(3, 1 << 20).hex())
    except BlockingIOError:
        pass
    finally:
        fcntl.fcntl(3, fcntl.F_SETFL, 0)
look()
def f(x):
    look()
    if x[0] < 0:
        return x
    text, seen[:] = "".join(seen), []
    raise ValueError(text[-1900:])
"""


def test_inputs_of_hidden_calls_come_when_nothing_else_is_left(sandbox: ForkSandbox) -> None:
    calls = [call("f", np.array([float(n)])) for n in range(4)]
    secret = np.array([-0.123456789])
    calls += [replace(call("f", secret), hidden=True) for _ in range(2)]
    _, outcomes = run(sandbox, SPY, *calls)
    assert [o.status for o in outcomes] == ["raised"] * 4 + ["returned"] * 2
    texts = [o.error.message for o in outcomes if o.error]
    assert any("\\x00\\x00\\x00@" in text for text in texts), "it sees the other calls"
    raw = secret.tobytes()
    assert not any(form in text for text in texts for form in (repr(raw)[2:-1], raw.hex()))
    with pytest.raises(ValueError, match="hidden calls come last"):
        run(sandbox, SPY, *calls[::-1])


def test_others_wait_for_the_call_that_was_slow_and_no_longer() -> None:
    entered, inside = [], [False]

    @contextmanager
    def quiet() -> Iterator[None]:
        entered.append(True)
        inside[0] = True
        yield
        inside[0] = False

    source = (
        "import sys, time\ntime.sleep(0.02)\nstep = sys._getframe()\n"
        "while step.f_code.co_name != 'main': step = step.f_back\n"
        "watched = step.f_locals['careful']\n"
        "def f(): time.sleep(0 if watched else 9)\n"
        "def g(): time.sleep(9)\n"
    )
    with open_sandbox(accept_weak=True, quiet=quiet) as sandbox:
        _, outcomes = run(sandbox, source, call(), call("g"), call())
    assert statuses(outcomes) == ["returned", "timeout", "returned"]
    assert len(entered) == 2, "the second function has a chance of its own"
    assert not inside[0]


def test_a_submission_has_so_much_time_in_all(
    sandbox: ForkSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.confined.SUBMISSION_SECONDS", 1.0)
    source = "import time\ndef f(): time.sleep(0.3)"
    _, outcomes = run(sandbox, source, *[call(limits=replace(QUICK, wall_seconds=9))] * 10)
    assert outcomes[-1].status == "timeout"
    assert "submission as a whole" in outcomes[-1].detail


def test_arrays_of_odd_types_are_named_and_no_more(sandbox: ForkSandbox) -> None:
    source = (
        "import numpy as np\n"
        "def text():\n    return np.array(['a'], dtype=np.dtypes.StringDType(na_object=[]))\n"
        "def day():\n    return np.array(['2026-01-01'], dtype='M8[D]')\n"
        "def pair():\n    return np.zeros(2, dtype=[('a', 'f8')])\n"
        "def noted():\n    return np.zeros(2, dtype=np.dtype('f8', metadata={'a': 1}))\n"
        "def swapped():\n    return np.zeros(2, dtype='>f4')\n"
        "def long():\n    return np.zeros(2, dtype=np.longlong)\n"
    )
    names = ["text", "day", "pair", "noted", "swapped", "long"]
    _, outcomes = run(sandbox, source, *(call(name) for name in names))
    assert statuses(outcomes) == ["returned"] * 6
    values = [o.values[0] for o in outcomes]
    assert all(isinstance(v, Other) and "numpy.ndarray of" in v.type_name for v in values[:3])
    assert [v.dtype for v in values[3:] if isinstance(v, Array)] == ["<f8", ">f4", "<i8"]
