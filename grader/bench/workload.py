"""The submissions that are timed: the kit's own variants, one of each challenge to a file."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path

from grader.usage import UsageError

VARIANTS = Path("tests") / "submissions" / "variants"


def write_submissions(root: Path, folder: Path, count: int) -> list[Path]:
    """Write `count` files of student code, right and wrong, no two alike unless all are used up.

    They come from the kit's own tests, never from students: the bare limit runs them unconfined.
    """
    parts = [sorted(f.glob("*.py")) for f in sorted((root / VARIANTS).glob("*")) if f.is_dir()]
    if not parts:
        raise UsageError(f"{root / VARIANTS} is missing: the bench needs the kit's own folder")
    step = 7919  # a prime: neighbours differ in every challenge
    mixes = list(islice(product(*parts), 100_000))
    files = []
    for number in range(count):
        mix = mixes[number * step % len(mixes)]
        file = folder / f"student-{number:05}.py"
        file.write_text("\n\n".join(p.read_text("utf-8") for p in mix), "utf-8")
        files.append(file)
    return files
