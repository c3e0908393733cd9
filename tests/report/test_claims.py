"""A claim shows what is stated and found, its case, its data and where it leads; numbers stand on one axis."""

import io
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from report.elements import claim_of, parse, texts
from report.small_results import FOUND, SOURCES, make_claim, write_claims

from nontrivial.claims import sentences
from nontrivial.claims.language.numbers import PrintedNumber
from nontrivial.claims.verdict import ExactlyWhen, NumberFinding
from nontrivial.files import write_json
from nontrivial_study.report.claims import ShownClaim, pair_numbers
from nontrivial_study.report.page import render_page

FAILS = FOUND["contradicted"][1]  # what is found of a claim about tables that fails


def test_a_contradicted_claim_is_open_with_the_link_that_breaks_in_numbers(results):
    order = replace(FAILS, domain={"over": "tables", "cases": 12}, witness=(1, 1, 0, 0))
    write_claims(
        results, [make_claim("contradicted", order, claim="cohen_kappa <= f1 <= balanced_accuracy", over="tables")]
    )
    article = claim_of(parse(render_page(results, {})), "pa-exam")
    assert "open" in article.attributes
    assert texts(article.all(data_field="link")) == ["f1 2/3 > balanced_accuracy 1/2"]
    assert article.all("code")


def test_a_claim_shows_what_is_stated_and_found_and_how_to_redo_it(results):
    article = claim_of(parse(render_page(results, {})), "pa-order")
    fields = {dd.attributes["data-field"]: " ".join(dd.text.split()) for dd in article.all("dd")}
    assert fields["stated"] == "prediction_advantage ≤ cohen_kappa"
    assert fields["found"] == sentences.finding_text(FAILS)
    assert fields["domain"] == sentences.domain_text(FAILS.domain)
    assert fields["command"] == "nontrivial verify --deep --claim pa-order"
    assert article.one("a", href="../claims/pa-order.json").text == "claims/pa-order.json"


def test_a_counterexample_is_a_labelled_confusion_table(results):
    shown = claim_of(parse(render_page(results, {})), "pa-order").one(data_field="witness")
    rows = [texts(child for child in row.children if not isinstance(child, str)) for row in shown.all("tr")]
    assert rows == [
        ["", "called positive", "called negative"],
        ["positive", "TP 5", "FN 6"],
        ["negative", "FP 4", "TN 7"],
    ]
    assert "There cohen_kappa = 1/3" in " ".join(shown.text.split())


def decided(over, witness, **fields):
    return replace(FAILS, domain={"over": over, "cases": 8}, witness=witness, **fields)


def test_a_case_of_two_tables_shows_both(results):
    finding = decided("pairs of tables", tuple(range(8)))
    write_claims(results, [make_claim("contradicted", finding, over="pairs of tables", claim="f1_1 < f1_2")])
    tables = parse(render_page(results, {})).one(data_field="witness").all("table")
    assert texts(table.one("caption") for table in tables) == [
        "Smallest counterexample, first table",
        "Smallest counterexample, second table",
    ]
    assert [texts(table.all("b")) for table in tables] == [["1", "2", "0", "3"], ["5", "6", "4", "7"]]


@pytest.mark.parametrize(
    ("fields", "heading"), [({"status": "shown"}, "Example"), ({"smallest": False}, "Counterexample")]
)
def test_a_case_says_what_it_is_of(results, fields, heading):
    relation = "sometimes(f1 > p4)" if "status" in fields else "f1 > p4"
    write_claims(results, [make_claim("contradicted", replace(FAILS, **fields), claim=relation)])
    assert parse(render_page(results, {})).one(data_field="witness").one("caption").text == heading


@pytest.mark.parametrize("status", ["proved", "searched", "sufficient"])
def test_a_claim_that_fails_says_where_it_holds(results, status):
    where = ExactlyWhen("recall <= specificity", status, met=10, wrong=0, holds=20)
    write_claims(results, [make_claim("contradicted", replace(FAILS, exactly_when=where))])
    (condition,) = texts([claim_of(parse(render_page(results, {})), "pa-exam").one(data_field="condition")])
    assert condition == sentences.holds_text(where).replace("<=", "≤")


@pytest.mark.parametrize("where", [None, ExactlyWhen("recall <= specificity", "refuted", 10, 5, 20)])
def test_where_no_condition_is_known_none_is_said(results, where):
    write_claims(results, [make_claim("contradicted", replace(FAILS, exactly_when=where))])
    assert parse(render_page(results, {})).all(data_field="condition") == []


def test_a_claim_names_its_data_with_their_digests(results):
    data = claim_of(parse(render_page(results, {})), "prg-ranks").one("dd", data_field="data")
    assert data.one("a").attributes["href"] == "../tables/curve_areas.csv"
    assert data.one("code").text == "sha256 " + "ab" * 32


def test_long_numbers_are_cut_off_and_kept_in_full(results):
    write_claims(results, [make_claim(finding=NumberFinding(*[Fraction(7, 15)] * 3), claim="x == 0.47")])
    page = parse(render_page(results, {}))
    assert page.one("dd", data_field="found").text == "0.4666… (7/15)"
    assert page.one("dd", data_field="found-in-full").text == "0.466666666667 (7/15)"


