"""The page: what it says, what it says when things are absent, and that nothing from the data becomes markup."""

import base64
import hashlib
import json
import re
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from report.small_results import EVIL, FOUND

from nontrivial.claims import sentences, verdict
from nontrivial.claims.found import Absent, ExactlyWhen, Number
from nontrivial.files import DamagedFile
from nontrivial.records import read_record, write_record
from nontrivial.report.claims import VERDICTS, read_claims
from nontrivial.report.page import render_page

FAILS = FOUND["contradicted"][1]  # what is found of a claim about tables that fails


def texts(elements):
    return [" ".join(element.text.split()) for element in elements]


# What it says


def test_claims_stand_by_document_and_verdict(results, parse):
    page = parse(render_page(results, {}))
    documents = page.all("section", **{"class": "document"})
    assert [document.attributes["data-source"] for document in documents] == ["PA paper", "PRG paper"]
    groups = [
        (group.attributes["data-verdict"], len(group.all("article"))) for group in documents[0].all("section")
    ]
    assert groups == [("contradicted", 2), ("reproduced", 1)]  # one of them the repaired reading of the other


def test_claims_of_a_verdict_stand_in_the_order_of_the_records(results, claim, write_claims, parse):
    write_claims(results, [claim(id=name) for name in ("b", "c", "a")])
    articles = parse(render_page(results, {})).all("article")
    assert [article.attributes["id"] for article in articles] == ["claim-b", "claim-c", "claim-a"]


def test_a_claim_shows_stated_beside_found_and_how_to_redo_it(results, parse):
    article = parse(render_page(results, {})).one("article", id="claim-pa-order")
    beside = article.one("dl", **{"class": "beside"})
    fields = {dd.attributes["data-field"]: " ".join(dd.text.split()) for dd in article.all("dd")}
    assert [dd.attributes["data-field"] for dd in beside.all("dd")] == ["stated", "found"]
    assert fields["stated"] == "prediction advantage ≤ cohen kappa"
    assert fields["found"] == sentences.found_text(FAILS)
    assert fields["domain"] == sentences.domain_text(FAILS.domain)
    assert fields["command"] == "nontrivial verify --deep --claim pa-order"
    assert article.one("a", href="../claims/pa-order.json").text == "claims/pa-order.json"
    assert article.one("h5").text == "A grade of 60 with three options is an advantage of 0.4."


def test_a_counterexample_is_a_labelled_confusion_table(results, parse):
    shown = parse(render_page(results, {})).one("article", id="claim-pa-order").one(data_field="witness")
    rows = [texts(child for child in row.children if not isinstance(child, str)) for row in shown.all("tr")]
    assert rows == [
        ["", "called positive", "called negative"],
        ["positive", "TP 5", "FN 6"],
        ["negative", "FP 4", "TN 7"],
    ]
    assert "There cohen kappa = 1/3" in " ".join(shown.text.split())


def decided(over, witness, **fields):
    return replace(FAILS, domain={"over": over, "cases": 8}, witness=witness, **fields)


def test_a_case_of_two_tables_shows_both(results, claim, write_claims, parse):
    write_claims(results, [claim("contradicted", decided("pairs of tables", tuple(range(8))))])
    tables = parse(render_page(results, {})).one(data_field="witness").all("table")
    assert texts(table.one("caption") for table in tables) == [
        "Smallest counterexample, first table",
        "Smallest counterexample, second table",
    ]
    assert [texts(table.all("b")) for table in tables] == [["1", "2", "0", "3"], ["5", "6", "4", "7"]]


def test_a_case_of_another_kind_is_said_in_words(results, claim, write_claims, parse):
    write_claims(results, [claim("contradicted", decided("rankings", (1, 0, 1, 2)))])
    shown = parse(render_page(results, {})).one(data_field="witness")
    assert shown.all("table") == []
    assert shown.all("b")[0].text == sentences.witness_text({"over": "rankings"}, (1, 0, 1, 2)) != ""


