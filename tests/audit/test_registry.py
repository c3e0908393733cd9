"""Reading the registry, and what it says about a wrong one."""

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from nontrivial.audit.registry import claim_from_json, load_claims

SHIPPED = Path(__file__).parents[2] / "config" / "claims"


def registry(**changes):
    claim = {
        "id": "a-claim",
        "source": "paper",
        "locator": "Section 1",
        "statement": "Guessing among three options is right in a third of the cases.",
        "kind": "number",
        "stated": "33.33%",
        "test": "guess_rate",
        "parameters": {"options": 3},
    }
    claim.update(changes)
    claim = {key: value for key, value in claim.items() if value is not None}
    return {"sources": {"paper": "A paper"}, "studies": {"small": "make small"}, "claims": [claim]}


@pytest.fixture
def load(tmp_path):
    def write_and_load(content):
        path = tmp_path / "paper.yaml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
        return load_claims(tmp_path)

    return write_and_load


def test_a_claim_is_read(load):
    (claim,) = load(registry(note="read so"))
    assert (claim.id, claim.tolerance, claim.arguments, claim.note) == (
        "a-claim",
        "rounded",
        {"options": 3},
        "read so",
    )


def test_claims_come_sorted_by_id(load):
    content = registry()
    content["claims"] = [{**content["claims"][0], "id": name} for name in ("c", "a", "b")]
    assert [claim.id for claim in load(content)] == ["a", "b", "c"]


