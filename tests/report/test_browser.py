"""The page in a real browser: it works by hand and by keyboard, small and printed, and asks nothing of anybody.

Needs Chromium, which Debian's package chromium-headless-shell brings; without it these tests are skipped, or fail if
NONTRIVIAL_REQUIRE_BROWSER is 1.
"""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import launched
from report.small_results import EVIL, SOURCES, make_claim, write_claims, write_results

from nontrivial.claims.verdict import VERDICT_WORDS, NothingFound
from nontrivial.files import read_json, write_json
from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.report.page import render_page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='518pt' height='300pt' viewBox='0 0 518 300'/>"
DOCUMENTS = list(SOURCES)
WIDE = 31  # measures of a table that no screen holds
KINDS = ["number", "lemma", "inequality"]
PORTRAIT = 688  # what the margins leave of A4, in CSS pixels
SORTED = """task,model,roc_auc,status
b,forest,0.987654321,ok
a,stump,,ok
c,forest,1,ok
d,tree,inf,ok
a,tree,-0.5,ok
b,stump,0.98760001,ok
"""


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of the size of a real study, with what a page has to be ready for."""
    folder = tmp_path_factory.mktemp("browser") / "results"
    write_results(folder)
    claims = [
        make_claim(
            list(VERDICT_WORDS)[number // 4 % 4],
            id=f"claim-{number:03}",
            source=DOCUMENTS[number % 4],
            kind=KINDS[number % 3],
            statement=f"Statement {number} of the documents.",
            section=f"Section {number % 3}",
            place=number,
            main=number < 3,
            data=["tables/curve_areas.csv"] if number % 5 == 0 else [],
            command="snakemake --cores 8",
        )
        for number in range(48)
    ]
    claims.append(make_claim(id="hostile", statement=EVIL, section=EVIL, anchor=EVIL, note=EVIL, shown={"found": EVIL}))
    claims.append(
        make_claim(
            "not_evaluated", NothingFound("unsettled", {"because": "of taste"}), id="opinion", kind="opinion", claim=""
        )
    )
    claims.append(make_claim(id="claim-000-repaired", kind="definition"))
    claims.append(make_claim("caveat", id="claim-008-step", kind="definition", statement="A step."))
    claims.append(make_claim(id="defined", kind="definition", source="tutorial", statement="A definition."))
    claims.append(make_claim(id="ours", beyond=True, statement="Beyond the documents."))
    write_claims(folder, claims)
    (folder / "tables" / "curve_areas.csv").write_text(SORTED)
    quoted = '"' + EVIL.replace('"', '""') + '"'
    wide = ",".join(["dataset", "model", *(f"a_measure_with_a_long_name_{number}" for number in range(WIDE))])
    rows = "".join(
        f"wdbc,random_forest_of_stumps_{row},{',0.123456'.join([''] * WIDE)[1:]},{row}\n" for row in range(40)
    )
    (folder / "tables" / "measures.csv").write_text(f"{wide}\n{rows}")
    (folder / "tables" / "losses.csv").write_text(f"dataset,model,loss,status\n{quoted},{quoted},{quoted},{quoted}\n")
    (folder / "tables" / "long.csv").write_text("x\n" + "1\n" * 700)
    (folder / "figures" / "pa_figure_1.svg").write_text(PICTURE)
    (folder / "figures" / "evil \"<i>&'.png").write_bytes((folder / "figures" / "pa_figure_1.png").read_bytes())
    record = read_json(folder / "data" / "wdbc.json")
    record |= {"name": EVIL, "title": "javascript:alert(1)", "source": "javascript:alert(1)", "licence": EVIL}
    write_json(folder / "data" / "hostile.json", record)
    captions = {path.stem: path.read_text() for path in (ROOT / "src").rglob("captions/*.rst")}
    (folder / "report").mkdir()
    (folder / "report" / "index.html").write_text(render_page(folder, captions, SOURCES), encoding="utf-8")
    return folder


@pytest.fixture
def open_page(browser, results):
    """Open the page; afterwards nothing may have gone wrong, nor anything been asked for but the page."""
    contexts, said, asked = [], [], []
    address = (results / "report" / "index.html").as_uri()

    def open_(fragment="", width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url.split("#")[0]))
        page.goto(address + fragment)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []
    assert {url for url in asked if not url.startswith("data:")} == {address}


def wait_until(page, script):
    """Wait for a condition; Playwright's own way would have the page evaluate a text, which its policy forbids."""
    for _ in range(100):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {script}")


def at_top(name):
    return f"Math.abs(document.getElementById('{name}').getBoundingClientRect().top) < 100"


def ids_shown(page):
    """The claims that can be seen once their documents and sections are open."""
    return page.eval_on_selector_all(".claim", "all => all.filter(one => one.checkVisibility()).map(one => one.id)")


