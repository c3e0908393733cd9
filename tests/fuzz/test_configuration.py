"""Whatever stands in a configuration file, it is read or refused soon, with one sentence that names the file."""

import json
import random
import re
import shutil
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nontrivial.plain_yaml import DEEPEST, MOST, parse_yaml

from nontrivial.claims.over import KINDS
from nontrivial.claims.registry import load_claims
from nontrivial.schemas import check, read_yaml

SCHEMA = read_yaml("workflow/schemas/config.schema.yaml")
del SCHEMA["required"]  # a few keys are enough here


def bomb(kind):
    """Nine values that each stand nine times in the next, thirty times."""
    opening, closing, leaf = {"lists": ("[", "]", "x"), "mappings": ("{", "}", "k: v")}[kind]
    entries = ["a0: &a0 " + opening + leaf + closing]
    for level in range(1, 30):
        inner = (f"*a{level - 1}" if kind == "lists" else f"k{i}: *a{level - 1}" for i in range(9))
        entries.append(f"a{level}: &a{level} {opening}{', '.join(inner)}{closing}")
    return "\n".join(entries)


REFUSED = {
    "a bomb of lists": bomb("lists"),
    "a bomb of mappings": bomb("mappings"),
    "an alias of itself": "folds: &a [*a]",
    "an unknown alias": "folds: *a",
    "a key that is a list": "? [a]\n: 1",
    "a key that is a number": "1: 2",
    "a key given twice": "folds: 1\nfolds: 2",
    "deep lists": "folds: " + "[" * 3000 + "]" * 3000,
    "deep mappings": "folds: " + "{a: " * 3000,
    "deep blocks": "- " * 3000,
    "a tag of a bool": "folds: !!bool x",
    "a tag of nothing": "folds: !!int ''",
    "a tag of Python": "folds: !!python/object/apply:os.getcwd []",
    "a tag of a time": "folds: !!timestamp 2015-99-99",
    "a tag of one's own": "folds: !mine 1",
    "NUL": "folds: \0",
    "an escape code": "folds: \x1b[31m",
    "two documents": "a: 1\n---\nb: 2",
    "an end": "folds: [1",
    "a tabulator": "\tfolds: 1",
    "another version": "%YAML 3.0\n---\nfolds: 1",
    "a list": "[1]",
    "nothing": "",
    "UTF-16": "folds: 10".encode("utf-16"),
    "Latin-1": "folds: é".encode("latin-1"),
    "a surrogate": b"folds: \xed\xa0\x80",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case, tmp_path):
    path = tmp_path / "mine.yaml"
    content = REFUSED[case]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    started = time.process_time()
    with pytest.raises(ValueError, match=r"mine\.yaml") as caught:
        read_yaml(path)
    assert time.process_time() - started < 5
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(path))


TEXTS = [
    "1_0",
    "1:30",
    "010",
    "0o10",
    "0x1F",
    "2015-99-99",
    "2015-07-31",
    "yes",
    "no",
    "1" * 5000,
    "1e999",
    ".nan",
    ".inf",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_no_number_is_a_text_and_the_schema_says_what_is_allowed(text, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(f"folds: {text}")
    assert read_yaml(path) == {"folds": text}
    with pytest.raises(ValueError, match=r"^mine: folds is .*; it must be a whole number from 2 to 100\.$"):
        check(read_yaml(path), SCHEMA, "mine")


@pytest.mark.parametrize("value", [10.0, True, None, [], {}, "10", 10**400])
def test_what_counts_is_a_whole_number(value):
    with pytest.raises(ValueError, match=r"^mine: folds is .*; it must be a whole number"):
        check({"folds": value}, SCHEMA, "mine")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, 10**400, "1"])
def test_a_number_is_finite(value):
    with pytest.raises(ValueError, match=r"^mine: model_seconds is "):
        check({"model_seconds": value}, SCHEMA, "mine")


def test_a_long_list_of_mixed_kinds_is_checked_quickly():
    started = time.process_time()
    with pytest.raises(ValueError, match=r"^mine: datasets"):
        check({"datasets": ["a", 1, None, {}] * 5000}, SCHEMA, "mine")
    assert time.process_time() - started < 5


