"""The judge's parser: what our own child sends comes through, whatever else is refused."""

import contextlib
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.outcome import Array, Call, Cell, Items, Limits, Other, Outcome, Value
from grader.printable import printable
from grader.sandbox import asked as asked_module
from grader.sandbox.asked import Asked
from grader.sandbox.inside import child
from grader.sandbox.progress import Progress
from grader.sandbox.wire import Frame, Frames, ProtocolError, Reader

CAP = 1 << 16
KINDS = st.integers(0, 255) | st.sampled_from([child.CELL, child.FUNCTIONS, child.CALL, child.DONE])


def progress() -> Progress:
    """A submission of one cell and two calls, before anything has come."""
    calls = [Call("one", "f", (1.0,)), Call("two", "g", (np.zeros(2), 3), repeat=2)]
    return Progress([Cell("attention.py", b"")], Asked(calls))


def feed(data: bytes, state: Progress) -> None:
    """Everything that the judge does with bytes from a child."""
    frames = Frames(CAP)
    for frame in frames.feed(data):
        state.take(frame)
    if frames.error:
        raise frames.error


@given(st.binary(max_size=2000))
def test_arbitrary_bytes_are_refused_or_wait_for_more(data: bytes) -> None:
    state = progress()
    with contextlib.suppress(ProtocolError):
        feed(data, state)
    assert not state.outcomes


@given(st.lists(st.tuples(KINDS, st.integers(0, 9), st.integers(0, 3), st.binary(max_size=300))))
def test_frames_of_any_kind_in_any_order_never_crash_the_judge(
    frames: list[tuple[int, int, int, bytes]],
) -> None:
    state = progress()
    with contextlib.suppress(ProtocolError):
        feed(b"".join(child.frame(*frame) for frame in frames), state)
    assert len(state.outcomes) <= 2


@given(st.sampled_from([b"A", b"T", b"L", b"O"]), st.binary(max_size=400))
def test_any_body_of_a_value_gives_a_value_or_a_protocol_error(tag: bytes, data: bytes) -> None:
    reader = Reader(tag + data)
    try:
        value = reader.value()
    except ProtocolError:
        return
    assert isinstance(value, Array | Items | Other)


@given(st.integers(0, 255), st.lists(st.integers(0, (1 << 64) - 1), max_size=40))
def test_an_array_is_never_larger_than_its_bytes(axes: int, sides: list[int]) -> None:
    body = struct.pack(f"<cB{len(sides)}Q", b"A", axes, *sides) + child.text("<f8", 8) + bytes(64)
    try:
        value = Reader(body).value()
    except ProtocolError:
        return
    assert isinstance(value, Array)
    assert value.data.nbytes <= 64


@given(st.integers(CAP + 1, (1 << 32) - 1), st.integers(0, 255))
def test_a_frame_that_claims_to_be_large_is_refused_by_its_header(length: int, kind: int) -> None:
    frames = Frames(CAP)
    assert frames.feed(child.FRAME.pack(kind, 0, 0, length)) == []
    assert frames.error


def test_a_claim_of_terabytes_allocates_nothing() -> None:
    body = struct.pack("<cB2Q", b"A", 2, 1 << 30, 1 << 30) + child.text("<f8", 8)
    tracemalloc.start()
    try:
        with pytest.raises(ProtocolError):
            Reader(body).value()
        assert tracemalloc.get_traced_memory()[1] < 1 << 16
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param((child.CALL, 0, 0), id="answer before the load"),
        pytest.param((child.FUNCTIONS, 0, 0), id="functions before the cells"),
        pytest.param((child.CELL, 0, 1), id="another cell"),
        pytest.param((child.DONE, 0, 0), id="done before anything"),
        pytest.param((child.LOCKED, 0, 0), id="locked twice"),
    ],
)
def test_frames_out_of_turn_are_refused(frame: tuple[int, int, int]) -> None:
    with pytest.raises(ProtocolError):
        feed(child.frame(*frame), progress())


def loaded() -> Progress:
    """The same submission after its load."""
    state = progress()
    states = 2 * (bytes([child.OK]) + child.text("", 1))
    feed(child.frame(child.CELL, 0, 0) + child.frame(child.FUNCTIONS, 0, 2, states), state)
    return state


def answer(index: int, *values: bytes, changed: int = 0) -> bytes:
    body = struct.pack("<IB", changed, len(values)) + b"".join(values)
    return child.frame(child.CALL, child.RETURNED, index, body)


ZERO = child.describe_value(np.zeros(3), CAP)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(answer(1, ZERO, ZERO), id="an answer to a later call"),
        pytest.param(answer(0, ZERO, ZERO), id="more results than asked"),
        pytest.param(answer(0, ZERO, changed=2), id="an argument that was not given"),
        pytest.param(answer(0, ZERO + b"x"), id="bytes left over"),
        pytest.param(answer(0, ZERO) + answer(0, ZERO), id="two answers to one call"),
        pytest.param(child.frame(child.CALL, 77, 0), id="an unknown status"),
        pytest.param(child.frame(child.CALL, child.TIMEOUT, 0), id="a status that is the judge's"),
    ],
)
def test_answers_of_another_form_are_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        feed(data, loaded())


def test_a_right_answer_is_taken() -> None:
    state = loaded()
    feed(answer(0, ZERO) + answer(1, ZERO, ZERO, changed=1), state)
    assert [o.status for o in state.outcomes] == ["returned", "returned"]
    assert state.outcomes[1].changed == (0,)
    assert len(state.outcomes[1].values) == 2


