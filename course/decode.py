"""Every text that a file holds, however it is wrapped: archives, base64, escapes, entities."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

DEEPEST = 6
LARGEST = 50_000_000
"""Bytes that one member of an archive may unpack to."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){16,}")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9A-Fa-f]{4,6})\}?|x([0-9A-Fa-f]{2})|([nrt]))")


@dataclass(frozen=True)
class View:
    """One reading of a file: `how` it was unwrapped, its bytes, and the text in them."""

    how: str
    data: bytes
    text: str


def views(data: bytes) -> list[View]:
    """The file as it is and every layer below it, each once."""
    found: dict[bytes, View] = {}
    _walk(data, "", found, 0)
    return list(found.values())


def _walk(data: bytes, how: str, found: dict[bytes, View], depth: int) -> None:
    if not data or data in found or depth > DEEPEST:
        return
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode("utf-16" if wide else "utf-8", errors="replace")
    found[data] = View(how, data, text)
    for step, inner in (*_unpacked(data), *_unescaped(text), *_encoded(text)):
        _walk(inner, f"{how} > {step}" if how else step, found, depth + 1)


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data[:2] == b"PK":
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield "zip comment", archive.comment
                for member in archive.infolist():
                    yield "zip names", member.filename.encode() + b"\n" + member.comment
                    if member.file_size <= LARGEST:
                        yield f"zip member {member.filename}", archive.read(member)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError):
            return
    elif data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(data)) as stream:
                yield "gzip", stream.read(LARGEST)
        except (OSError, EOFError, zlib.error):
            return
    elif data[:1] == b"\x78":
        try:
            yield "zlib", zlib.decompressobj().decompress(data, LARGEST)
        except zlib.error:
            return


def _unescaped(text: str) -> Iterator[tuple[str, bytes]]:
    if "&" in text:
        yield "entities", html.unescape(text).encode("utf-8", "replace")
    if "\\" in text:
        yield "escapes", _ESCAPE.sub(_character, text).encode("utf-8", "replace")
    if re.search(r"%[0-9A-Fa-f]{2}", text):
        yield "percent", unquote(text, errors="replace").encode("utf-8", "replace")


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return {"n": "\n", "r": "\r", "t": "\t"}[match[3]]
    number = int(match[1] or match[2], 16)
    return chr(number) if number <= 0x10FFFF else match[0]


def _encoded(text: str) -> Iterator[tuple[str, bytes]]:
    for match in _HEX.finditer(text):
        yield "hex", bytes.fromhex(match[0])
    unbroken = re.sub(r"(?<=[A-Za-z0-9+/])\r?\n(?=[A-Za-z0-9+/]{24})", "", text)
    for source in {text, unbroken}:
        for match in _BASE64.finditer(source):
            letters = match[0].rstrip("=").replace("-", "+").replace("_", "/")
            letters = letters[: len(letters) - (len(letters) % 4 == 1)]
            try:
                yield "base64", base64.b64decode(letters + "=" * (-len(letters) % 4))
            except binascii.Error:
                continue
