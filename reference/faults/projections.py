"""Faults in the projections: orientation of weights, biases, and which is used where."""

from __future__ import annotations

from typing import Any

from .calculation import Form, Step, Work

ROLES = {"q": "query", "k": "key", "v": "value", "o": "output"}


def _weight(name: str, turn: bool = True) -> Step:
    return lambda w: getattr(w, f"W_{name}").T if turn else getattr(w, f"W_{name}")


def _bias(name: str, factor: float = 1.0) -> Step:
    return lambda w: factor * getattr(w, f"b_{name}")


def _weights(**names: str) -> Form:
    """For each role, whose weights it gets."""
    return {f"weight_{role}": _weight(name) for role, name in names.items()}


def _as_is(roles: str) -> Form:
    """The weights of these roles are not transposed."""
    return {f"weight_{role}": _weight(role, turn=False) for role in roles}


def _biases(**names: str) -> Form:
    return {f"bias_{role}": _bias(name) for role, name in names.items()}


def _both(**names: str) -> Form:
    return {**_weights(**names), **_biases(**names)}


def _factor(factor: float, roles: str) -> Form:
    return {f"bias_{role}": _bias(role, factor) for role in roles}


def _input(*roles: str) -> Form:
    return {f"project_{role}": (lambda w: w.X) for role in roles}


def _chained(role: str, source: str) -> Form:
    """The projection of `role` reads another projection instead of X."""
    return {
        f"project_{role}": lambda w: w.do(
            "affine", w.do(f"project_{source}"), w.do(f"weight_{role}"), w.do(f"bias_{role}")
        )
    }


def _affine(function: Step) -> Form:
    return {"affine": function}


def _bias_per_head(w: Work, joined: Any) -> Any:
    return joined @ w.do("weight_o") + w.heads * w.do("bias_o")


FAULTS: dict[str, list[Form]] = {
    **{f"{name}-weights-not-transposed": [_as_is(role)] for role, name in ROLES.items()},
    "weights-not-transposed": [
        _as_is("qkvo"),
        _as_is("qkv"),
        _as_is("qk"),
    ],
    "query-bias-missing": [_factor(0.0, "q")],
    "value-bias-missing": [_factor(0.0, "v")],
    "output-bias-missing": [_factor(0.0, "o")],
    "biases-missing": [
        _factor(0.0, "qkvo"),
        _factor(0.0, "qkv"),
        _factor(0.0, "vo"),
        _factor(0.0, "qko"),
        _factor(0.0, "qk"),
    ],
    "bias-repeated": [
        {"output": _bias_per_head},
        *(_factor(2.0, roles) for roles in ("q", "v", "o", "qkv", "qkvo")),
        {"bias_o": lambda w: w.b_o / w.heads},
    ],
    "bias-subtracted": [*(_factor(-1.0, roles) for roles in ("q", "v", "o", "qkv", "qkvo"))],
    "bias-misplaced": [
        _affine(lambda w, x, matrix, bias: (x + bias) @ matrix),
        {"output": lambda w, joined: (joined + w.do("bias_o")) @ w.do("weight_o")},
        *(
            {
                f"project_{role}": lambda w, role=role: (
                    (w.X + w.do(f"bias_{role}")) @ w.do(f"weight_{role}")
                )
            }
            for role in "qv"
        ),
        _affine(lambda w, x, matrix, bias: x @ matrix + bias[: len(x), None]),
        _affine(lambda w, x, matrix, bias: x @ matrix + bias.sum()),
        _affine(lambda w, x, matrix, bias: x @ matrix + bias[0]),
        _affine(lambda w, x, matrix, bias: x @ matrix + bias.mean()),
        _affine(lambda w, x, matrix, bias: x @ matrix * bias),
    ],
    "biases-exchanged": [
        _biases(q="k", k="q"),
        _biases(q="v", v="q"),
        _biases(k="v", v="k"),
        _biases(v="o", o="v"),
        _biases(q="o", o="q"),
        _biases(q="k"),
        _biases(q="v"),
        _biases(q="o"),
        _biases(v="q"),
        _biases(v="k"),
        _biases(v="o"),
        _biases(o="v"),
        _biases(o="q"),
        _biases(o="k"),
        _biases(q="q", k="q", v="q"),
        _biases(q="q", k="q", v="q", o="q"),
    ],
    "weights-exchanged": [
        *(
            form
            for make in (_weights, _both)
            for form in (
                make(q="k", k="q"),
                make(k="v", v="k"),
                make(q="v", v="q"),
                make(v="o", o="v"),
                make(q="k"),
                make(k="q"),
                make(v="k"),
                make(k="v"),
                make(v="q"),
                make(q="v"),
                make(o="v"),
                make(o="q"),
                make(o="k"),
                make(v="o"),
                make(q="o"),
                make(k="q", v="q"),
                make(q="v", k="v"),
                make(q="k", v="k"),
                make(k="q", v="q", o="q"),
                make(q="k", k="v", v="q"),
                make(q="v", k="q", v="k"),
            )
        ),
    ],
    "projection-missing": [
        *(_input(*roles) for roles in ("q", "k", "v", "qkv", "qk", "kv", "qv")),
    ],
    "projection-chained": [
        _chained("k", "q"),
        _chained("v", "k"),
        _chained("v", "q"),
        _chained("k", "q") | _chained("v", "k"),
        _chained("k", "q") | _chained("v", "q"),
        _chained("q", "q"),
    ],
}
