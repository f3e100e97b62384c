"""How a fork server is started on each tier: the jail's command line and what can be read in it.

A  bwrap: no network, own pid and ipc namespaces, a read-only view of Python and NumPy only
B  no jail: the same locks on every child, an ordinary user where we may choose one
C  rlimits only
"""

import functools
import itertools
import os
import platform
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

Tier = Literal["A", "B", "C"]

INSIDE = Path(__file__).parent / "inside"
START = "import sys; sys.path[:0] = sys.argv[2:]; from inside.server import main; main({})"
AHEAD = 8  # servers that a process may have at a time
APART = 499
FIRST_USER, USERS = 60_000, 4_000  # no accounts there: below systemd's, above people's
PROCESSES = 64
DEVICES = ("/dev/null", "/dev/urandom")

# Nothing of the grader's environment goes in. One thread: OpenBLAS raises SIGINT when it cannot
# start more. One hash seed: the same marks in any run.
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "MALLOC_ARENA_MAX": "1",  # a thread's own arena would take 64 MiB of address space
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUTF8": "1",
}


@dataclass(frozen=True)
class Launch:
    """A fork server's command line, its environment, and what it is told first."""

    command: list[str]
    environment: dict[str, str]
    path: list[str]
    readable: list[str]
    user: int | None
    processes: int


@dataclass(frozen=True)
class Python:
    """Where the running interpreter and NumPy keep what a child reads."""

    executable: Path
    libraries: tuple[Path, ...]  # libpython, where it is a library of its own
    stdlib: Path
    packages: tuple[Path, ...]  # numpy and the shared objects beside it
    system: tuple[Path, ...]  # folders of the system's shared objects


_count = itertools.count()


@functools.cache
def python() -> Python:
    """The running interpreter's files."""
    name = str(sysconfig.get_config_var("INSTSONAME") or "")
    homes = [Path(sys.base_prefix) / "lib", Path(sysconfig.get_config_var("LIBDIR") or "/")]
    shared = [home / name for home in homes if ".so" in name and os.path.isfile(home / name)]  # noqa: PTH113
    numpy = Path(np.__file__).resolve().parent
    packages = [numpy, numpy.parent / "numpy.libs"]
    multiarch = str(sysconfig.get_config_var("MULTIARCH") or f"{platform.machine()}-linux-gnu")
    folders = [f"/lib/{multiarch}", f"/usr/lib/{multiarch}", "/lib64", "/usr/lib64"]
    return Python(
        executable=Path(sys._base_executable).resolve(),  # type: ignore[attr-defined]
        libraries=tuple(shared[:1]),
        stdlib=Path(sysconfig.get_path("stdlib")).resolve(),
        packages=tuple(p for p in packages if p.is_dir()),
        system=tuple(Path(f) for f in folders if Path(f).is_dir()),
    )


def launch(tier: Tier, descriptor: int) -> Launch:
    """What starts a fork server of the given tier that speaks over the given descriptor."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    # Servers with one user would share its limit of threads: those of a process are far apart.
    user: int | None = FIRST_USER + (os.getpid() + next(_count) % AHEAD * APART) % USERS
    if not root or not _mapped(FIRST_USER):
        user = None
    return _jailed(descriptor, user) if tier == "A" else _plain(tier, descriptor, user)


def _mapped(user: int) -> bool:
    """Whether this user exists for us; root of a small user namespace has no other than itself."""
    try:
        ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:  # not Linux
        return True
    return any(int(first) <= user < int(first) + int(count) for first, _, count in ranges)


def _jailed(descriptor: int, user: int | None) -> Launch:
    files = python()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    stdlib = f"/python/lib/{version}"
    binds: list[str] = []
    for folder in ("/python", "/python/bin", "/python/lib", "/python/packages", "/python/grader"):
        binds += ["--perms", "0755", "--dir", folder]  # bwrap's own would be its user's alone

    def show(source: Path, target: str) -> None:
        binds.extend(("--ro-bind", str(source), target))

    show(files.executable, "/python/bin/python")
    for library in files.libraries:
        show(library, f"/python/lib/{library.name}")
    show(files.stdlib, stdlib)
    for hidden in ("site-packages", "dist-packages"):
        if (files.stdlib / hidden).is_dir():
            binds += ["--tmpfs", f"{stdlib}/{hidden}", "--remount-ro", f"{stdlib}/{hidden}"]
    for package in files.packages:
        show(package, f"/python/packages/{package.name}")
    show(INSIDE, "/python/grader/inside")
    for shared in files.system:
        binds += ["--perms", "0755", "--dir", str(shared.parent)]
        show(shared, str(shared))
    for extra in ("/etc/ld.so.cache", "/etc/alternatives"):
        binds += ["--ro-bind-try", extra, extra]
    binds += ["--perms", "0755", "--dir", "/dev"]
    for device in DEVICES:
        binds += ["--dev-bind", device, device]
    # Root sets up the mounts and the server then becomes `user`; anyone else needs a user
    # namespace, in which it can make no further ones.
    rights = (
        ["--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"]
        if user is None
        else ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    )
    path = [stdlib, f"{stdlib}/lib-dynload"]
    return Launch(
        command=[
            shutil.which("bwrap") or "bwrap",
            *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
            *("--unshare-cgroup-try", "--new-session", "--hostname", "jail"),
            *rights,
            *binds,
            *("--remount-ro", "/", "--chdir", "/", "--"),
            *("/python/bin/python", "-sSP", "-c", START.format(descriptor)),
            *("--", "/python/grader", *path, "/python/packages"),
        ],
        environment=ENVIRONMENT | {"PYTHONHOME": "/python", "LD_LIBRARY_PATH": "/python/lib"},
        path=path,
        readable=[stdlib, "/python/packages", *(str(f) for f in files.system), *DEVICES],
        user=user,
        processes=PROCESSES,
    )


def _plain(tier: Tier, descriptor: int, user: int | None) -> Launch:
    files = python()
    # Site-packages may lie inside the library's folder: each entry beside them gets its own rule.
    entries = sorted(files.stdlib.iterdir())
    library = [e for e in entries if e.name not in ("site-packages", "dist-packages")]
    path = [str(files.stdlib), str(files.stdlib / "lib-dynload")]
    linker = {"LD_LIBRARY_PATH": str(files.libraries[0].parent)} if files.libraries else {}
    readable = [*library, *files.packages, *files.system, *DEVICES]
    return Launch(
        command=[
            *(str(files.executable), "-sSP", "-c", START.format(descriptor)),
            *("--", str(INSIDE.parent), *path, str(files.packages[0].parent)),
        ],
        environment=ENVIRONMENT | linker,
        path=path,
        readable=[str(p) for p in readable],
        user=user,
        processes=PROCESSES if user is not None else _threads_of(os.getuid()) + 4 * PROCESSES,
    )


def _threads_of(user: int) -> int:
    """How many threads the user has now: the kernel counts them all against the limit."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                total += sum(1 for _ in (process / "task").iterdir())
        except OSError:
            continue
    return total
