"""The page of a scorecard on a small screen, in a real browser."""

import numpy as np
import pandas as pd
import pytest
from chromium import launched

from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.predictions import read_predictions

pytestmark = pytest.mark.browser

WIDTHS = """Object.fromEntries([...document.querySelectorAll(".scroll")].map(
    region => [region.getAttribute("aria-label"), region.scrollWidth - region.clientWidth]))"""


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.mark.parametrize("classes", ["ab", "abcd"])
def test_at_390_pixels_tables_wrap_or_scroll_in_themselves(tmp_path, classes, browser):
    generator = np.random.default_rng(1)
    truth = generator.choice(list(classes), size=60)
    columns = {"truth": truth, "prediction": np.where(generator.random(60) < 0.6, truth, "a")}
    if len(classes) == 2:
        columns["score"] = generator.normal(size=60) + (truth == "b")
    path = tmp_path / f"{'long_name_' * 12}.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    read = read_predictions(path)
    page = tmp_path / "card.html"
    page.write_text(render_page(make_scorecard(read), read), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    tab.goto(page.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    beyond = tab.evaluate(WIDTHS)
    shrunk = tab.evaluate("[...document.images].map(image => image.width / image.naturalWidth)")
    hidden = tab.evaluate(
        "[...document.querySelectorAll('.scroll')].filter(each => each.scrollHeight > each.clientHeight + 1).length"
    )
    assert len(shrunk) == (5 if len(classes) == 2 else 1)  # scores beyond [0, 1] are not calibrated
    assert min(shrunk) > 0.9
    assert hidden == 0  # a table that scrolls up and down within the page hides its rows
    shown_whole = {"Counts", "Measures", "Areas under curves"} if len(classes) == 2 else {"Measures"}
    assert {name for name in shown_whole if beyond[name] > 0} == set()
    assert "Classes" not in beyond or beyond["Classes"] > 0  # twelve columns do not fit; they scroll
