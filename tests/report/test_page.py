"""The page: what it says, what it says when things are absent, and that nothing from the data becomes markup."""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from report.elements import claim_of, parse, texts
from report.small_results import EVIL, SOURCES, make_claim, write_claims

from nontrivial.claims.verdict import VERDICT_WORDS, NothingFound, count_line
from nontrivial.files import read_json, write_json
from nontrivial_study.report.page import render_page


def test_the_first_sentence_counts_the_main_claims_or_without_any_all(results):
    page = parse(render_page(results, {}))
    assert page.one("h1").text.split(", ")[-1] == "1 holds and 1 is contradicted."
    key = page.one("p", **{"class": "key"})
    totals = {b.attributes["data-total"]: b.text for b in key.all("b")}
    assert totals == dict.fromkeys(("contradicted", "reproduced", "not_evaluated"), "1")
    write_claims(
        results,
        [
            make_claim(id="other"),
            make_claim(id="p4", main=True, source="P4 article"),
            make_claim("contradicted", id="pa", main=True, source="tutorial"),
            make_claim(id="defined", kind="definition", main=True),  # counted apart
        ],
    )
    page = parse(render_page(results, {}, SOURCES))
    assert re.findall(r"\d+", page.one("h1").text) == ["2", "2", "1", "1"]
    links = page.one("ul", **{"class": "main"}).all("a")
    order = [link.attributes["href"].removeprefix("#claim-") for link in links]
    assert order == ["pa", "defined", "p4"]  # contradicted ones first


def test_each_entry_is_a_square_that_leads_to_it_in_the_order_of_its_section(results):
    claims = [
        make_claim("contradicted", id="b", section="Section 1", place=1),
        make_claim(id="a-slip", kind="misprint", holds_if={"statement": "So."}, section="Section 1", place=9),
        make_claim(id="c", section="Section 2", place=3),
        make_claim(id="defined", kind="definition", section="Section 2", place=2),
        make_claim(id="d", section="Section 1", place=2),
        make_claim(id="ours", beyond=True, place=1),
    ]
    write_claims(results, claims)
    page = parse(render_page(results, {}))
    squares = [link for link in page.all("a") if link.attributes.get("class", "").startswith("mark")]
    order = ["b", "d", "a-slip", "defined", "c", "ours"]
    assert [link.attributes["href"] for link in squares] == [f"#claim-{name}" for name in order]
    assert [link.attributes["class"] for link in squares] == [
        f"mark{' apart' * (name in ('a-slip', 'defined', 'ours'))}" for name in order
    ]
    assert squares[0].attributes["data-verdict"] == "contradicted"
    assert texts(page.all("span", **{"class": "short"})) == ["1", "2", "PA paper"]
    claims = [fold for fold in page.all("details") if fold.attributes.get("class", "").startswith("claim")]
    assert [fold.attributes["id"] for fold in claims] == [f"claim-{name}" for name in order]


def test_counts_of_documents_and_sections_add_up_to_the_squares(results):
    groups = [
        {},
        {"kind": "replication"},
        {"kind": "misprint", "holds_if": {"statement": "So."}},
        {"kind": "definition"},
        {"beyond": True},
    ]
    claims = [
        make_claim(
            list(VERDICT_WORDS)[number % len(VERDICT_WORDS)],
            id=f"c-{number}",
            source=["PA paper", "zine"][number % 2],
            section=f"Section {number % 3}",
            place=number,
            **groups[number % 5 if number > 4 else 0],
        )
        for number in range(60)
    ]
    write_claims(results, claims)
    page = parse(render_page(results, {}))
    total = [int(b.text) for b in page.one("p", **{"class": "key"}).all("b")]
    squares = [link for link in page.all("a") if "mark" in link.attributes.get("class", "")]
    assert len(squares) == 60
    assert sum(total) == sum(link.attributes["class"] == "mark" for link in squares)
    assert count_line(read_json(results / "claims" / "verdicts.json")) in page.one("p", id="apart").text
    for kind in ("document", "section"):
        folds = page.all("details", **{"class": kind})
        tallies = " ".join(fold.all("summary")[0].one("span", **{"class": "tally"}).text for fold in folds)
        assert sum(map(int, re.findall(r": (\d+)", tallies))) == sum(total), kind


def test_failed_runs_are_counted_with_their_reasons(results):
    page = parse(render_page(results, {}))
    assert page.one("p", id="failed-count").text.startswith("1 of 3 runs failed.")
    rows = page.one("table", id="table-failed-runs").one("tbody").all("tr")
    assert [texts(row.all("td")) for row in rows] == [
        ["curve_areas", "wdbc", "stump", "failed in fold 3: ValueError: one class only"]
    ]
    by_model = page.one("table", id="table-failed-by-model").one("tbody").one("tr")
    assert texts(by_model.all("td")) == ["stump", "1"]


