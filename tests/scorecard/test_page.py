"""The page of a scorecard: one file, the answer first, the rest folded, and data escaped."""

import numpy as np
import pandas as pd
import pytest
from report.elements import parse, texts
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB

import nontrivial
from nontrivial import score_predictions
from nontrivial.scorecard.page import MOST_DRAWN

EVIL = "<script>alert(1)</script>"


def page_of(data, **options):
    return parse(score_predictions(data, **options).to_html())


def cells(page, title):
    """The texts of a table's cells, by row; the first row has the titles."""
    table = page.one("div", aria_label=title)
    return [texts([each for each in row.all() if each.tag in ("th", "td")]) for row in table.all("tr")]


def unfolded(page):
    """What is shown before anything is unfolded."""
    shown = (
        text
        for text, around in page.texts()
        if not {"details", "style", "head"} & {each.tag for each in around}
    )
    return " ".join(" ".join(shown).split())


def captions(page):
    return [each.attributes["alt"] for each in page.all("img")]


def test_the_page_is_one_file_in_which_data_is_escaped():
    frame = pd.DataFrame({"truth": [EVIL, "b"] * 20, "a<b>": [0.9, 0.1] * 19 + [0.2, 0.3]})
    text = score_predictions(frame, score="a<b>", positive=EVIL).to_html()
    assert EVIL not in text
    assert "&lt;script&gt;" in text
    assert "a&lt;b&gt;" in text
    page = parse(text)
    assert not [each for each in page.all() if each.tag in ("script", "link", "iframe")]
    assert all(each.attributes["src"].startswith("data:image/svg+xml;base64,") for each in page.all("img"))
    assert all(captions(page))


@pytest.mark.usefixtures("unrendered")
def test_the_answer_stands_before_anything_is_unfolded(cases):
    found = score_predictions(cases, score="good", positive="ill")
    page = parse(found.to_html())
    rows = cells(page, "Verdicts")[1:]
    assert [row[:2] for row in rows] == [
        ["probabilities", "YES"],
        ["ranking", "YES"],
        ["labels at 0.5", "YES"],
    ]
    for row, each in zip(rows, found.verdicts.values(), strict=True):
        assert f"{each.value:.2f} ({each.low:.2f} to {each.high:.2f})" in row[2]
    table = found.result.table
    counts = [[str(table["tp"]), str(table["fn"])], [str(table["fp"]), str(table["tn"])]]
    assert [row[1:3] for row in cells(page, "Counts")[1:]] == counts
    assert "flagged" in unfolded(page)
    assert "matthews_corrcoef" not in unfolded(page)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("options", [{}, {"score": ["good", "weak"]}, {"by": "site"}])
def test_the_contents_lead_to_what_the_page_holds(cases, options):
    frame = cases.assign(site=np.where(np.arange(200) % 2, "Hull", "Leeds"))
    page = page_of(frame, **{"score": "good", "positive": "ill"} | options)
    links = {each.attributes["href"].removeprefix("#") for each in page.one("nav").all("a")}
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    assert {"verdicts", "figures", "details-1", "glossary", "made"} <= links <= set(ids)


@pytest.mark.usefixtures("unrendered")
def test_several_models_have_a_row_each_and_their_differences_from_the_first(cases):
    found = score_predictions(cases, score=["weak", "good"], positive="ill")
    page = parse(found.to_html())
    titles = [each.text for each in page.all("h3")]
    assert titles == ["probabilities: PA by log loss", "ranking: AUC", "labels at 0.5: PA by 0/1 loss"]
    _, first, second = cells(page, "ranking: AUC")
    assert (first[0], second[0]) == ("good", "weak")
    (difference,) = (each for each in found.result.differences if each.measure == "roc_auc")
    assert f"{difference.value:.2f} ({difference.low:.2f} to {difference.high:.2f})" in second[3]
    curve = "Precision-Recall-Gain curve of the models"
    assert captions(page)[:2] == ["Calibration of the models", curve]
    assert captions(page)[2].startswith("Net benefit of the models")