# The first screen


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_screen_has_the_result_the_main_claims_and_on_a_wide_one_the_sliders(open_page, width, height):
    page = open_page(width=width, height=height)
    assert page.locator("h1").bounding_box()["y"] < 100
    main = page.locator(".main a")
    assert main.count() == 3
    assert main.nth(2).bounding_box()["y"] < height
    trial = page.locator("#try").bounding_box()
    assert (trial["x"] > 600) == (width == 1280)
    assert (trial["y"] > main.last.bounding_box()["y"]) == (width == 390)
    assert page.locator(".matrix a.mark").count() == page.locator(".claim").count() == 54


def test_the_filter_of_main_claims_stays_in_the_address(open_page):
    page = open_page()
    page.locator("#claim-main").check()
    assert page.evaluate("location.hash") == "#claims?main=1"
    assert page.locator(".claim:not([hidden])").count() == 3
    page.reload()
    assert page.locator("#claim-main").is_checked()
    assert page.locator(".claim:not([hidden])").count() == 3


def test_verdicts_are_told_apart_without_colour(open_page):
    page = open_page(forced_colors="active")
    looks = page.eval_on_selector_all(
        ".key .mark", "all => all.map(one => getComputedStyle(one).backgroundImage.replace(/rgba?\\([^)]*\\)/g, ''))"
    )
    filled = page.eval_on_selector_all(".key .mark", "all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert len(set(zip(looks, [colour == "rgba(0, 0, 0, 0)" for colour in filled], strict=True))) == 5


def test_squares_are_gone_through_by_arrows(open_page):
    page = open_page()
    page.locator(".matrix a").first.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('.matrix a') && document.activeElement.tabIndex === 0")
    assert page.locator(".matrix a[tabindex='0']").count() == 1


def set_to(page, **rates):
    for name, value in rates.items():
        page.locator(f"#try-{name}").evaluate(
            "(field, value) => { field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})); }",
            value,
        )
    names, values = (page.locator(f"#try-bars {tag}").all_text_contents() for tag in ("span", "output"))
    return dict(zip(names, values, strict=True))


@pytest.mark.parametrize(
    "rates",
    [
        {"prevalence": 10, "recall": 80, "specificity": 90, "noise": 0},
        {"prevalence": 40, "recall": 70, "specificity": 95, "noise": 20},
    ],
)
def test_the_measures_tried_out_are_those_of_the_package(open_page, rates):
    page = open_page()
    shown = set_to(page, **rates)
    p, r, s, e = (rates[name] / 100 for name in ("prevalence", "recall", "specificity", "noise"))
    positive, negative = p - e / 2, 1 - p - e / 2
    table = confusion_measures(
        positive * r + e / 2 * (1 - s),
        negative * (1 - s) + e / 2 * r,
        positive * (1 - r) + e / 2 * s,
        negative * s + e / 2 * (1 - r),
    ).iloc[0]
    names = ["accuracy", "balanced_accuracy", "f_beta", "p4", "matthews_corrcoef", "cohen_kappa"]
    names.append("prediction_advantage")
    assert list(shown.values()) == [f"{table[name]:.2f}".replace("-", "\N{MINUS SIGN}") for name in names]


def test_a_bar_below_what_needs_no_look_at_the_input_says_so(open_page):
    page = open_page()
    set_to(page, prevalence=10, recall=80, specificity=90, noise=0)
    below = page.locator("#try-bars li.below span").all_text_contents()
    assert below == ["Accuracy", "Prediction Advantage"]
    set_to(page, prevalence=50)
    assert page.locator("#try-bars li.below").count() == 0


# Filtering


def test_claims_are_filtered_by_text_document_kind_and_verdict_and_the_address_says_so(open_page):
    page = open_page()
    page.get_by_label("Text", exact=True).fill("STATEMENT claim-01")
    assert sorted(ids_shown(page)) == [f"claim-claim-{number:03}" for number in range(10, 20)]
    page.get_by_label("Document", exact=True).select_option("PA paper")
    assert sorted(ids_shown(page)) == ["claim-claim-012", "claim-claim-016"]
    page.get_by_label("Verdict", exact=True).select_option("contradicted")
    assert ids_shown(page) == ["claim-claim-016"]
    assert page.locator("#claim-count").text_content() == "1 of 54 shown"
    page.get_by_label("Kind", exact=True).select_option("lemma")
    assert ids_shown(page) == ["claim-claim-016"]
    address = page.evaluate("location.hash")
    assert address == "#claims?text=STATEMENT+claim-01&document=PA+paper&verdict=contradicted&kind=lemma"
    again = open_page(address)
    assert ids_shown(again) == ["claim-claim-016"]
    assert again.get_by_label("Document", exact=True).input_value() == "PA paper"
    again.get_by_role("button", name="Show all").click()
    again.get_by_text("54 of 54 shown").wait_for()
    assert again.evaluate("location.hash") == "#claims"


def test_a_count_leads_to_its_claims(open_page):
    page = open_page()
    page.locator(".matrix .row").first.locator("a[data-filter]").first.click()
    page.get_by_text("3 of 54 shown").wait_for()
    shown = page.eval_on_selector_all(
        ".claim", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset)"
    )
    assert {(one["verdict"], one["source"]) for one in shown} == {("contradicted", "PA paper")}


