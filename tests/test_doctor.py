"""The doctor tries every lock and names what would lift the tier."""

import argparse

import pytest

from grader import doctor
from grader.sandbox import ForkSandbox, WeakIsolationError, forkserver, open_sandbox, probes
from grader.sandbox.filter import Filter
from grader.sandbox.opening import try_locks


def run(*options: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.add_parser(parser.add_subparsers())
    args = parser.parse_args(["doctor", *options])
    return int(args.run(args))


def test_every_forbidden_act_is_refused(sandbox: ForkSandbox) -> None:
    tried = try_locks(sandbox, probes.FORBIDDEN)
    assert [t for t in tried if t.open] == []
    assert len(tried) == len(probes.FORBIDDEN)


def test_probes_get_through_where_there_are_no_locks() -> None:
    with ForkSandbox(forkserver.ForkServer("C")) as weak:
        through = {t.act for t in try_locks(weak, probes.FORBIDDEN) if t.open}
    for name in ("read_outside", "connect_tcp", "send_udp", "fork", "signal_parent"):
        assert probes.FORBIDDEN[name] in through


def test_with_the_jail_every_lock_holds(capsys: pytest.CaptureFixture[str]) -> None:
    code = run()
    said = capsys.readouterr().out
    if not said.startswith("Tier A"):
        pytest.skip("no tier A here")
    assert code == 0
    assert f"All {len(probes.FORBIDDEN)} locks hold." in said


def test_without_bwrap_the_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert run() == 0
    said = capsys.readouterr().out
    assert said.startswith("Tier B")
    assert "Tier A cannot be had: bwrap is not installed." in said
    assert "To lift it: apt install bubblewrap" in said


def test_without_libseccomp_only_tier_c_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Filter(reason="Unable to find libseccomp")
    monkeypatch.setattr(forkserver, "build", lambda: missing)
    assert run() == 1
    said = capsys.readouterr().out
    assert said.startswith("Tier C")
    assert "OPEN" in said
    assert "apt install libseccomp2" in said
    assert "--accept-weak-isolation" in said
    with pytest.raises(WeakIsolationError, match="libseccomp"):
        open_sandbox()
    with open_sandbox(accept_weak=True) as sandbox:
        assert sandbox.tier == "C"


def test_landlock_holds_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each layer is tried without the one before it: here the filter of system calls is empty."""
    monkeypatch.setattr(forkserver, "build", Filter)
    with ForkSandbox(forkserver.ForkServer("B")) as sandbox:
        held = {t.act for t in try_locks(sandbox, probes.FORBIDDEN) if not t.open}
    for name in ("read_outside", "write_file", "trace_parent", "read_parent_memory", "much_memory"):
        assert probes.FORBIDDEN[name] in held
