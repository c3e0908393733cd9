"""One sentence for each thing that can be wrong with a YAML file."""

import pytest

from nontrivial.schemas import check_schema, read_yaml

COUNT = {"type": "integer", "minimum": 1, "description": "a whole number of at least 1"}
NAMES = "the word all, or a list of names"
LIST = {"type": "array", "items": {"type": "string", "description": "a name"}, "description": "a list of names"}
SCHEMA = {
    "type": "object",
    "description": "a mapping of keys to values",
    "additionalProperties": False,
    "required": ["folds"],
    "properties": {
        "folds": COUNT,
        "names": {"description": NAMES, "anyOf": [{"const": "all", "description": NAMES}, LIST]},
        "entries": {
            "type": "object",
            "description": "a mapping from lower-case names to counts",
            "propertyNames": {"pattern": "^[a-z]+$", "description": "a name in lower case"},
            "additionalProperties": COUNT,
        },
    },
}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"folds": 0}, "folds is 0; it must be a whole number of at least 1."),
        ({"folds": 10.0}, "folds is 10.0; it must be a whole number of at least 1."),
        ({"folds": True}, "folds is True; it must be a whole number of at least 1."),
        ({"folds": 1, "fold": 2}, "there is no key fold; the known keys are folds, names, entries."),
        ({}, "the key folds is missing; it is a whole number of at least 1."),
        ({"folds": 1, "names": "some"}, f"names is 'some'; it must be {NAMES}."),
        ({"folds": 1, "names": ["a", 2]}, "names.1 is 2; it must be a name."),
        ({"folds": 1, "entries": {"a": 0}}, "entries.a is 0; it must be a whole number of at least 1."),
        ({"folds": 1, "entries": {"A": 1}}, "the key entries.A is not allowed; it must be a name in lower case."),
    ],
)
def test_what_a_schema_does_not_allow(value, sentence):
    with pytest.raises(ValueError, match=r"^f\.yaml: ") as caught:
        check_schema(value, SCHEMA, "f.yaml")
    assert str(caught.value) == f"f.yaml: {sentence}"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: 1\nb:\n  c: 2\n  c: 3\n", ", line 3: the key 'c' is given twice"),
        ("a: [1\n", ", line 2: "),
        ("a: !!python/object/apply:os.getcwd []", ", line 1: "),
        ("- 1\n", "it must hold a mapping of keys to values"),
        ("", "holds None; it must hold a mapping"),
        ("é: 1".encode("latin-1"), ": 'utf-8' codec"),
    ],
)
def test_what_is_not_yaml_or_gives_a_key_twice(tmp_path, text, part):
    path = tmp_path / "f.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=r"f\.yaml") as caught:
        read_yaml(path)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_may_take_the_place_of_one_that_is_merged(tmp_path):
    (tmp_path / "f.yaml").write_text("a: &a {x: 1, y: 1}\nb: {<<: *a, x: 2}\n")
    assert read_yaml(tmp_path / "f.yaml")["b"] == {"x": 2, "y": 1}


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"none\.yaml cannot be read: No such file or directory"):
        read_yaml(tmp_path / "none.yaml")