@pytest.mark.parametrize(
    ("fields", "heading"),
    [({"status": "shown"}, "Example"), ({"smallest": False}, "Counterexample")],
)
def test_a_case_says_what_it_is_of(results, claim, write_claims, parse, fields, heading):
    relation = "sometimes(f1 > p4)" if "status" in fields else "f1 > p4"
    write_claims(results, [claim("contradicted", replace(FAILS, **fields), claim=relation)])
    assert parse(render_page(results, {})).one(data_field="witness").one("caption").text == heading


@pytest.mark.parametrize("status", ["proved", "searched", "sufficient"])
def test_a_claim_that_fails_says_where_it_holds(results, claim, write_claims, parse, status):
    where = ExactlyWhen("recall <= specificity", status, met=10, wrong=0, holds=20)
    write_claims(results, [claim("contradicted", replace(FAILS, exactly_when=where))])
    (said,) = texts([parse(render_page(results, {})).one("article").one(data_field="condition").one("b")])
    assert said == sentences.holds_text(where).replace("<=", "≤")


@pytest.mark.parametrize("where", [None, ExactlyWhen("recall <= specificity", "refuted", 10, 5, 20)])
def test_where_no_condition_is_known_none_is_said(results, claim, write_claims, parse, where):
    write_claims(results, [claim("contradicted", replace(FAILS, exactly_when=where))])
    assert parse(render_page(results, {})).all(data_field="condition") == []


def test_a_claim_names_its_data_with_their_digests(results, parse):
    data = parse(render_page(results, {})).one("article", id="claim-prg-ranks").one("dd", data_field="data")
    assert data.one("a").attributes["href"] == "../tables/curve_areas.csv"
    assert data.one("code").text == "sha256 " + "ab" * 32


def test_long_numbers_are_cut_off_and_kept_in_full(results, claim, write_claims, parse):
    write_claims(results, [claim(found=Number(*[Fraction(7, 15)] * 3), claim="x == 0.47")])
    article = parse(render_page(results, {})).one("article")
    assert article.one("dd", data_field="found").text == "0.4666… (7/15)"
    assert article.one("dd", data_field="found-in-full").text == "0.466666666667 (7/15)"


def test_a_repaired_reading_stands_beside_what_it_repairs(results, parse):
    page = parse(render_page(results, {}))
    article = page.one("article", id="claim-pa-order-repaired")
    assert article.one("dd", data_field="repairs").one("a").attributes["href"] == "#claim-pa-order"
    (beside,) = [div for div in article.ancestors() if div.attributes.get("class") == "under"]
    assert beside.parent.one("article", id="claim-pa-order").parent is beside.parent


def test_proof_steps_fold_under_their_lemma(results, claim, write_claims, parse):
    steps = [claim(id="step", step_of="lemma"), claim(id="substep", step_of="step")]
    write_claims(results, [claim(id="lemma"), *steps])
    page = parse(render_page(results, {}))
    folds = [
        [
            fold.all("summary")[0].text
            for fold in page.one("article", id=f"claim-{name}").ancestors()
            if fold.tag == "details"
        ]
        for name in ("lemma", "step", "substep")
    ]
    assert folds == [
        [],
        ["1 proof step of lemma: 1 reproduced"],
        ["1 proof step of step: 1 reproduced", "1 proof step of lemma: 1 reproduced"],
    ]


@pytest.mark.parametrize("above", ["repairs", "step_of"])
def test_an_entry_of_one_that_is_not_there_is_refused(results, claim, write_claims, above):
    write_claims(results, [claim(**{above: "gone"})])
    with pytest.raises(ValueError, match=f"'pa-exam' has {above} 'gone'"):
        render_page(results, {})


def test_an_entry_says_where_it_stands(results, claim, write_claims, parse):
    write_claims(results, [claim(section="Proofs", locator="Lemma 1", anchor="is strictly lower")])
    article = parse(render_page(results, {})).one("article")
    where = {name: article.one(data_field=name).text for name in ("section", "locator", "anchor")}
    assert where == {"section": "Proofs", "locator": "Lemma 1", "anchor": "is strictly lower"}


