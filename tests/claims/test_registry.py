"""Reading the registry, what it says about a wrong one, and the registry that ships as a whole."""

import json
import re
from pathlib import Path

import pytest
import yaml

from nontrivial.claims.claim import Claim, known_names
from nontrivial.claims.domains.forecasts import FORECAST_QUANTITIES
from nontrivial.claims.domains.tables import TABLE_NAMES
from nontrivial.claims.registry import load_claims
from nontrivial.claims.verdict import GROUPS

SHIPPED = Path(__file__).parents[2] / "config" / "claims"
COUNT = {"numbers": {"options": 3}}
SOURCES = {"paper": {"title": "A paper", "address": "https://example.org/paper"}}


def entry(**changes):
    claim = {
        "id": "a-claim",
        "anchor": "a third of the marks",
        "statement": "Guessing among three options is right in a third of the cases.",
        "kind": "number",
        "over": COUNT,
        "claim": "1/options == 0.3333",
    }
    return {key: value for key, value in (claim | changes).items() if value is not None}


def registry(*entries, **file):
    """A registry in one file, of one section."""
    return {
        "sources": SOURCES,
        "studies": {"small": "make small"},
        "source": "paper",
        "sections": [{"section": "Section 1", "claims": [*entries]}],
    } | file


@pytest.fixture
def load(tmp_path):
    def write_and_load(content):
        path = tmp_path / "paper.yaml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
        return load_claims(tmp_path)

    return write_and_load


def test_a_claim_is_read(load):
    (claim,) = load(registry(entry(note="read so")))
    assert (claim.source, claim.section, claim.locator, claim.place) == ("paper", "Section 1", "Section 1", 1)
    assert (claim.stated, claim.tolerance, claim.note, claim.data) == (claim.claim, "rounded", "read so", ())
    (claim,) = load(registry(entry(given=["options > 1", "options < 9 or options > 9"])))
    assert claim.stated.endswith(" if options > 1 and (options < 9 or options > 9)")
    (claim,) = load(registry(entry(locator="Sections 1 and 2")))
    assert (claim.section, claim.locator) == ("Section 1", "Sections 1 and 2")


def test_what_a_document_presupposes_has_its_place(load):
    presupposed = {"Section 2, the definition": ["options > 1"]}
    given = entry(given=["options > 1", "options < 9"], figure=4)
    (claim,) = load(registry(given, presupposed=presupposed))
    assert claim.presupposed == {"options > 1": "Section 2, the definition"}
    assert claim.figure == 4
    (claim,) = load(registry(entry(), sections=[{"section": "Figure 3", "figure": 3, "claims": [entry()]}]))
    assert (claim.figure, claim.presupposed) == (3, {})


def test_a_study_is_replaced_by_its_command_and_its_files_are_the_data(load):
    run = {"selection": "openml/selection.json", "table": "tables/a.csv", "task": 1, "run": 2}
    over = {"archived run": run}
    (claim,) = load(registry(entry(over=over, claim="y == 0.3", study="small")))
    assert claim.data == ("tables/a.csv", "openml/selection.json")
    assert claim.command == "make small"


def test_main_claims_come_first_then_each_document_in_its_order(load, tmp_path):
    second = {
        "source": "note",
        "sections": [
            {"section": "B", "claims": [entry(id="note-z")]},
            {"section": "A", "claims": [entry(id="note-a"), entry(id="note-main", main=True)]},
        ],
    }
    (tmp_path / "a_note.yaml").write_text(yaml.safe_dump(second, sort_keys=False))
    content = registry(
        entry(id="paper-y"),
        entry(id="paper-main", main=True),
        entry(id="paper-x"),
        sources=SOURCES | {"note": {"title": "A note"}},
    )
    order = ["paper-main", "note-main", "paper-y", "paper-x", "note-z", "note-a"]
    assert [claim.id for claim in load(content)] == order


