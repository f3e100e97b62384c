"""The files of a hand-in, be it one file, a folder or a zip: their names, and bytes on request.

Links are never followed, nothing is unpacked to disk, and sizes are capped before they are read.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from grader.intake.refusal import Refusal

MIB = 1 << 20
LARGEST_FILE = 16 * MIB
LARGEST_ZIP = 64 * MIB
MEMBER = b"PK\x01\x02"  # begins each entry of a zip's list of its members
MOST_FILES = 1000
DEEPEST = 8
LARGEST_RATIO = 200  # unpacked to packed, for members above 1 MiB
IGNORED = {"__MACOSX", "__pycache__", "tests", "node_modules"}
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True)
class Member:
    """One file of a hand-in; `name` is relative to it and uses slashes."""

    name: str
    read: Callable[[], bytes]


@dataclass(frozen=True)
class HandIn:
    """What was handed in: its files, and what was passed over."""

    members: tuple[Member, ...]
    notes: tuple[str, ...] = ()
    container: str = ""  # "folder" or "zip"; empty for a file by itself


def open_hand_in(path: str) -> HandIn:
    """The files at a path; raises Refusal where none can be read."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISDIR(mode):
            return _folder(Path(path))
        if kind := KINDS.get(stat.S_IFMT(mode)):
            raise Refusal(f"it is {kind}, not a file")
        name = Path(path).name
        if name.casefold().endswith(".zip"):
            return read_zip(_read(Path(path), LARGEST_ZIP))
        return HandIn((Member(name, lambda: _read(Path(path), LARGEST_FILE)),))
    except OSError as error:
        raise Refusal(f"it cannot be read: {error.strerror or error}") from error


def _read(path: Path, largest: int) -> bytes:
    """The bytes of a regular file; it may have been replaced since it was listed."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refusal(f"{path.name} cannot be read: {error.strerror}") from error
    with os.fdopen(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise Refusal(f"{path.name} is not a regular file")
        if status.st_size > largest:
            raise Refusal(f"{path.name} is larger than {largest // MIB} MiB")
        return file.read(largest + 1)


def _folder(root: Path) -> HandIn:
    members: list[Member] = []
    notes: list[str] = []
    for number, path in enumerate(_walk(root, 0)):
        if number >= MOST_FILES:
            raise Refusal(f"the folder holds more than {MOST_FILES} files")
        name = path.relative_to(root).as_posix()
        kind = stat.S_IFMT(path.lstat().st_mode)
        if kind in KINDS:
            notes.append(f"{name} was left out: it is {KINDS[kind]}")
            continue
        members.append(Member(name, lambda path=path: _read(path, LARGEST_FILE)))  # type: ignore[misc]
    return HandIn(tuple(members), tuple(notes), "folder")


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        found = list(islice(entries, MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise Refusal(f"the folder holds more than {MOST_FILES} files")
    for entry in sorted(found, key=lambda entry: entry.name):
        if entry.name.startswith(".") or entry.name in IGNORED:
            continue
        if not entry.is_dir(follow_symlinks=False):
            yield folder / entry.name
        elif depth < DEEPEST:
            yield from _walk(folder / entry.name, depth + 1)


def read_zip(data: bytes) -> HandIn:
    """The files of a zip in memory; a member's bytes are unpacked only when it is read."""
    if data.count(MEMBER) > MOST_FILES:  # whatever its list says: before that is read
        raise Refusal(f"the zip holds more than {MOST_FILES} files")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # the bytes are a student's: there is no telling what they break
        raise Refusal(f"the zip cannot be opened; is it whole? ({error})") from error
    members: list[Member] = []
    notes: list[str] = []
    for info in archive.infolist():
        name = PurePosixPath(info.filename.replace("\\", "/"))
        if info.filename[-1:] in ("", "/") or any(
            (p.startswith(".") and p != "..") or p in IGNORED for p in name.parts
        ):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind in KINDS:
            notes.append(f"{name} was left out: it is {KINDS[kind]}")
        elif name.is_absolute() or ".." in name.parts or ":" in str(name)[:2]:
            notes.append(f"{name} was left out: its name leads out of the zip")
        else:
            members.append(Member(str(name), lambda info=info: _unpack(archive, info)))  # type: ignore[misc]
    return HandIn(tuple(members), tuple(notes), "zip")


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.flag_bits & 1:
        raise Refusal("the zip is protected by a password; hand it in without one")
    if info.file_size > LARGEST_FILE:
        raise Refusal(f"{info.filename} is larger than {LARGEST_FILE // MIB} MiB")
    if info.file_size > MIB and info.file_size > LARGEST_RATIO * max(1, info.compress_size):
        raise Refusal(f"{info.filename} unpacks to more than {LARGEST_RATIO} times its size")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Refusal(f"{info.filename} is packed in an unusual way; make an ordinary zip")
    try:
        with archive.open(info) as file:
            data = file.read(LARGEST_FILE + 1)
    except Exception as error:
        raise Refusal(f"{info.filename} in the zip is damaged ({error})") from error
    if len(data) > LARGEST_FILE:
        raise Refusal(f"{info.filename} is larger than {LARGEST_FILE // MIB} MiB")
    return data