def test_a_document_has_its_title_and_address(results, parse):
    sources = {
        "PA paper": {"title": "A title", "address": "https://example.org/1"},
        "PRG paper": {"title": EVIL},
    }
    page = parse(render_page(results, {}, sources))
    pa, prg = (
        section.one("p", **{"class": "source"}) for section in page.all("section", **{"class": "document"})
    )
    assert "A title" in pa.text
    assert pa.one("a").attributes["href"] == pa.one("a").text == "https://example.org/1"
    assert prg.text == EVIL


def test_the_summary_says_whether_the_main_claims_hold(results, claim, write_claims, parse):
    where = ExactlyWhen("tp > 0", "proved", met=10, wrong=0, holds=10)
    claims = [
        claim("contradicted", replace(FAILS, exactly_when=where), id="b", main=True),
        claim(id="a", statement="It is so.", main=True),
        claim("not_evaluated", Absent("opinion", {"because": "of taste"}), id="c", main=True),
        claim(id="d", source="PRG paper", main=True),
        claim(id="other"),
    ]
    write_claims(results, claims)
    page = parse(render_page(results, {}))
    section = page.one("section", id="main-claims")
    assert section in page.one("section", id="summary").children
    assert texts(section.all("h4")) == ["PA paper", "PRG paper"]
    # What fails first, then what holds, last what is open.
    assert [item.attributes["data-main"] for item in section.all("li")] == ["b", "a", "c", "d"]
    assert [item.one("a").attributes["href"] for item in section.all("li")] == [
        f"#claim-{name}" for name in "bacd"
    ]
    fails, holds, open_, _ = texts(section.all("li"))
    assert "It is so." in holds
    assert "0.4" in holds
    assert sentences.holds_text(where) in fails
    assert "of taste" in open_


def test_without_main_claims_the_summary_has_no_such_section(results, parse):
    assert parse(render_page(results, {})).all("section", id="main-claims") == []


def counts_of(page):
    """The rows of the table of counts, by their headings."""
    rows = page.one("table", id="counts").all("tr")[1:]
    return {row.one("th").text: [int(cell.text.split(" ", 1)[0]) for cell in row.all("td")] for row in rows}


def test_counts_add_up(results, claim, write_claims, parse):
    claims = [
        *(claim("contradicted", id=f"fails-{number}") for number in range(3)),
        claim(id="holds"),
        claim(id="prg", source="PRG paper"),
        claim(id="defined", kind="definition"),
        claim("caveat", id="a-step", step_of="holds"),
        claim("not_evaluated", id="another-step", step_of="holds"),
        claim(id="repaired", repairs="fails-0"),
        claim("caveat", id="elsewhere", kind="replication"),
        claim(id="ours", beyond=True),
        claim("contradicted", id="ours-too", beyond=True),
    ]
    write_claims(results, claims)
    page = parse(render_page(results, {}))
    assert counts_of(page) == {
        "PA paper": [3, 0, 1, 0, 4],
        "PRG paper": [0, 0, 1, 0, 1],
        "The documents": [3, 0, 2, 0, 5],
        "Definitions": [0, 0, 1, 0, 1],
        "Proof steps": [0, 1, 0, 1, 2],
        "Repairs": [0, 0, 1, 0, 1],
        "Replications on other data": [0, 1, 0, 0, 1],
        "Beyond the documents": [1, 0, 1, 0, 2],
        "All entries": [4, 2, 5, 1, 12],
    }
    said = [int(number) for number in re.findall(r"\d+", page.one("p", id="entries").text)]
    assert said == [5, 3, 0, 2, 0, 1, 2, 1, 1, 2, 12]
    assert len(page.all("article")) == 12
    for group in page.all("section", **{"class": "group"}):
        of_group = group.all("article", data_group=group.attributes["data-group"])
        assert group.one("span", **{"class": "count"}).text == str(len(of_group))


def test_documents_stand_in_one_order(results, claim, write_claims, parse):
    names = [f"document {letter}" for letter in "hbgdcfae"]
    write_claims(results, [claim(id=f"claim-{name[-1]}", source=name) for name in names])
    page = parse(render_page(results, {}))
    assert list(counts_of(page))[:8] == ["Document " + name[-1] for name in sorted(names)]
    assert [
        section.attributes["data-source"] for section in page.all("section", **{"class": "document"})
    ] == sorted(names)