@given(
    hnp.arrays(
        st.sampled_from(sorted(child.DTYPES - {"<f16", "<c32"})),
        hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    )
)
@settings(max_examples=50)
def test_an_array_comes_through_as_it_was(array: np.ndarray) -> None:
    value = Reader(child.describe_value(array, CAP)).value()
    assert isinstance(value, Array)
    assert value.dtype == array.dtype.str
    assert value.data.shape == array.shape
    assert value.data.tobytes() == array.tobytes()
    assert not value.data.flags.writeable


class Matrix(np.ndarray):
    """A subclass, as a forger or np.matrix would return it."""


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        (np.float64(1.0), Other("numpy.float64")),
        ((1.0, [None]), Items("tuple", (Other("float"), Items("list", (Other("NoneType"),))))),
        (np.zeros(2).view(Matrix), Other(f"{__name__}.Matrix")),
        (np.array([None]), Other("numpy.ndarray of object")),
        (list(range(99)), Other("list")),
        ([[[[1]]]], Items("list", (Items("list", (Other("list"),)),))),
    ],
)
def test_other_results_come_as_their_type(given: object, seen: Value) -> None:
    assert Reader(child.describe_value(given, CAP)).value() == seen


@given(st.text())
def test_texts_are_bounded_and_free_of_control_characters(text: str) -> None:
    seen = Reader(child.text(text, 50)).text(50)
    assert len(seen) <= 50
    assert all(c.isprintable() or c in "\n\t" or c.isspace() for c in seen)
    assert printable("\x1b[31m\u202eevil\0") == "�[31m�evil�"


def test_frames_arrive_in_pieces() -> None:
    data = child.frame(child.CELL, 0, 0, b"abc") * 2
    frames = Frames(CAP)
    seen: list[Frame] = []
    for byte in data:
        seen += frames.feed(bytes([byte]))
    assert [f.body for f in seen] == [b"abc", b"abc"]
    assert frames.feed(b"") == []
    assert not frames.error


def test_limits_of_a_child_are_the_widest_of_what_is_left() -> None:
    calls = [
        Call("a", "f", (), limits=Limits(wall_seconds=9.0)),
        Call("b", "f", (), limits=Limits(memory_mib=2048)),
    ]
    limits = Progress([], Asked(calls)).limits()
    assert (limits.wall_seconds, limits.memory_mib) == (9.0, 2048)


def test_an_answer_that_comes_again_is_known_and_each_call_has_its_own() -> None:
    asked = Asked([Call("one", "f", ()), Call("two", "f", ())])
    one, other = (struct.pack("<IB", 0, 1) + child.describe_value(np.eye(n), 999) for n in (2, 3))

    def answers(*bodies: bytes) -> Progress:
        state = Progress([], asked, loaded=True)
        for index, body in enumerate(bodies):
            state.take(Frame(child.CALL, child.RETURNED, index, body))
        return state

    first, second = answers(one, one), answers(one, other)
    assert first.outcomes[0] is second.outcomes[0]
    assert first.outcomes[1] is not second.outcomes[1]
    for outcome, size in zip(second.outcomes, (2, 3), strict=True):
        value = outcome.values[0]
        assert isinstance(value, Array)
        np.testing.assert_array_equal(value.data, np.eye(size))
    with pytest.raises(ProtocolError):
        answers(one, one + b"x")  # nearly known


def test_what_is_remembered_of_answers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked_module, "MOST_KNOWN", 3)
    asked = Asked([Call("one", "f", ())])
    plain = Outcome("returned", (Array("<f8", np.zeros(2)),))
    for number in range(20):
        asked.learn(0, 0, bytes([number]), plain)
    assert [n for n in range(20) if asked.known(0, 0, bytes([n]))] == [18, 19]
    long = b"x" * (asked_module.LONGEST_KNOWN + 1)
    nested = Outcome("returned", (Items("tuple", (Items("list", (Other("int"),) * 3),) * 3),))
    for body, outcome in ((long, plain), (b"many parts", nested), (b"text", Outcome("raised"))):
        asked.learn(0, 0, body, outcome)
        assert asked.known(0, 0, body) is None


VALUES = st.recursive(
    st.builds(Other, st.text("array <f8() :tuple1234other", max_size=12))
    | st.builds(
        lambda dtype, data: Array(dtype, data.astype(dtype)),
        st.sampled_from(["<f8", "<i8", "<f4", "|b1"]),
        hnp.arrays(np.int64, hnp.array_shapes(min_dims=0, max_dims=2, max_side=2)),
    ),
    lambda inner: st.builds(
        Items, st.sampled_from(["tuple", "list"]), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=4,
)


def plain(value: Value) -> object:
    """All that tells one value from another, to be compared."""
    if isinstance(value, Array):
        return value.dtype, value.data.shape, value.data.tobytes()
    return (value.kind, *map(plain, value.items)) if isinstance(value, Items) else value.type_name


@given(st.lists(VALUES, max_size=2), st.lists(VALUES, max_size=2))
def test_digests_are_equal_only_for_equal_results(one: list[Value], other: list[Value]) -> None:
    results = [Outcome("returned", tuple(values)) for values in (one, other)]
    same = list(map(plain, one)) == list(map(plain, other))
    assert (results[0].digest == results[1].digest) == same
    assert results[0].digest != Outcome("returned", tuple(one), changed=(0,)).digest