ROW = {"row": {"table": "a.csv", "where": {}}}
WRONG = [
    ({"kind": "numbr"}, "kind is 'numbr'; it must be one of number, lemma, inequality, order, experiment"),
    ({"claim": 0.33}, "'0.33' is a number; a condition such as f1 <= recall is needed."),
    ({"tolerance": "loose"}, "tolerance is 'loose'; it must be exact, or rounded"),
    ({"study": "large"}, "study is 'large'; known under 'studies': small."),
    ({"over": None}, "the keys 'over' and 'claim' are needed;"),
    ({"because": "it is old."}, "what no computation settles has the key 'because'"),
    ({"anchor": "one two three four five six seven"}, "must be up to six of the document's words"),
    ({"kind": "misprint"}, "the key 'holds_if' is missing; a misprint has the right form there."),
    ({"steps": [{"statement": "So.", "claim": "option > 1"}]}, "'option' is unknown; known about numbers: options."),
    ({"holds_if": {"statement": "So.", "as": "taste"}}, "holds_if.as is 'taste'; it must be scope or strength"),
    ({"claim": "swap(options) == 3"}, "swap() is for measures of a confusion table."),
    ({"over": "tables", "claim": "1 < 2"}, "'1 < 2' has no name of what it is about"),
    ({"over": "tables", "claim": "f_beta(n) < 1"}, "f_beta(n) is not allowed; beta is a number such as 2, 0.5 or"),
    ({"over": "pairs of tables", "claim": "f_beta(2) < 1"}, "did you mean f_beta_2(2) or f_beta_1(2)"),
    ({"over": "tables", "claim": "tp > 0", "given": ["sometimes(tp > 0)"]}, "sometimes(...) is for 'claim' alone"),
    ({"define": {"share": "1/parts"}}, "'parts' is unknown, or defined by itself; known: options."),
    ({"define": {"options": "4"}}, "'options' is defined twice; once is allowed."),
    ({"over": "table", "claim": "f1 <= 1"}, "'over' is 'table'; it must be one of tables, pairs of tables,"),
    ({"over": "tables", "claim": "f1 <= 1", "define": {"x": "1"}}, "'define' is for numbers and studies"),
    ({"over": "tables", "claim": "mcc < 1"}, "'mcc' is unknown; about tables, did you mean matthews_corrcoef"),
    ({"over": [3]}, "over is [3]; it must be what the claim is about, such as tables"),
    ({"over": "tables", "claim": "recall = 1"}, "'recall = 1' has a single =; write == to compare."),
    ({"over": {"rankings": {"size": 4}}, "claim": "ties == 0"}, "'over' gives rankings size; it must be {rankings: {"),
    ({"over": {"row": {"where": {}}}, "claim": "x == 1"}, "'over' gives row where; it must be {row: {table: ...}}"),
    ({"over": "row", "claim": "x == 1"}, "'over' gives row no parameter; it must be {row: {table: ...}}, with where,"),
    ({"over": {"numbers": {}}}, "'over' names no number; write some, such as {numbers: {k: 0..50}}."),
    ({"over": ROW, "claim": "x == 1"}, "the key 'study' is missing, as it reads results."),
    ({"over": ROW, "claim": "x < 1", "study": "small", "exactly_when": "x == 2"}, "'exactly_when' is for claims"),
    ({"over": {"numbers": {"options": "1..3", "n": 4}}}, "'1..3' is not a printed number"),
    ({"over": {"numbers": {"options": "3..1"}}}, "a range of 'numbers' is empty"),
    ({"over": {"numbers": {"options": "1..2000000"}}}, "the ranges have more than 1,000,000 combinations."),
]  # fmt: skip


