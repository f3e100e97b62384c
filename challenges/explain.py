"""Turn pydantic's errors into sentences for authors: what was found, what was expected."""

from __future__ import annotations

import types
import typing
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel, RootModel
from pydantic_core import ErrorDetails

Location = tuple[str | int, ...]

_EXPECTED = {
    "string_type": "text (put it in quotes if it looks like a number, a date, yes or no)",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping of keys",
    "model_type": "a mapping of keys",
    "model_attributes_type": "a mapping of keys",
    "string_too_short": "text that is not empty",
    "is_instance_of": "a number or a fraction such as 1/3",
}

LONGEST_LIST = 30
"""Names that a message may list."""

_AT = {"too_short": "least", "too_long": "most"}


def explain(model: type[BaseModel], data: Any, error: ErrorDetails) -> tuple[Location, str]:
    """The place of the mistake in the file (union tags left out) and a sentence about it."""
    location, holder = _locate(model, data, error["loc"])
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        return location, "missing; this key is required"
    if kind == "extra_forbidden":
        return location, _unknown_key(str(location[-1]), holder)
    found = f"found {_shown(error['input'])}"
    if kind in {"union_tag_invalid", "union_tag_not_found", "literal_error", "enum"}:
        return location, _one_of(kind, context, error["input"], found)
    if kind in {"too_short", "too_long"}:
        limit = context.get("min_length", context.get("max_length"))
        return location, f"{found}, expected at {_AT[kind]} {limit}"
    if kind in _EXPECTED:
        return location, f"{found}, expected {_EXPECTED[kind]}"
    return location, f"{found}: {error['msg'].removeprefix('Value error, ')}"


def suggest(name: str, known: typing.Iterable[str]) -> str:
    """`; did you mean 'title'?`, or the list of what there is, unless it is long."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{close[0]}'?"
    return f"; known: {', '.join(names)}" if 0 < len(names) <= LONGEST_LIST else ""


def _unknown_key(name: str, holder: Any) -> str:
    known = _fields(holder)
    return "unknown key" + suggest(name, known)


def _one_of(kind: str, context: dict[str, Any], value: Any, found: str) -> str:
    if kind == "union_tag_not_found":
        return f"{found}; the key {context.get('discriminator', 'kind')} must say which it is"
    raw = str(context.get("expected_tags") or context.get("expected") or "")
    known = [part.strip(" '") for part in raw.replace(" or ", ",").split(",")]
    if kind == "union_tag_invalid":
        value = context.get("tag", value)
        found = f"found {value!r}"
    close = get_close_matches(str(value), known, n=1, cutoff=0.6)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"{found}, expected one of {', '.join(known)}{hint}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _locate(model: type[BaseModel], data: Any, loc: Location) -> tuple[Location, Any]:
    """Follow `loc` through data and annotations: the location without tags, the holding model."""
    location: Location = ()
    annotation: Any = model
    holder: Any = model
    for part in loc:
        member = _tagged(annotation, part)
        if member is not None:
            annotation = member
            continue
        holder = annotation
        annotation = _inner(annotation, part)
        location = (*location, part)
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            data = None
    return location, holder


def _bare(annotation: Any) -> Any:
    """Strip Annotated, Optional and pydantic's RootModel."""
    while get_origin(annotation) is typing.Annotated:
        annotation = get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return _bare(annotation.model_fields["root"].annotation)
    if get_origin(annotation) in {typing.Union, types.UnionType}:
        members = [m for m in get_args(annotation) if m is not type(None)]
        if len(members) == 1:
            return _bare(members[0])
    return annotation


def _members(annotation: Any) -> list[Any]:
    bare = _bare(annotation)
    return list(get_args(bare)) if get_origin(bare) in {typing.Union, types.UnionType} else [bare]


def _tagged(annotation: Any, tag: str | int) -> Any:
    """The union member that carries `tag`, as a `kind` literal or as a pydantic Tag."""
    members = _members(annotation)
    if len(members) < 2:
        return None
    for member in members:
        metadata = get_args(member)[1:] if get_origin(member) is typing.Annotated else ()
        if any(getattr(m, "tag", None) == tag for m in metadata):
            return member
        bare = _bare(member)
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            kind = bare.model_fields.get("kind")
            if kind is not None and tag in get_args(kind.annotation):
                return bare
    return None


def _fields(annotation: Any) -> list[str]:
    names: list[str] = []
    for member in _members(annotation):
        bare = _bare(member)
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            names += [f.alias or name for name, f in bare.model_fields.items()]
    return names


def _inner(annotation: Any, part: str | int) -> Any:
    for member in _members(annotation):
        bare = _bare(member)
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            if part in bare.model_fields:
                return bare.model_fields[str(part)].annotation
        elif get_origin(bare) in {list, tuple} and isinstance(part, int):
            return get_args(bare)[0]
        elif get_origin(bare) is dict and isinstance(part, str):
            return get_args(bare)[1]
    return object