def test_a_study_is_replaced_by_its_command(load):
    parameters = {"table": "tables/a.csv", "row": {"x": "1"}, "column": "y"}
    changes = {"test": "table_number", "parameters": parameters, "data": ["tables/a.csv"], "study": "small"}
    (claim,) = load(registry(**changes))
    assert (claim.data, claim.command) == (("tables/a.csv",), "make small")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"kind": "numbr"},
            "kind is 'numbr'; allowed is one of number, lemma, inequality, order, experiment",
        ),
        ({"kinds": "number"}, "there is no key kinds; the known keys are id, source, locator"),
        (
            {"locator": None},
            "the key locator is missing; it is the section, lemma, figure or table, as text.",
        ),
        ({"stated": 0.33}, "stated is 0.33; allowed is a number as printed"),
        ({"source": "book"}, "source is 'book'; the known ones are paper."),
        ({"study": "large"}, "study is 'large'; the known ones are small."),
        ({"tolerance": "loose"}, "tolerance is 'loose'; allowed is one of exact, rounded"),
        (
            {"test": "gess_rate"},
            "test 'gess_rate' is unknown; known tests: archived_area, archived_areas,",
        ),
        ({"test": None}, "the key 'test' is missing; only an opinion goes without."),
        ({"stated": None}, "the key 'stated' is missing; only an opinion goes without."),
        ({"stated": "a third"}, "'a third' is not a printed number such as 0.46"),
        ({"stated": "f1 <= recall"}, "test 'guess_rate' cannot answer the stated 'f1 <= recall'."),
        ({"parameters": {"option": 3}}, "test 'guess_rate' has no parameter 'option'; allowed: options."),
        ({"parameters": None}, "test 'guess_rate' needs the parameter 'options'."),
        ({"parameters": {"options": 0}}, "parameter 'options' is 0; a positive whole number is allowed."),
        (
            {"parameters": {"options": True}},
            "parameter 'options' is True; a positive whole number is allowed.",
        ),
        ({"parameters": {"options": "3"}}, "parameter 'options' is '3'; a positive whole number is allowed."),
        ({"repairs": "b-claim"}, "repairs is 'b-claim'; the id of another claim is allowed."),
        ({"repairs": "a-claim"}, "repairs is 'a-claim'; the id of another claim is allowed."),
        ({"kind": "opinion"}, "an opinion has no 'test', no 'stated' and no 'holds_where'."),
        (
            {"kind": "opinion", "test": None, "stated": None, "parameters": None},
            "the key 'because' is missing; an opinion says why no computation settles it.",
        ),
        ({"holds_where": "fp = 0"}, "test 'guess_rate' has no parameter 'holds_where'; allowed: options."),
        (
            {
                "test": "confusion_tables",
                "stated": "f1 <= recall",
                "parameters": {"where": [], "cells": 3},
                "holds_where": "fpp = 0 or fn = 0",
            },
            "'fpp' is not a known measure of a confusion table; known: fp, tp,",
        ),
        ({"because": "it is old."}, "the key 'because' is for an opinion, which has no test."),
        ({"because": "It is old"}, "because is 'It is old'; allowed is for an opinion, a sentence"),
        ({"data": ["../secret"]}, "data.0 is '../secret'; allowed is a path inside the results folder"),
        ({"data": ["/etc/passwd"]}, "data.0 is '/etc/passwd'; allowed is a path inside the results folder"),
        (
            {"test": "product", "parameters": {"factors": 886}},
            "parameter 'factors' is 886; a list is allowed.",
        ),
        (
            {"test": "majority_accuracy", "parameters": {"minority": 0.01}},
            "parameter 'minority' is 0.01; quoted text is allowed, because its digits count.",
        ),
        (
            {"test": "majority_accuracy", "parameters": {"minority": "few"}},
            "'few' is not a printed number",
        ),
        (
            {
                "test": "published_advantage",
                "parameters": {"measure": "loss", "printed": "0.3", "positives": 81, "n": 306},
            },
            "parameter 'measure' is 'loss'; allowed: error, accuracy.",
        ),
        (
            {"test": "measure_at_rates", "parameters": {"measure": "p4", "rates": {"population": 9}}},
            "parameter 'rates' has the keys population; population, prevalence, recall, specificity are needed.",
        ),
        (
            {
                "test": "measure_at_rates",
                "parameters": {
                    "measure": "p5",
                    "rates": {"population": 9, "prevalence": "1%", "recall": "1", "specificity": "1"},
                },
            },
            "'p5' is not a known measure of a confusion table; known: fp, tp,",
        ),
        (
            {"test": "confusion_tables", "stated": "f1 <= kapa", "parameters": {"where": [], "cells": 4}},
            "'kapa' is not a known measure",
        ),
        (
            {"test": "confusion_tables", "stated": "f1 <= 1", "parameters": {"where": ["p > 0"], "cells": 4}},
            "'p' is not a known measure",
        ),
        (
            {"test": "confusion_tables", "stated": "f1 <= 1", "parameters": {"where": [], "cells": 10**6}},
            "the domain has 1,000,004,000,006,000,004,000,001 cases; at most 100,000,000 are allowed.",
        ),
        (
            {"test": "confusion_tables", "stated": "< 0", "parameters": {"where": [], "cells": 4}},
            "test 'confusion_tables' needs a stated relation such as 'precision <= recall'.",
        ),
        (
            {
                "test": "exam_advantages",
                "stated": "bob < carol",
                "parameters": {"right": 60, "questions": 100, "options": {"bob": 3, "alice": 4}},
            },
            "'carol' is not among the options; known: alice, bob.",
        ),
        (
            {"test": "table_number", "parameters": {"table": "a.csv", "row": {}, "column": "y"}},
            "test 'table_number' reads results: the keys 'data' and 'study' are needed.",
        ),
        (
            {
                "test": "table_number",
                "parameters": {"table": "a.csv", "row": {}, "column": "y"},
                "data": ["b.csv"],
                "study": "small",
            },
            "parameter 'table' is 'a.csv'; allowed: b.csv.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(load, changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)) as error:
        load(registry(**changes))
    text = str(error.value)
    assert re.match(r"\S*paper\.yaml: claim 'a-claim': ", text)
    assert "\n" not in text
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("claims: [", "paper.yaml, line"),
        ("- a\n- b\n", "allowed is a mapping of keys to values."),
        ("sources: {}\nsources: {}\n", "the key 'sources' is given twice; each is allowed once."),
        (
            "sources: {p: P}\nstudies: {}\nclaims: []\n",
            "claims is []; allowed is a list of at least one claim.",
        ),
        (
            "source: {p: P}\nclaims: [{id: a}]\n",
            "there is no key source; the known keys are sources, studies, claims.",
        ),
        (
            "sources: {p: P}\nstudies: {}\nclaims: [{id: A b}]\n",
            "claims.0.id is 'A b'; allowed is lower-case words",
        ),
        ("sources: {p: P}\nstudies: {}\nclaims: [3]\n", "claims.0 is 3; allowed is a mapping with an id."),
    ],
)
def test_a_file_that_is_no_registry_is_named(load, content, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        load(content)


def test_duplicate_ids_are_named(load):
    content = registry()
    content["claims"] *= 2
    with pytest.raises(ValueError, match="claim 'a-claim' stands there twice; each id is allowed once"):
        load(content)


def test_files_of_a_folder_are_one_registry(load, tmp_path):
    content = registry()
    other = {"claims": [{**content["claims"][0], "id": "b-claim", "repairs": "a-claim"}]}
    (tmp_path / "other.yaml").write_text(yaml.safe_dump(other))
    assert [claim.id for claim in load(content)] == ["a-claim", "b-claim"]


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"sources": {"paper": "Another"}}, "sources has 'paper', as another file has; once is allowed."),
        ({"studies": {"small": "make all"}}, "studies has 'small', as another file has; once is allowed."),
        ({"claims": registry()["claims"]}, "claim 'a-claim' stands there twice; each id is allowed once."),
    ],
)
def test_what_two_files_say_is_named_in_the_second(load, tmp_path, other, sentence):
    (tmp_path / "second.yaml").write_text(yaml.safe_dump(other))
    with pytest.raises(ValueError, match=re.escape(f"second.yaml: {sentence}")):
        load(registry())