def test_known_documents_come_first_in_their_order(results, claim, write_claims, parse):
    names = ["another", "tutorial", "P4 article", "PRG paper", "PA paper"]
    write_claims(results, [claim(id=f"claim-{number}", source=name) for number, name in enumerate(names)])
    headings = list(counts_of(parse(render_page(results, {}))))
    assert headings[:5] == ["PA paper", "PRG paper", "P4 article", "Tutorial", "Another"]


def test_what_no_document_states_stands_last(results, claim, write_claims, parse):
    claims = [claim(id="a", beyond=True), claim(id="b"), claim(id="c", source="zine")]
    write_claims(results, claims)
    page = parse(render_page(results, {}))
    groups = page.one(id="claim-list").all("section", **{"class": "group"})
    assert [group.attributes["data-group"] for group in groups] == ["claim", "claim", "beyond"]
    (article,) = groups[-1].all("article")
    assert article.attributes["data-source"] == "beyond"
    assert "PA paper, Section 5" in texts([article])[0]
    options = [option.attributes["value"] for option in page.one("select", id="claim-source").all("option")]
    assert options == ["", "PA paper", "zine", "beyond"]


def test_without_theorems_of_our_own_there_is_no_place_for_them(results, parse):
    page = parse(render_page(results, {}))
    assert page.all(id="claims-beyond") == []
    assert page.all("option", value="beyond") == []


def test_the_legend_lists_every_cause_of_a_caveat(results, parse):
    causes = texts(parse(render_page(results, {})).one("ul", id="caveats").all("li"))
    assert causes == [sentences.REASONS[code] for code in sentences.CAVEATS]


def test_counts_lead_to_their_claims(results, parse):
    page = parse(render_page(results, {}))
    cell = page.one("table", id="counts").all("td", data_verdict="contradicted")[0]
    group = page.one("section", id=cell.one("a").attributes["href"].removeprefix("#"))
    assert [article.attributes["id"] for article in group.all("article", data_group="claim")] == [
        "claim-pa-order"
    ]
    assert texts([cell]) == ["1 contradicted, PA paper"]


def test_every_verdict_of_the_audit_has_a_name():
    assert set(VERDICTS) == set(verdict.VERDICTS)


def test_failed_runs_are_counted_with_their_reasons(results, parse):
    page = parse(render_page(results, {}))
    assert texts([page.one("li", id="fact-failed")]) == ["1 of 3 runs failed"]
    assert page.one("p", id="failed-count").text.startswith("1 of 3 runs failed.")
    rows = page.one("table", id="table-failed-runs").one("tbody").all("tr")
    assert [texts(row.all("td")) for row in rows] == [
        ["curve_areas", "wdbc", "stump", "failed in fold 3: ValueError: one class only"]
    ]
    by_model = page.one("table", id="table-failed-by-model").one("tbody").one("tr")
    assert texts(by_model.all("td")) == ["stump", "1"]


def test_no_failed_run_is_said_too(results, parse):
    (results / "tables" / "curve_areas.csv").write_text("task,model,roc_auc,status\nwdbc,forest,0.9,ok\n")
    page = parse(render_page(results, {}))
    assert page.one("p", id="failed-count").text.startswith("0 of 1 runs failed.")
    assert page.all("table", id="table-failed-runs") == []


def test_points_without_value_are_counted_with_their_reasons(results, parse):
    page = parse(render_page(results, {}))
    assert page.one("p", id="missing-count").text.startswith("2 of 3 points")
    rows = page.one("table", id="table-missing-points").one("tbody").all("tr")
    assert [texts(row.all("td"))[3:] for row in rows] == [
        ["0.2", "0.05", "all", "impossible: too many flips"],
        ["0.2", "0.5", "p4", "undefined (0/0) in every test set"],
    ]


def test_no_point_without_value_is_said_too(results, parse):
    path = results / "tables" / "imbalance_noise.csv"
    lines = [line for line in path.read_text().splitlines() if ",," not in line]
    path.write_text("\n".join(lines) + "\n")
    assert parse(render_page(results, {})).one("p", id="missing-count").text.startswith("0 of 2 points")


