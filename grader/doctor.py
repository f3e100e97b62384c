"""Which isolation this machine gives student code, every lock tried, and what would lift it."""

import argparse
import os
import platform
import sys
from collections.abc import Mapping

from .sandbox.forkserver import missing
from .sandbox.jail import Tier
from .sandbox.opening import Tried, strongest, try_locks
from .sandbox.probes import FORBIDDEN

MEANING: dict[Tier, str] = {
    "A": "a bwrap jail without network or files, and locks on every child",
    "B": "locks on every child (Landlock, seccomp, limits), no jail around them",
    "C": "a separate process with limits only: no protection against hostile code",
}


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `doctor` to the grader's commands."""
    text = "show which isolation this machine gives student code, and what is missing"
    parser = subparsers.add_parser("doctor", help=text, description=f"{text.capitalize()}.")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tier and every lock; 0 if all hold on tier A or B, else 1."""
    sandbox, reasons = strongest()
    with sandbox:
        tried = try_locks(sandbox, FORBIDDEN)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    print(f"Tier {sandbox.tier}: {MEANING[sandbox.tier]}.")
    print(
        f"Python {platform.python_version()} on {platform.system()} {platform.release()}, ", end=""
    )
    print("as root (student code runs as an ordinary user)." if root else "as an ordinary user.")
    print()
    print("Each of these was tried in a child just now:")
    for act in tried:
        print(_line(act))
    holes = sum(t.open for t in tried)
    print()
    for tier, reason in reasons.items():
        print(f"Tier {tier} cannot be had: {reason}.")
    for remedy in remedies(reasons):
        print(f"To lift it: {remedy}")
    if sandbox.tier == "C":
        print("Grading is refused here unless --accept-weak-isolation is given.")
        return 1
    print(f"{holes} of {len(tried)} locks are open." if holes else f"All {len(tried)} locks hold.")
    return 1 if holes else 0


def _line(act: Tried) -> str:
    mark = "OPEN " if act.open else "holds"
    said = " ".join(act.said.split())
    return f"  {mark}  {act.act:<48} {said[:90]}".rstrip()


def remedies(reasons: Mapping[Tier, str]) -> list[str]:
    """What to install or set so that a stronger tier can be had, one sentence each."""
    found = []
    if sys.platform != "linux":
        return ["grade on Linux, for instance in a virtual machine."]
    lacking = " ".join(missing("A"))
    if "libseccomp" in lacking:
        found.append("apt install libseccomp2")
    if "Landlock" in lacking:
        found.append("a kernel with Landlock (Debian 12 or newer, landlock in the `lsm=` option).")
    if "bwrap" in lacking:
        found.append("apt install bubblewrap")
    if "A" in reasons and not lacking:
        found.append(
            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; in a container, "
            "start it with --security-opt seccomp=unconfined)."
        )
    return found