def test_a_folder_without_claims_is_named(load, tmp_path):
    with pytest.raises(ValueError, match="absent holds no YAML file of claims; at least one is needed"):
        load_claims(tmp_path / "absent")
    with pytest.raises(ValueError, match="holds no YAML file of claims"):
        load("sources: {p: P}\n")


def test_stored_claims_are_the_claims():
    for claim in load_claims(SHIPPED):
        assert claim_from_json(claim.to_json()) == claim


@pytest.mark.parametrize("value", [{}, {"id": "a", "data": []}, {"extra": 1, "data": []}])
def test_a_damaged_stored_claim_is_refused(value):
    with pytest.raises(ValueError, match="the stored claim lacks a field or has an unknown one"):
        claim_from_json(value)


def test_a_main_claim_says_so_where_it_is_stored(load):
    (plain,), (main,) = load(registry()), load(registry(main=True))
    assert (plain.main, main.main) == (False, True)
    assert "main" not in plain.to_json()
    assert claim_from_json(plain.to_json()) == plain
    assert claim_from_json(main.to_json()) == main


def test_what_is_not_main_goes_without_the_key(load):
    with pytest.raises(ValueError, match=r"main is False; allowed is true, for one of the few"):
        load(registry(main=False))


def test_a_theorem_of_our_own_says_so_where_it_is_stored(load):
    words = "Beyond the paper: one option is always right."
    (plain,), (own,) = load(registry()), load(registry(beyond=True, statement=words))
    assert (plain.beyond, own.beyond) == (False, True)
    assert "beyond" not in plain.to_json()
    assert claim_from_json(own.to_json()) == own


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"beyond": True}, "the key 'beyond' and a statement that begins with 'Beyond the ' go together"),
        ({"statement": "Beyond the paper: so."}, "the key 'beyond' and a statement that begins with"),
        (
            {"beyond": True, "statement": "Beyond the paper: so.", "main": True},
            "what is beyond the document cannot have the key 'main'",
        ),
    ],
)
def test_what_is_our_own_is_marked_and_begins_with_it(load, changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        load(registry(**changes))


def test_a_repaired_reading_is_not_main(load):
    content = registry(id="printed")
    content["claims"] += registry(id="repaired", repairs="printed", main=True)["claims"]
    with pytest.raises(ValueError, match=r"'repaired': a repaired reading cannot have the key 'main'"):
        load(content)


def test_every_document_has_a_few_main_claims():
    claims = load_claims(SHIPPED)
    mains = Counter(claim.source for claim in claims if claim.main)
    assert set(mains) == {claim.source for claim in claims}
    assert all(3 <= number <= 6 for number in mains.values())