def test_points_without_value_are_counted_with_their_reasons(results):
    page = parse(render_page(results, {}))
    assert page.one("p", id="missing-count").text.startswith("2 of 3 points")
    rows = page.one("table", id="table-missing-points").one("tbody").all("tr")
    assert [texts(row.all("td"))[3:] for row in rows] == [
        ["0.2", "0.05", "all", "impossible: too many flips"],
        ["0.2", "0.5", "p4", "undefined (0/0) in every test set"],
    ]


def test_figures_are_embedded_with_caption_numbers_and_files(results):
    caption = "Two\nlines & a heading.\n\nMore\nwords."
    figure = parse(render_page(results, {"pa_figure_1": caption})).one("details", id="figure-pa_figure_1")
    kind, data = figure.one("img").attributes["src"].split(",", 1)
    assert kind == "data:image/svg+xml"
    assert unquote(data) == (results / "figures" / "pa_figure_1.svg").read_text()
    assert figure.one("summary").text == "PA paper, Figure 1. Two lines & a heading."
    assert "More words." in figure.text
    assert texts(figure.one("table").all("td")) == ["1"]
    links = [link.attributes["href"] for link in figure.all("a")]
    assert links == [f"../figures/pa_figure_1.{ending}" for ending in ("svg", "pdf", "png", "csv")]


def test_a_figure_that_was_not_evaluated_is_a_line_with_its_reason_and_its_counterpart(results):
    figures = results / "figures"
    header = "task,model,status,panel\n"
    reason = "task 7 is not among those of this study, but among those of config/paper.yaml"
    for name, row in (
        ("prg_figure_5", f'7,stump,"not evaluated: {reason}",\n'),
        ("prg_figure_5_own_data", "wdbc,stump,ok,roc\n"),
    ):
        (figures / f"{name}.svg").write_text((figures / "pa_figure_1.svg").read_text())
        (figures / f"{name}.csv").write_text(header + row)
    page = parse(render_page(results, {}))
    line = page.one(id="figure-prg_figure_5")
    assert (line.tag, line.all("img"), reason in line.text) == ("p", [], True)
    assert line.one("a").attributes["href"] == "#figure-prg_figure_5_own_data"
    assert page.one("details", id="figure-prg_figure_5_own_data").all("img")
    (figures / "prg_figure_5.csv").write_text(header + "7,stump,ok,roc\n")
    assert parse(render_page(results, {})).one(id="figure-prg_figure_5").tag == "details"


def test_every_table_is_there_with_link_and_caption(results):
    page = parse(render_page(results, {"curve_areas": "All the areas.\n\nThey are signed."}))
    section = page.one("div", id="section-curve_areas")
    assert section.one("summary").text.startswith("All the areas")
    assert "They are signed." in section.text
    assert section.one("a").attributes["href"] == "../tables/curve_areas.csv"
    cell = section.one("td", title="0.987654321")
    assert cell.text == "0.9877"
    headings = section.one("table").one("thead").all("th")
    assert texts(headings) == ["task", "model", "roc_auc", "status"]
    assert ["data-numeric" in heading.attributes for heading in headings] == [False, False, True, False]


def test_data_sets_are_described(results):
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

    record = read_json(results / "data" / "wdbc.json")
    record |= {"source": "OpenML", "uci_id": None, "openml_task": 3, "openml_data": 5}
    write_json(results / "data" / "wdbc.json", record)
    table = parse(render_page(results, {})).one("table", id="table-datasets")
    assert texts(table.all("td"))[4] == "OpenML, task 3, data 5CC BY 4.0"


def test_all_models_stand_in_one_table_that_is_sorted(results):
    text = "task,model,roc_auc,prediction_advantage,status\na,tree,0.6,-0.2,ok\nb,tree,0.8,0.4,ok\n"
    text += "a,forest,0.9,0.5,ok\nb,forest,,,failed in fold 3\n"
    (results / "tables" / "curve_areas.csv").write_text(text)
    table = parse(render_page(results, {})).one("table", id="table-models")
    assert "data-sortable" in table.attributes
    rows = [texts(row.all("td")) for row in table.one("tbody").all("tr")]
    assert [row[:3] + row[5:7] for row in rows] == [
        ["forest", "2", "0.9", "1.0", "0.5"],
        ["tree", "2", "0.7", "0.5", "0.1"],
    ]
    assert table.all("rect")[0].attributes["width"] == "90.0%"


def test_findings_are_numbers_that_lead_to_where_they_are_shown(results):
    text = "source,advantage,low,high,sign_certain\na,-0.1,-0.2,-0.05,True\nb,0.1,0.05,0.2,True\n"
    (results / "tables" / "haberman_published.csv").write_text(text)
    card = parse(render_page(results, {})).one("ul", **{"class": "cards"}).one("li")
    assert card.one("b", **{"class": "big"}).text == "1 of 2"
    assert card.one("circle").attributes["cx"] == "50.0%"
    assert [link.attributes["href"] for link in card.all("a")] == ["#section-haberman_published"]


