"""Claims stand by document and section, and lead to where they come from."""

from report.elements import claim_of, parse, texts
from report.small_results import EVIL, make_claim, write_claims

from nontrivial.files import write_json
from nontrivial_study.report.page import render_page


def test_documents_stand_in_their_order_and_what_none_states_last(results):
    names = ["another", "tutorial", "P4 article", "PRG paper", "PA paper"]
    claims = [make_claim(id=f"claim-{number}", source=name) for number, name in enumerate(names)]
    write_claims(results, [make_claim(id="ours", beyond=True), *claims])
    page = parse(render_page(results, {}))
    assert [one.attributes["data-source"] for one in page.all("details", **{"class": "document"})] == [
        *reversed(names),
        "Beyond the documents",
    ]
    assert texts(page.one("div", **{"class": "matrix"}).all("h2"))[3].startswith("Tutorial")


def test_a_claim_leads_to_its_document_figure_and_table(results):
    read = make_claim(
        "not_evaluated", id="read", data=["tables/curve_areas.csv"], locator="Section 5, Figure 1", place=1
    )
    write_claims(results, [read, make_claim(id="alone", place=2)])
    (results / "report").mkdir()
    write_json(results / "report" / "about.json", {"version": "9.9"})
    page = parse(
        render_page(results, {}, {"PA paper": {"title": "A title", "address": "https://doi.org/10.1/x"}})
    )
    leads = ["https://doi.org/10.1/x", "#figure-pa_figure_1", "#section-curve_areas"]
    for name, wanted in (("read", leads), ("alone", leads[:1])):
        places = claim_of(page, name).one("p", **{"class": "places"})
        assert [link.attributes["href"] for link in places.all("a")] == [*wanted, f"#claim-{name}"]
    assert "9.9" in page.one("header").text


def test_an_entry_says_where_it_stands(results):
    write_claims(results, [make_claim(section="Proofs", locator="Lemma 1", anchor="is strictly lower")])
    page = parse(render_page(results, {}))
    assert page.one(data_field="locator").text == "Lemma 1"
    assert page.one(data_field="anchor").text == "is strictly lower"


def test_a_document_has_its_title_and_address(results):
    sources = {
        "PA paper": {"title": "A title", "address": "https://example.org/1"},
        "PRG paper": {"title": EVIL},
    }
    page = parse(render_page(results, {}, sources))
    pa, prg = page.all("p", **{"class": "source"})
    assert "A title" in pa.text
    assert pa.one("a").attributes["href"] == pa.one("a").text == "https://example.org/1"
    assert prg.text == EVIL