def test_a_part_takes_from_its_claim_what_it_lacks(load):
    parts = {
        "holds_if": {"statement": "So.", "claim": "half == 1/6", "as": "scope"},
        "steps": [{"statement": "Else.", "over": "tables", "claim": "tp >= 0"}],
    }
    (claim,) = load(registry(entry(define={"half": "1/(2*options)"}, note="read so", **parts)))
    repaired, step = claim.parts
    assert (repaired.id, repaired.over, repaired.define) == ("a-claim-holds-if", COUNT, claim.define)
    assert (step.id, step.statement, step.over, step.define) == ("a-claim-step-1", "Else.", "tables", {})
    assert (repaired.note, repaired.holds_if, step.steps) == ("", {}, ())


@pytest.mark.parametrize(("changes", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(load, changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)) as error:
        load(registry(entry(id="printed"), entry(**changes)))
    text = str(error.value)
    assert re.match(r"\S*paper\.yaml, line [0-9]+: claim 'a-claim': ", text)
    assert "\n" not in text
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("sections: [", "paper.yaml, line"),
        ("sources: {}\nsources: {}\n", "line 1: the key 'sources' is given twice."),
        (
            registry(entry(), source="book"),
            "line 7: it has the source 'book'; name one that 'sources' describes: paper.",
        ),
        (registry(), "sections.0.claims is []; it must be a list of at least one claim."),
        (registry(entry(), {"statement": "S."}), "claim number 2: the key id is missing; it is lower-case words"),
        (registry(entry(id="A b")), "claim 'A b': id is 'A b'; it must be lower-case words"),
        (registry(entry(), 3), "line 19: claim number 2: it is 3; it must be a mapping with an id."),
        (registry(entry(), entry()), "claim 'a-claim': it has an id that another claim has; each id is"),
        (registry(sources={"paper": {"title": "A", "address": "x"}}), "address is 'x'; it must be a DOI"),
    ],
)
def test_a_file_that_is_no_registry_is_named(load, content, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        load(content)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"sources": SOURCES}, "another file has 'paper' under sources, too"),
        ({"source": "paper", "sections": registry(entry())["sections"]}, "an id that another claim has"),
    ],
)
def test_what_two_files_say_is_named_in_the_second(load, tmp_path, other, sentence):
    (tmp_path / "second.yaml").write_text(yaml.safe_dump(other))
    with pytest.raises(ValueError, match=rf"second\.yaml.*: .*{sentence}; each .*is allowed once"):
        load(registry(entry()))


def test_a_folder_without_claims_is_named(load, tmp_path):
    with pytest.raises(ValueError, match="absent cannot be read: No such file"):
        load_claims(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="empty holds no claims; at least one is needed"):
        load_claims(tmp_path / "empty")
    with pytest.raises(ValueError, match="holds no claims"):
        load({"sources": SOURCES})


def test_every_name_has_a_line_that_says_what_it_is():
    for over, names in known_names().items():
        assert all(names.values()), over
    lines = known_names()
    assert {*TABLE_NAMES} <= {name for over, names in lines.items() if over.startswith("tables") for name in names}
    assert lines["forecasts"].keys() == FORECAST_QUANTITIES.keys()


# The registry that ships.


def test_every_entry_of_a_document_can_be_found_in_it(shipped):
    """By an anchor; an opinion may go without, what is our own does."""
    assert [claim.id for claim in shipped if not claim.anchor and claim.kind != "opinion" and not claim.beyond] == []


def test_what_the_documents_presuppose_is_given_to_claims_as_printed(shipped):
    for path in SHIPPED.glob("*.yaml"):
        part = yaml.safe_load(path.read_text(encoding="utf-8"))
        listed = {text for texts in part.get("presupposed", {}).values() for text in texts}
        printed = (claim for claim in shipped if claim.source == part.get("source"))
        assert listed <= {text for claim in printed for part in (claim, *claim.parts) for text in part.given}, path.name


def test_stored_claims_are_the_claims_and_each_group_has_some(shipped):
    assert {claim.group for claim in shipped} == set(GROUPS)
    for claim in shipped:
        assert Claim(**json.loads(json.dumps(claim.to_json()))).to_json() == claim.to_json()