@pytest.mark.parametrize("name", ["claims", "figures", "tables", "data"])
def test_a_section_without_content_is_left_out(results, name):
    assert f'<section id="{name}"' in render_page(results, {})
    shutil.rmtree(results / name)
    assert f'<a href="#{name}"' not in render_page(results, {})
    assert f'<section id="{name}"' not in render_page(results, {})


def test_nothing_at_all_is_still_a_page(tmp_path):
    page = parse(render_page(tmp_path, {}))
    assert [section.attributes["id"] for section in page.all("section")] == ["check"]
    assert page.all("form") == []


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


def test_links_lead_to_files_and_to_places_on_the_page(results):
    page = parse(render_page(results, {}))
    ids = {element.attributes["id"] for element in page.all() if "id" in element.attributes}
    for link in page.all("a"):
        address = link.attributes["href"]
        if address.startswith("https:"):
            continue  # leads to a document
        if address.startswith("#"):
            assert unquote(address[1:]) in ids
        else:
            assert (results / Path(unquote(address)).relative_to("..")).is_file()


def test_big_results_stay_under_five_megabytes(results):
    write_claims(results, [make_claim(id=f"claim-{number}") for number in range(400)])
    row = ",".join(["0.123456789012"] * 20)
    for name in "abcdef":
        (results / "tables" / f"{name}.csv").write_text(
            ",".join(f"column_{number}" for number in range(20)) + "\n" + f"{row}\n" * 2000
        )
    record = read_json(results / "data" / "wdbc.json")
    for number in range(900):
        write_json(results / "data" / f"openml_{number:04}.json", record)
    for number in range(30):
        (results / "figures" / f"big_{number:02d}.png").write_bytes(bytes(200_000 + number))
    text = render_page(results, {})
    assert 4_500_000 < len(text.encode()) < 5_000_000
    page = parse(text)
    assert page.one("details", id="figure-big_00").all("img")
    late = page.one("details", id="figure-big_29")
    assert late.all("img") == []
    assert late.one("a").attributes["href"] == "../figures/big_29.png"
    assert "The first 25 of 2000 rows" in page.one("div", id="section-f").text
    assert page.one("table", id="table-datasets").one("tbody").text.count("Breast Cancer") == 901


def test_everything_from_data_is_escaped(results):
    plain = parse(render_page(results, {}))
    fields = dict.fromkeys(("statement", "section", "locator", "anchor", "kind", "source", "note"), EVIL)
    record = make_claim("not_evaluated", NothingFound("unsettled", {"because": EVIL}), data=[EVIL], **fields)
    shown = dict.fromkeys(("domain", "command", "witness"), EVIL)
    write_claims(results, [record | shown])
    quoted = '"' + EVIL.replace('"', '""') + '"'
    for name, column in (("curve_areas", "forest"), ("imbalance_noise", "wdbc")):
        path = results / "tables" / f"{name}.csv"
        path.write_text(path.read_text().replace(column, quoted).replace("roc_auc", quoted))
    record = read_json(results / "data" / "wdbc.json")
    record |= {"name": EVIL, "title": EVIL, "classes": {EVIL: 1}}
    write_json(results / "data" / "wdbc.json", record)
    (results / "tables" / "a&b'\"<i>.csv").write_text(f"{quoted}\n{quoted}\n")
    captions = dict.fromkeys(("verdicts", "pa_figure_1", "curve_areas"), EVIL)

    page = parse(render_page(results, captions))
    assert len(page.all("script")) == 1
    assert page.one("script").text == plain.one("script").text
    assert len(page.all("img")) == 1
    assert not any(name.startswith("on") for element in page.all() for name in element.attributes)
    assert {mark.attributes["class"] for mark in page.all("i")} == {"mark"}
    article = claim_of(page, "pa-exam")
    assert article.one("span", **{"class": "statement"}).text == EVIL
    for name in ("domain", "command", "data", "reason", "note"):
        assert EVIL in article.one("dd", data_field=name).text
    assert article.one(data_field="locator").text == article.one(data_field="anchor").text == EVIL
    assert article.attributes["data-source"] == EVIL
    assert page.one("table", id="table-datasets").text.count(EVIL) == 3  # name, title and class
    assert EVIL in texts(page.one("table", id="table-curve_areas").all("th"))
    assert page.one("details", id="figure-pa_figure_1").one("b").text == f"PA paper, Figure 1. {EVIL}."


def test_ids_are_unique_and_referred_to_rightly(results):
    page = parse(render_page(results, {}))
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in page.all():
        for name in ("for", "aria-controls", "aria-labelledby"):
            assert set(element.attributes.get(name, "").split()) <= set(ids)


def test_regions_that_scroll_are_named_and_reached_by_keyboard(results):
    regions = parse(render_page(results, {})).all("div", **{"class": "scroll"})
    names = [region.attributes["aria-label"] for region in regions]
    assert len(names) == len(set(names)) > 4
    assert all(region.attributes["tabindex"] == "0" for region in regions)