def test_no_number_has_more_than_four_digits_until_its_evidence_is_asked_for(results):
    """Whole numbers are counts."""
    long, stated = Fraction(9, 34), "x == 0.2647"
    write_claims(
        results,
        [
            make_claim(finding=NumberFinding(*[long] * 3), claim=stated),
            make_claim("contradicted", NumberFinding(*[long] * 3), id="b", claim="x == 0.2748"),
            make_claim("caveat", NumberFinding(long, long / 3, Fraction(94952, 7)), id="c", claim=stated),
            make_claim(id="d", claim="not (0.27415 <= error_rate <= 0.27425)", finding=FAILS, over="tables"),
        ],
    )
    folder = Path(__file__).parents[2] / "src"
    captions = {path.stem: path.read_text() for path in folder.rglob("captions/*.rst")}
    page = parse(render_page(results, captions))
    long_ones = [
        number
        for text, ancestors in page.one("body").texts()
        if not any(
            element.tag in ("code", "script") or element.attributes.get("class") == "evidence" for element in ancestors
        )
        for number in re.findall(r"(?<![\w./:-])\d+\.\d+(?!\.?[\w/])", text)
        if len(number.replace(".", "").lstrip("0")) > 4
    ]
    assert long_ones == []
    in_full = [field.text for field in page.all("dd", data_field="found-in-full")]
    assert in_full[0] == "0.264705882353 (9/34)"


def test_every_printed_number_stands_beside_the_one_found(results):
    claims = [
        make_claim(id="same", place=1),
        make_claim("contradicted", NumberFinding(*[Fraction(26580)] * 3), id="slip", claim="x == 25980", place=2),
    ]
    write_claims(results, claims)
    rows = parse(render_page(results, {})).one("table", **{"class": "forest"}).one("tbody").all("tr")
    assert [row.one("a").attributes["href"] for row in rows] == ["#claim-slip", "#claim-same"]
    assert [texts(row.all("td", **{"class": "number"})) for row in rows] == [["25980", "26580"], ["0.4", "0.4"]]


def test_evidence_that_is_not_there_is_no_link(results):
    (results / "claims" / "pa-exam.json").unlink()
    evidence = claim_of(parse(render_page(results, {})), "pa-exam").one("dd", data_field="evidence")
    assert evidence.all("a") == []
    assert "file not there" in evidence.text


def test_documents_stand_in_their_order_and_what_none_states_last(results):
    names = ["another", "tutorial", "P4 article", "PRG paper", "PA paper"]
    claims = [make_claim(id=f"claim-{number}", source=name) for number, name in enumerate(names)]
    write_claims(results, [make_claim(id="ours", beyond=True), *claims])
    page = parse(render_page(results, {}, SOURCES))
    folds = page.all("details", **{"class": "document"})
    documents = [*reversed(names), "Beyond the documents"]
    assert [fold.attributes["data-source"] for fold in folds] == documents
    assert texts(page.one("div", **{"class": "matrix"}).all("h2"))[3].startswith("Tutorial")


def test_a_claim_leads_to_its_document_figure_and_table(results):
    read = make_claim(
        "not_evaluated", id="read", data=["tables/curve_areas.csv"], locator="Section 5, Figure 1", place=1
    )
    write_claims(results, [read, make_claim(id="alone", place=2)])
    (results / "report").mkdir()
    write_json(results / "report" / "about.json", {"version": "9.9"})
    page = parse(render_page(results, {}, {"PA paper": {"title": "A title", "address": "https://doi.org/10.1/x"}}))
    leads = ["https://doi.org/10.1/x", "#figure-pa_figure_1", "#section-curve_areas"]
    for name, addresses in (("read", leads), ("alone", leads[:1])):
        places = claim_of(page, name).one("p", **{"class": "places"})
        assert [link.attributes["href"] for link in places.all("a")] == [*addresses, f"#claim-{name}"]
    assert "9.9" in page.one("header").text


def test_an_entry_says_where_it_stands(results):
    write_claims(results, [make_claim(section="Proofs", locator="Lemma 1", anchor="is strictly lower")])
    page = parse(render_page(results, {}))
    assert page.one(data_field="locator").text == "Lemma 1"
    assert page.one(data_field="anchor").text == "is strictly lower"


def shown(digits, value, low, high, verdict="reproduced", group="claim"):
    record = {"id": f"is-{digits}", "statement": "It is.", "verdict": verdict, "group": group}
    return ShownClaim(
        record,
        "",
        "",
        "",
        printed=PrintedNumber.parse(digits),
        number=NumberFinding(*map(Fraction, (value, low, high))),
    )


def test_numbers_lie_on_the_axis_and_what_leaves_it_says_where():
    pairs = pair_numbers(
        [
            shown("0.35", "0.35", "0.35", "0.35"),
            shown("-0.13", "-2/15", "-2", "1/18", "caveat"),
            shown("25980", "26580", "26580", "26580", "contradicted"),
        ],
        {},
    )
    assert [pair.verdict for pair in pairs] == ["caveat", "contradicted", "reproduced"]
    assert [(pair.leaves, pair.relative) for pair in pairs] == [("left", False), ("", True), ("", False)]
    assert pairs[0].marks["low"] == 0
    assert pairs[1].marks["stated"] == round(100 * 1.4 / 1.5, 2)
    assert set(pairs[2].marks.values()) == {50}
    assert [(pair.stated, pair.found) for pair in pairs] == [("-0.13", "-0.1333"), ("25980", "26580"), ("0.35", "0.35")]


def test_the_papers_ranks_stand_beside_ours_without_a_verdict():
    text = "pair,rank_correlation,rank_correlation_low,rank_correlation_high,paper_rank_correlation"
    text += ",top1_disagreement,paper_top1_disagreement,top3_disagreement,paper_top3_disagreement\n"
    ranks = pd.read_csv(
        io.StringIO(text + "pr_auc/prg_auc,0.97152,0.95,0.99,0.95,,0.24,,0.58\n"), dtype=str, keep_default_na=False
    )
    (pair,) = pair_numbers([], {"rank_disagreement": ranks})
    assert (pair.label, pair.verdict, pair.stated, pair.found) == (
        "AUPR and AUPRG: correlation of the ranks",
        "",
        "0.95",
        "0.9715",
    )