def test_too_much(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(ValueError, match=r"mine\.yaml is larger than"):
        read_yaml(path)
    entries = ", ".join(["*a"] * (MOST // 1000))
    with pytest.raises(ValueError, match=rf"mine, line 2: .*{MOST}"):
        parse_yaml(f"a: &a [{'x, ' * 1000}]\nb: [{entries}]", "mine")


def test_as_much_as_is_allowed():
    nested = "[" * DEEPEST + "]" * DEEPEST
    assert parse_yaml(nested, "mine") == json.loads(nested)
    assert parse_yaml("a: &a [1, 2]\nb: *a", "mine") == {"a": [1, 2], "b": [1, 2]}


def test_another_place_than_a_file(tmp_path):
    for place in (tmp_path, tmp_path / "none.yaml", "/dev/zero", f"{tmp_path}/\0"):
        with pytest.raises(ValueError, match=re.escape(str(place))):
            read_yaml(place)


NUMBERS = st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(
    st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])
)  # JSON writes the others as two
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_json_is_read_as_json(value):
    assert parse_yaml(json.dumps(value, ensure_ascii=True), "mine") == value


@given(PLAIN)
def test_what_another_writer_wrote_is_read(value):
    assert parse_yaml(yaml.safe_dump(value, allow_unicode=True), "mine") == value


@given(st.text(alphabet="ab:-?[]{}&*!|>'\"%#,\n \t0.1_~<", max_size=60))
def test_any_text_is_read_or_refused(text):
    refused_or_read(lambda: parse_yaml(text, "mine"))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content):
    refused_or_read(lambda: parse_yaml(content, "mine"))


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "x"]), PLAIN))
def test_any_values_are_good_or_said_to_be_wrong(value):
    refused_or_read(lambda: check(value, SCHEMA, "mine"))


def refused_or_read(read, name="mine"):
    try:
        return read()
    except ValueError as error:
        said = error
    assert type(said) is ValueError
    assert str(said).startswith(name)
    assert "\n" not in str(said)
    return None


@pytest.mark.parametrize(
    "value",
    [
        *(None, 3, [], [3], "x", {"a": 3}, {"table": 3, "where": 4}, {"table": "t", "where": {"a": 3}}),
        *(
            {"cases": 10**9},
            {"cases": "8"},
            {"loss": "zero_one", "classes": 2, "count": 10**9, "guess": 10**9},
        ),
        *(
            {"a": [1]},
            {"a": "0..99999999999"},
            {"a": "0..9", "b": 3},
            {"a": "1e999999999"},
            ["a", 3],
            ["a", "a" * 9],
        ),
    ],
    ids=str,
)
def test_what_a_claim_is_about_is_read_or_refused(value, tmp_path):
    shutil.copy("config/claims/registry.yaml", tmp_path)
    claim = {"id": "a", "statement": "It is.", "kind": "lemma", "study": "default", "claim": "a < 3"}
    for kind in KINDS:
        part = {
            "source": "PA paper",
            "sections": [{"section": "1", "claims": [claim | {"over": {kind: value}}]}],
        }
        (tmp_path / "paper.yaml").write_text(json.dumps(part))
        refused_or_read(lambda: load_claims(tmp_path), str(tmp_path))


@pytest.mark.parametrize("seed", range(30))
def test_mutated_claims_are_read_or_refused(seed, tmp_path):
    draw = random.Random(seed)
    with open("config/claims/tutorial.yaml", "rb") as stream:
        whole = bytearray(stream.read(6000))
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(whole))
        whole[place : place + draw.randint(0, 3)] = draw.choice(
            [
                b"",
                b"\0",
                b"\xff",
                b"[",
                b"{",
                b"&a ",
                b"*a",
                b"!!int ",
                b"? ",
                b"1_0",
                b"9" * 5000,
                b"\n",
                b": ",
                b"<<: ",
            ]
        )
    (tmp_path / "paper.yaml").write_bytes(whole)
    shutil.copy("config/claims/registry.yaml", tmp_path)
    refused_or_read(lambda: load_claims(tmp_path), str(tmp_path))