def test_figures_are_embedded_with_caption_and_links(results, parse):
    caption = "Two\nlines & a heading.\n\nMore\nwords."
    figure = parse(render_page(results, {"pa_figure_1": caption})).one("figure", id="figure-pa_figure_1")
    kind, data = figure.one("img").attributes["src"].split(",", 1)
    assert kind == "data:image/svg+xml"
    assert unquote(data) == (results / "figures" / "pa_figure_1.svg").read_text()
    assert figure.one("p", **{"class": "kicker"}).text == "PA paper, Figure 1"
    assert figure.one("h3").text == "Two lines & a heading"
    assert "More words." in figure.one("figcaption").text
    links = [link.attributes["href"] for link in figure.all("a")]
    assert links == [f"../figures/pa_figure_1.{ending}" for ending in ("svg", "pdf", "png", "csv")]


def test_every_table_is_there_with_link_and_caption(results, parse):
    page = parse(render_page(results, {"curve_areas": "All the areas.\n\nThey are signed."}))
    section = page.one("section", id="section-curve_areas")
    assert section.one("h3").text == "All the areas"
    assert "They are signed." in section.text
    assert section.one("a").attributes["href"] == "../tables/curve_areas.csv"
    cell = section.one("td", title="0.987654321")
    assert cell.text == "0.9877"
    headings = section.one("table").one("thead").all("th")
    assert texts(headings) == ["task", "model", "roc_auc", "status"]
    assert ["data-numeric" in heading.attributes for heading in headings] == [False, False, True, False]


def test_data_sets_are_described(results, parse):
    table = parse(render_page(results, {})).one("table", id="table-datasets")
    assert texts(table.one("tbody").all("td")) == [
        "wdbcBreast Cancer",
        "569",
        "30",
        "benign: 357, malignant: 212positive: malignant",
        "scikit-learn, UCI 17CC BY 4.0",
        "0" * 64,
    ]
    assert table.one("a").attributes["href"] == "../data/wdbc.json"

    record = read_record(results / "data" / "wdbc.json")
    record |= {"source": "OpenML", "uci_id": None, "openml_task": 3, "openml_data": 5}
    write_record(results / "data" / "wdbc.json", record)
    table = parse(render_page(results, {})).one("table", id="table-datasets")
    assert texts(table.all("td"))[4] == "OpenML, task 3, data 5CC BY 4.0"


def test_findings_are_said_and_lead_to_where_they_are_shown(results, parse):
    (results / "tables" / "loss_reversals.csv").write_text("pairs,reversed\n30,3\n10,0\n")
    page = parse(render_page(results, {}))
    finding = page.one("ul", **{"class": "findings"}).one("li")
    assert finding.text.startswith("Of 40 pairs of models that were trained on different problems, 3 (7.5")
    assert [link.attributes["href"] for link in finding.all("a")] == ["#section-loss_reversals"]


# What it says when something is absent


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("claims", "the verdicts (claims/verdicts.json)"),
        ("figures", "the figures (figures/)"),
        ("tables", "the tables (tables/)"),
        ("tables/curve_areas.csv", "the runs of the models (tables/curve_areas.csv)"),
        ("tables/imbalance_noise.csv", "the points of imbalance and noise (tables/imbalance_noise.csv)"),
        ("data", "the records of the data sets (data/*.json)"),
    ],
)
def test_what_is_absent_is_said(results, parse, path, words):
    assert words not in render_page(results, {})
    absent = results / path
    shutil.rmtree(absent) if absent.is_dir() else absent.unlink()
    assert any(
        words in text for text in texts(parse(render_page(results, {})).all("p", **{"class": "absent"}))
    )


def test_nothing_at_all_is_still_a_page(tmp_path, parse):
    page = parse(render_page(tmp_path, {}))
    assert len(page.all("p", **{"class": "absent"})) == 8
    assert page.all("form") == []


def test_evidence_that_is_not_there_is_no_link(results, parse):
    (results / "claims" / "pa-exam.json").unlink()
    evidence = (
        parse(render_page(results, {})).one("article", id="claim-pa-exam").one("dd", data_field="evidence")
    )
    assert evidence.all("a") == []
    assert "file not there" in evidence.text