@pytest.mark.usefixtures("unrendered")
def test_subgroups_have_a_row_each_and_nobody_is_the_best(cases):
    frame = cases.assign(site=np.where(np.arange(200) % 2, "Hull", "Leeds"))
    page = page_of(frame, score="good", by="site", positive="ill")
    assert {row[0].split(" (")[0] for row in cells(page, "ranking: AUC")[1:]} == {"all", "Hull", "Leeds"}
    assert "so they are not compared" in unfolded(page)
    assert "best" not in unfolded(page)
    pictures = captions(page)
    # At the top those of all cases, and below those of each subgroup.
    assert [len([each for each in pictures if each.startswith(name)]) for name in ("Calibration", "Net")] == [
        3,
        3,
    ]
    assert {each.text.split(" (")[0] for each in page.all("summary")} >= {
        "all",
        "Hull",
        "Leeds",
    }


@pytest.mark.usefixtures("unrendered")
def test_what_is_drawn_fits_the_answers(cases):
    raw = captions(page_of(cases.assign(raw=cases["good"] * 9 - 4), score="raw", positive="ill"))
    assert raw[:3] == ["Precision-Recall-Gain curve", "ROC curve", "Cost curve"]
    numbers = pd.DataFrame({"truth": np.arange(30.0), "prediction": np.arange(30.0) + 0.5})
    assert captions(page_of(numbers)) == ["Predictions against true values"]
    alone = nontrivial.evaluate(GaussianNB(), cases[["good"]], cases["y"], cv=LeaveOneOut(), pos_label="ill")
    assert [caption.split(",")[0].split(" of ")[0] for caption in captions(parse(alone.to_html()))[:2]] == [
        "Calibration",
        "Net benefit",
    ]
    mixed = cases.assign(raw=cases["weak"] * 9 - 4)
    calibration, curve, benefit = captions(page_of(mixed, score=["good", "raw"], positive="ill"))[:3]
    assert "of good" in calibration
    assert "of good" in benefit
    assert "of the models" in curve


@pytest.mark.usefixtures("unrendered")
def test_models_of_different_cases_have_pictures_in_their_own_cards_alone(cases, tmp_path):
    for n in (150, 200):
        cases[:n].to_csv(tmp_path / f"{n}.csv", index=False)
    files = [tmp_path / "150.csv", tmp_path / "200.csv"]
    page = page_of(files, score="good", positive="ill")
    assert not page.one("nav").all("a", href="#figures")
    assert [caption.split(",")[0] for caption in captions(page)[::3]] == ["Calibration"] * 2


@pytest.mark.usefixtures("unrendered")
def test_the_page_has_a_row_for_each_class_with_its_name_escaped():
    frame = pd.DataFrame({"truth": ["a", "b", "<b>c</b>"] * 9, "prediction": ["a", "b", "a"] * 9})
    page = score_predictions(frame).to_html()
    assert "<b>c" not in page
    rows = cells(parse(page), "Classes")[1:]
    assert sorted(row[0] for row in rows) == ["<b>c</b>", "a", "b"]
    assert next(row for row in rows if row[0] == "a")[1:5] == ["9", "18", "0.5000", "1.0000"]


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("columns", [["good"], ["good", "weak"]])
def test_pages_explain_their_names_and_hold_the_digest(cases, tmp_path, columns):
    path = tmp_path / "<b>.csv"
    cases.to_csv(path, index=False)
    found = score_predictions(path, score=columns, positive="ill")
    page = found.to_html()
    assert "<b>.csv" not in page
    assert found.answers[0].sha256 in page
    assert "<dt>Matthews correlation (MCC): <code>matthews_corrcoef</code></dt>" in page
    assert "<dt>Bayesian bootstrap (interval): <code>bootstrap</code></dt>" in page


def test_a_notebook_shows_the_head_of_the_page(cases):
    shown = score_predictions(cases, score="good", positive="ill")._repr_html_()
    assert shown.startswith("<iframe")
    assert "Better than trivial?" in shown
    assert "matthews_corrcoef" not in shown
    assert "data:image" not in shown


def test_a_long_file_makes_a_short_page():
    generator = np.random.default_rng(1)
    truth = generator.integers(2, size=5_000)
    frame = pd.DataFrame({"truth": truth, "score": truth + generator.normal(size=5_000)})
    assert len(score_predictions(frame).to_html()) < 1_000_000


@pytest.mark.usefixtures("unrendered")
def test_a_picture_has_a_limited_number_of_models(cases):
    names = [f"model {place}" for place in range(MOST_DRAWN + 1)]
    frame = cases[["y"]].assign(**{name: cases["good"] ** (1 + place) for place, name in enumerate(names)})
    first = captions(page_of(frame, score=names, positive="ill"))[0]
    assert "the models" not in first
    assert first.count("model ") == MOST_DRAWN