def test_every_control_shows_where_the_keyboard_is(open_page):
    page = open_page()
    page.locator("#section-curve_areas summary").click()
    for control in page.locator("#claim-filter :is(input, select, button), #table-curve_areas button").all():
        control.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_link_to_a_hidden_claim_shows_and_opens_it(open_page):
    page = open_page("#claims?text=repaired")
    page.evaluate("location.hash = '#claim-claim-000'")
    page.get_by_text("54 of 54 shown").wait_for()
    page.locator("#claim-claim-000[open] > .body").wait_for()
    wait_until(page, at_top("claim-claim-000"))


def test_an_address_with_a_claim_opens_it_and_all_around_it(open_page):
    page = open_page("#claim-claim-008-step")
    page.locator("#claim-claim-008-step[open] > .body").wait_for()
    assert not page.locator("#claim-claim-006 > .body").is_visible()


# Sorting


def column(page, number):
    return page.locator(f"#table-curve_areas tbody td:nth-child({number})").all_text_contents()


def test_tables_are_sorted_up_and_down_with_missing_values_last(open_page):
    page = open_page()
    page.locator("#section-curve_areas summary").click()
    heading = page.locator("#table-curve_areas th").nth(2)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column(page, 3) == ["-0.5", "0.9876", "0.9877", "1", "inf", ""]
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(page, 3) == ["inf", "1", "0.9877", "0.9876", "-0.5", ""]


def test_a_table_that_is_cut_off_is_not_sorted(open_page):
    page = open_page()
    assert page.locator("#table-long button").count() == 0
    assert page.locator("#table-measures button").count() == WIDE + 2


# Reading


def test_without_script_all_is_there_to_read(open_page):
    page = open_page(java_script_enabled=False)
    assert not page.locator("#claim-filter, #try").first.is_visible()
    assert page.locator("#try").is_hidden()
    assert page.locator(".aside > #figure-pa_figure_1 img").is_visible()
    assert page.locator("th button").count() == 0
    for fold in ("#document-1", "#document-1 > .section:has(#claim-claim-000)"):
        page.locator(f"{fold} > summary").click()
    assert page.locator("#claim-claim-000 > .body").is_visible()  # as it is contradicted
    page.locator("#section-measures summary").click()
    assert page.locator("#table-measures tbody tr:visible").count() == 40


@pytest.mark.parametrize("width", [360, 768, 1100, 1600])
def test_no_width_makes_the_page_wider_than_the_screen(open_page, width):
    page = open_page(width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#section-measures .scroll").evaluate("one => one.scrollWidth > one.clientWidth")


def test_what_is_cut_off_on_a_phone_says_that_it_scrolls(open_page):
    page = open_page(width=390)
    page.locator("#section-measures summary").click()
    hint = "one => getComputedStyle(one, '::before').content"
    wait_until(page, "document.querySelector('#section-measures .scroll').matches('.cut')")
    assert "Scroll sideways" in page.locator("#section-measures .scroll").evaluate(hint)
    page.emulate_media(media="print")
    assert page.locator("#section-measures .scroll").evaluate(hint) == "none"


def test_nothing_that_a_reader_sees_first_takes_more_than_some_screens(open_page):
    page = open_page(width=1280, height=800)
    assert page.evaluate("document.documentElement.scrollHeight") < 5 * 800


# Printing


def test_printing_gives_pages(open_page):
    pdf = open_page().pdf(prefer_css_page_size=True)
    assert 3 < len(re.findall(rb"/MediaBox", pdf)) < 12


@pytest.mark.parametrize("script", [True, False])
def test_on_paper_what_is_closed_is_open_and_tables_are_named_by_their_files(open_page, script):
    page = open_page(width=PORTRAIT, java_script_enabled=script)
    page.emulate_media(media="print")
    for selector in ("nav", "#claim-filter", "#try", "#table-measures"):
        assert page.locator(f"{selector}:visible").count() == 0
    assert page.locator("#section-measures .files").is_visible()
    box = page.locator("#table-models").bounding_box()
    assert box["x"] + box["width"] <= PORTRAIT + 1, "cut off"


def test_on_paper_every_claim_stands_and_a_contradicted_one_with_what_its_verdict_rests_on(open_page):
    page = open_page()
    page.emulate_media(media="print")
    assert page.locator(".claim .statement:visible").count() == 54
    contradicted = page.locator(".claim[data-verdict=contradicted]").count()
    for field, number in (("stated", contradicted), ("found", contradicted), ("command", 0), ("evidence", 0)):
        assert page.locator(f"dd[data-field={field}]:visible").count() == number, field


def test_browsers_whose_style_sheets_cannot_open_are_opened_for_printing(open_page):
    page = open_page()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]:not(.claim)").count() == 0


# For everyone, and safe from its data


@pytest.mark.parametrize(("width", "scheme", "opened"), [(1280, "light", True), (360, "dark", False)])
def test_axe_finds_no_barrier(open_page, width, scheme, opened):
    page = open_page(width=width, color_scheme=scheme)
    if opened:
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.locator("#table-curve_areas th button").first.click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