def test_an_unknown_verdict_is_refused(results, claim, write_claims):
    write_claims(results, [claim(shown={"verdict": "proved"})])
    with pytest.raises(ValueError, match=r"'pa-exam' the verdict 'proved'; allowed are contradicted, caveat"):
        render_page(results, {})


# One file, the same each time, that loads nothing


def test_the_page_depends_on_contents_alone(results, tmp_path):
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    for path in sorted(results.rglob("*"), reverse=True):  # another order of creation, other times
        if path.is_file():
            target = copy / path.relative_to(results)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    page = render_page(copy, {"verdicts": "Words."})
    assert page == render_page(results, {"verdicts": "Words."})
    assert str(tmp_path) not in page


def test_nothing_is_loaded_from_elsewhere(results, parse):
    page = parse(render_page(results, {}))
    for element in page.all():
        for name in ("src", "href", "action", "formaction", "srcset", "poster", "style", "onclick", "onload"):
            if name in element.attributes:
                address = urlsplit(element.attributes[name])
                assert name in ("src", "href")
                assert address.netloc == ""
                assert address.scheme in ("", "data")
    assert "@import" not in page.one("style").text
    assert "url(" not in page.one("style").text


def test_links_lead_to_files_and_to_places_on_the_page(results, parse):
    page = parse(render_page(results, {}))
    ids = {element.attributes["id"] for element in page.all() if "id" in element.attributes}
    for link in page.all("a"):
        address = link.attributes["href"]
        if address.startswith("#"):
            assert unquote(address[1:]) in ids
        else:
            assert (results / Path(unquote(address)).relative_to("..")).is_file()


def test_the_policy_allows_the_pages_own_script_and_style_alone(results, parse):
    page = parse(render_page(results, {}))
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.one(tag).text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"


def test_big_results_stay_under_five_megabytes(results, claim, write_claims, parse):
    write_claims(results, [claim(id=f"claim-{number}") for number in range(400)])
    row = ",".join(["0.123456789012"] * 20)
    for name in "abcdef":
        (results / "tables" / f"{name}.csv").write_text(
            ",".join(f"column_{number}" for number in range(20)) + "\n" + f"{row}\n" * 2000
        )
    record = read_record(results / "data" / "wdbc.json")
    for number in range(900):
        write_record(results / "data" / f"openml_{number:04}.json", record)
    for number in range(30):
        (results / "figures" / f"big_{number:02d}.png").write_bytes(bytes(200_000 + number))
    text = render_page(results, {})
    assert 4_500_000 < len(text.encode()) < 5_000_000
    page = parse(text)
    assert page.one("figure", id="figure-big_00").all("img")
    late = page.one("figure", id="figure-big_29")
    assert late.all("img") == []
    assert late.one("a").attributes["href"] == "../figures/big_29.png"
    assert "The first 25 of 2000 rows" in page.one("section", id="section-f").text
    assert page.one("table", id="table-datasets").one("tbody").text.count("Breast Cancer") == 901


# Nothing from the data becomes markup


def test_everything_from_data_is_escaped(results, claim, write_claims, parse):
    plain = parse(render_page(results, {}))
    fields = dict.fromkeys(("statement", "section", "locator", "anchor", "kind", "source", "note"), EVIL)
    record = claim("not_evaluated", Absent("opinion", {"because": EVIL}), data=[EVIL], **fields)
    shown = dict.fromkeys(("domain", "command", "witness"), EVIL)
    write_claims(results, [record | shown])
    quoted = '"' + EVIL.replace('"', '""') + '"'
    for name, column in (("curve_areas", "forest"), ("imbalance_noise", "wdbc")):
        path = results / "tables" / f"{name}.csv"
        path.write_text(path.read_text().replace(column, quoted).replace("roc_auc", quoted))
    record = read_record(results / "data" / "wdbc.json")
    record |= {"name": EVIL, "title": EVIL, "classes": {EVIL: 1}}
    write_record(results / "data" / "wdbc.json", record)
    (results / "tables" / "a&b'\"<i>.csv").write_text(f"{quoted}\n{quoted}\n")
    captions = dict.fromkeys(("verdicts", "pa_figure_1", "curve_areas"), EVIL)

    page = parse(render_page(results, captions))
    assert len(page.all("script")) == 1
    assert page.one("script").text == plain.one("script").text
    assert [image.attributes["alt"] for image in page.all("img")] == [
        EVIL + "; the caption below describes it"
    ]
    assert not any(name.startswith("on") for element in page.all() for name in element.attributes)
    assert page.all("i") == []
    article = page.one("article")
    assert article.one("h5").text == EVIL
    for name in ("domain", "command", "data", "reason", "note"):
        assert EVIL in article.one("dd", data_field=name).text
    assert article.one(data_field="section").text == article.one(data_field="anchor").text == EVIL
    assert article.attributes["data-source"] == EVIL
    assert page.one("table", id="table-datasets").text.count(EVIL) == 3  # name, title and class
    assert EVIL in texts(page.one("table", id="table-curve_areas").all("th"))
    assert page.one("figure").one("h3").text == EVIL


