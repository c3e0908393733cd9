"""One sentence for each thing that can be wrong with a configuration file."""

import pytest

from nontrivial.schemas import check, read_yaml, require_folder

COUNT = {"type": "integer", "minimum": 1, "description": "a whole number of at least 1"}
SCHEMA = {
    "type": "object",
    "description": "a mapping of keys to values",
    "additionalProperties": False,
    "required": ["folds"],
    "properties": {
        "folds": COUNT,
        "names": {
            "description": "the word all, or a list of names",
            "anyOf": [
                {"const": "all", "description": "the word all, or a list of names"},
                {
                    "type": "array",
                    "items": {"type": "string", "description": "a name"},
                    "description": "a list of names",
                },
            ],
        },
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
        ({"folds": 0}, "f.yaml: folds is 0; it must be a whole number of at least 1."),
        ({"folds": "10"}, "f.yaml: folds is '10'; it must be a whole number of at least 1."),
        ({"folds": 1, "fold": 2}, "f.yaml: there is no key fold; the known keys are folds, names, entries."),
        ({}, "f.yaml: the key folds is missing; it is a whole number of at least 1."),
        (
            {"folds": 1, "names": "some"},
            "f.yaml: names is 'some'; it must be the word all, or a list of names.",
        ),
        ({"folds": 1, "names": ["a", 2]}, "f.yaml: names.1 is 2; it must be a name."),
        (
            {"folds": 1, "entries": {"a": 0}},
            "f.yaml: entries.a is 0; it must be a whole number of at least 1.",
        ),
        (
            {"folds": 1, "entries": {"A": 1}},
            "f.yaml: the key entries.A is not allowed; it must be a name in lower case.",
        ),
    ],
)
def test_sentences(value, sentence):
    with pytest.raises(ValueError, match=r"^f\.yaml: ") as caught:
        check(value, SCHEMA, "f.yaml")
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: the key 'a' is given twice"),
        ("a: [1\n", "line 2: "),
        ("- 1\n", "it must hold a mapping of keys to values"),
        ("", "holds None; it must hold a mapping"),
    ],
)
def test_files(tmp_path, text, sentence):
    path = tmp_path / "f.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"f\.yaml") as caught:
        read_yaml(path)
    assert sentence in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: No such file or directory"):
        read_yaml(tmp_path / "none.yaml")


def test_a_folder_that_can_be_written_to(tmp_path, monkeypatch):
    require_folder(f"{tmp_path}/a/b", "results")
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for place in ("file", "file/a", "link"):
        with pytest.raises(ValueError, match=f"^results is .*{place}', but .* is not a folder"):
            require_folder(f"{tmp_path}/{place}", "results")
    monkeypatch.setattr("os.access", lambda place, mode: False)  # permissions do not bind root
    with pytest.raises(ValueError, match=f"^results is .*, but nothing can be written to {tmp_path};"):
        require_folder(f"{tmp_path}/a", "results")
