"""The bytes of a Python file, made readable: encodings, line ends, stray bytes. Data only."""

from __future__ import annotations

import codecs
import re

from grader.intake.refusal import Refusal

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
BINARY = {
    b"PK\x03\x04": "a zip archive (or an office document)",
    b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "a gzip archive",
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf": "a 7z archive",
}
# As Python itself looks for it: a comment in one of the first two lines.
COOKIE = re.compile(
    rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)"
)
ENCODINGS = re.compile(
    r"^(iso8859-\d+|cp\d+|mac-roman|koi8-[ru]|ascii|utf-8(-sig)?|gbk|gb2312|gb18030|big5"
    r"|shift_jis|euc_jp|euc_kr)$"
)
CONFLICT = re.compile(rb"^(<<<<<<< |=======\r?$|>>>>>>> )", re.MULTILINE)


def readable(raw: bytes) -> tuple[bytes, list[str]]:
    """The file as UTF-8 with plain line ends, and what was repaired; raises Refusal."""
    notes: list[str] = []
    if kind := next((text for start, text in BINARY.items() if raw.startswith(start)), None):
        raise Refusal(f"by its contents it is {kind}, not Python")
    text = _decoded(raw, notes)
    if text is not None:
        raw = text.encode("utf-8", "surrogatepass")
    if b"\0" in raw:
        notes.append(f"{raw.count(0)} NUL bytes were left out")
        raw = raw.replace(b"\0", b"")
    if b"\r" in raw:
        if b"\n" not in raw:
            notes.append("the lines end in CR alone, as on very old Macs; read as line ends")
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not raw.strip():
        raise Refusal("the file is empty")
    return raw, notes


def _decoded(raw: bytes, notes: list[str]) -> str | None:
    """The text where it is not plain UTF-8 already."""
    for mark, marked in MARKS:
        if raw.startswith(mark):
            if marked != "utf-8-sig":
                notes.append(f"the file is in {marked.upper()}; read as such")
            return raw.decode(marked, "replace")
    if (wide := _wide(raw)) is not None:
        notes.append("the file is in UTF-16 without a mark; read as such")
        return raw.decode(wide, "replace")
    cookie = COOKIE.match(raw)
    if cookie is not None:
        return _by_cookie(raw, cookie, notes)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        notes.append("the file is not in UTF-8 and names no encoding; read as Latin-1 (cp1252)")
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:
            return raw.decode("latin-1")
    return None


def _wide(raw: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of plain code is zero."""
    sample = raw[:4096]
    if len(sample) < 8:
        return None
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = sample[start::2]
        if half.count(0) > 0.8 * len(half) and sample.count(0) < 0.6 * len(sample):
            return encoding
    return None


def _by_cookie(raw: bytes, cookie: re.Match[bytes], notes: list[str]) -> str:
    """The text by its own declaration, which is then made to say UTF-8."""
    name = cookie[1].decode("ascii", "replace")
    plain = raw[: cookie.start(1)] + b"utf-8" + raw[cookie.end(1) :]
    try:
        known = codecs.lookup(name).name
    except LookupError:
        known = ""
    if not ENCODINGS.match(known):
        notes.append(f"the file names the encoding {name[:40]!r}, which is not known; left aside")
        known = "utf-8"
    try:
        text = plain.decode(known)
    except UnicodeDecodeError:
        notes.append(f"the file is not in the encoding it names ({known}); read as Latin-1")
        text = plain.decode("latin-1")
    else:
        if known not in {"utf-8", "ascii"}:
            notes.append(f"the file is in {known}; read as such")
    return text


def conflict_line(source: bytes) -> int | None:
    """The line of a version-control conflict marker, if all three kinds are there."""
    found = {match[1][:7] for match in CONFLICT.finditer(source)}
    if len(found) < 3:
        return None
    first = CONFLICT.search(source)
    return None if first is None else source.count(b"\n", 0, first.start()) + 1