def test_evidence_cannot_be_a_script_address(results, claim, write_claims, parse):
    record = claim(shown={"evidence": "claims/javascript:alert(1)"})
    write_claims(results, [record])
    (results / "claims" / "pa-exam.json").rename(results / record["evidence"])
    links = [link.attributes["href"] for link in parse(render_page(results, {})).one("article").all("a")]
    assert links == ["#claim-pa-exam", "../claims/javascript%3Aalert%281%29"]


# For everyone


def test_ids_are_unique_and_referred_to_rightly(results, parse):
    page = parse(render_page(results, {}))
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in page.all():
        for name in ("for", "aria-controls", "aria-labelledby"):
            assert set(element.attributes.get(name, "").split()) <= set(ids)


def test_headings_leave_out_no_level(results, parse):
    levels = [
        int(element.tag[1])
        for element in parse(render_page(results, {})).all()
        if re.fullmatch(r"h\d", element.tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_all_can_be_read_without_the_script(results, parse):
    page = parse(render_page(results, {}))
    hidden = [element for element in page.all() if "hidden" in element.attributes]
    assert [element.attributes["id"] for element in hidden] == ["claim-filter"]
    assert [button for button in page.all("button") if hidden[0] not in button.ancestors()] == []


def test_fields_have_labels_and_buttons_are_buttons(results, parse):
    page = parse(render_page(results, {}))
    labels = {label.attributes["for"] for label in page.all("label") if "for" in label.attributes}
    boxes = page.one("fieldset").all("input", type="checkbox")
    fields = [element for tag in ("input", "select") for element in page.all(tag) if element not in boxes]
    assert {field.attributes["id"] for field in fields} == labels
    assert [box.attributes["value"] for box in boxes] == list(VERDICTS)
    assert all(box.parent.tag == "label" for box in boxes)
    assert page.one("fieldset").one("legend").text == "Verdict"
    assert [button.attributes["type"] for button in page.all("button")] == ["reset"]


def test_regions_that_scroll_are_named_and_reached_by_keyboard(results, parse):
    regions = parse(render_page(results, {})).all("div", **{"class": "scroll"})
    names = [region.attributes["aria-label"] for region in regions]
    assert len(names) == len(set(names)) > 4
    assert all(region.attributes["tabindex"] == "0" for region in regions)


def test_pictures_tables_and_the_page_have_names(results, parse):
    page = parse(render_page(results, {}))
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("title").text
    assert all(image.attributes["alt"] for image in page.all("img"))
    assert all(table.one("caption").text for table in page.all("table"))
    assert all("scope" in heading.attributes for heading in page.all("th"))


def test_a_verdict_that_its_evidence_does_not_say_is_damage(results):
    path = results / "claims" / "verdicts.json"
    records = json.loads(path.read_text("utf-8"))
    told = next(record for record in records if (results / record["evidence"]).is_file())
    told["verdict"] = "caveat" if told["verdict"] != "caveat" else "reproduced"
    path.write_text(json.dumps(records), encoding="utf-8")
    with pytest.raises(DamagedFile, match=r"verdicts\.json"):
        read_claims(results)
