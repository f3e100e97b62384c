"""What staff get: schemas that editors can use, answers, hidden cases."""

import json
from pathlib import Path

import jsonschema
import pytest

from challenges.load import LESSON_ROOT
from challenges.source import read
from course.staff import SCHEMAS, schema

TINY = Path(__file__).parent / "fixtures" / "tiny"
FILES = {
    "lesson": "course/lesson.yaml",
    "section": "course/sections/*.yaml",
    "question": "questions/*.yaml",
    "challenge": "challenges/*/challenge.yaml",
    "faults": "challenges/faults/*.yaml",
}
OPTIONAL = {"faults"}


@pytest.mark.parametrize("root", [LESSON_ROOT, TINY], ids=["lesson", "tiny"])
@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schema_takes_every_file_of_its_kind(kind: str, root: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema(SCHEMAS[kind])))
    files = sorted(root.glob(FILES[kind]))
    assert files or (kind in OPTIONAL and root == TINY)
    for file in files:
        source, _ = read(file)
        assert source is not None
        errors = [f"{file.name}: {error.message}" for error in validator.iter_errors(source.data)]
        assert errors == []


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schema_refuses_a_misspelt_key(kind: str) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema(SCHEMAS[kind])))
    source, _ = read(min(LESSON_ROOT.glob(FILES[kind])))
    assert source is not None
    assert not validator.is_valid(source.data | {"titel": "x"})
