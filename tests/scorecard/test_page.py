"""The page of a scorecard: one file, the answer first, the rest folded, data escaped, and figures that fit."""

import numpy as np
import pandas as pd
import pytest
from report.elements import parse, texts

from nontrivial import score_predictions
from nontrivial.measures import net_benefit_score
from nontrivial.scorecard.rendering import plots

FIRST_CAPTIONS = ["Calibration", "Precision-Recall-Gain curve", "Net benefit by threshold"]
MEASURED = ["probabilities", "ranking", "labels at 0.5"], ["PA by log loss", "AUC", "PA by 0/1 loss"]
EVIL = "<script>alert(1)</script>"


def page_of(data, **options):
    return parse(score_predictions(data, **options).to_html())


def cells(page, title):
    """The texts of a table's cells, by row; the first row has the titles."""
    table = page.one("div", aria_label=title)
    return [texts([cell for cell in row.all() if cell.tag in ("th", "td")]) for row in table.all("tr")]


def tables_in(*parts):
    return {element.attributes["aria-label"] for part in parts for element in part.all("div", role="region")}


def captions(page):
    return [element.attributes["alt"] for element in page.all("img")]


def test_the_page_is_one_file_in_which_data_is_escaped_and_labels_stay(tmp_path):
    path = tmp_path / "<b>.csv"
    labels, predicted = [EVIL, "recall", "YES"] * 20, [EVIL, "recall", "recall"] * 20
    pd.DataFrame({"truth": labels, "said": predicted, "a<b>": [0.9, 0.1, 0.2] * 20}).to_csv(path, index=False)
    of_score = score_predictions(path, score="a<b>", positive=EVIL)
    of_classes = score_predictions(path, prediction="said")
    for scored in (of_score, of_classes):
        text = scored.to_html()
        assert not [markup for markup in (EVIL, "a<b>", "<b>.csv") if markup in text]
        assert not [element for element in parse(text).all() if element.tag in ("script", "link", "iframe")]
        assert scored.answers[0].sha256 in text
    pictures = parse(of_score.to_html()).all("img")
    assert {element.attributes["src"][:26] for element in pictures} == {"data:image/svg+xml;base64,"}
    page = parse(of_classes.to_html())
    titles, *rows = cells(page, "Counts")
    assert titles == ["", *(row[0] for row in rows)]
    assert "recall" in titles
    counted = {row[0]: row[1:3] for row in cells(page, "Classes")[1:]}
    assert counted == {EVIL: ["20", "20"], "recall": ["20", "40"], "YES": ["20", "0"]}


@pytest.mark.usefixtures("unrendered")
def test_the_answer_stands_before_anything_is_unfolded(cases):
    scored = score_predictions(cases, score="good", positive="ill")
    page = parse(scored.to_html())
    rows = cells(page, "Verdicts")[1:]
    assert [row[:1] for row in rows] == [["probabilities"], ["ranking"], ["labels at 0.5"]]
    assert {row[1] for row in rows} == {"YES"}
    for row, verdict in zip(rows, scored.verdicts.values(), strict=True):
        assert f"{verdict.value:.2f} ({verdict.low:.2f} to {verdict.high:.2f})" in row[2]
    counts = [str(scored.result.table[name]) for name in ("tp", "fn", "fp", "tn")]
    assert [cell for row in cells(page, "Counts")[1:] for cell in row[1:3]] == counts
    assert tables_in(page) - tables_in(*page.all("details")) == {"Verdicts", "Counts", "In use"}
    assert "<dt>Bayesian bootstrap: <code>bootstrap</code></dt>" in scored.to_html()
    head = scored._repr_html_()
    words = ("Better than trivial?", "matthews_corrcoef", "data:image")
    assert [word in head for word in words] == [True, False, False]


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("options", [{}, {"score": ["good", "weak"]}, {"by": "half"}])
def test_the_contents_lead_to_what_the_page_holds(cases, options):
    page = page_of(cases.assign(half=cases.index % 2), **{"score": "good", "positive": "ill"} | options)
    links = {element.attributes["href"].removeprefix("#") for element in page.one("nav").all("a")}
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert {"verdicts", "figures", "details-1", "glossary", "made"} <= links <= set(ids)
    shown = captions(page)[1:4] if "by" in options else captions(page)[:3]
    assert shown == FIRST_CAPTIONS


@pytest.mark.usefixtures("unrendered")
def test_models_and_subgroups_have_a_row_each_and_six_subgroups_have_figures(cases):
    scored = score_predictions(cases, score=["weak", "good"], positive="ill")
    _, first, second = cells(parse(scored.to_html()), "ranking: AUC")
    assert (first[0], second[0]) == ("good", "weak")
    (difference,) = (element for element in scored.result.differences if element.measure == "roc_auc")
    assert f"{difference.value:.2f} ({difference.low:.2f} to {difference.high:.2f})" in second[3]
    page = page_of(cases.assign(week=cases.index % 7), score="good", by="week", positive="ill")
    deciding_title, *folded_titles = (f"{name}: {measure}" for name, measure in zip(*MEASURED, strict=True))
    assert [row[0] for row in cells(page, deciding_title)[1:]] == ["all", *"0123456"]
    assert {*(element.text for element in page.all("summary"))} >= {"all", *"0123456", *folded_titles}
    assert [captions(page).count(element) for element in FIRST_CAPTIONS] == [1 + 6] * 3


@pytest.mark.usefixtures("unrendered")
def test_what_is_drawn_fits_the_answers(cases, tmp_path):
    raw = cases.assign(raw=cases["weak"] * 9 - 4)
    of_scores = ["Precision-Recall-Gain curve", "ROC curve", "Cost curve"]
    assert captions(page_of(raw, score="raw", positive="ill"))[:3] == of_scores
    assert captions(page_of(raw, score=["good", "raw"], positive="ill"))[:3] == FIRST_CAPTIONS
    numbers = {"truth": np.arange(30) / 2, "prediction": np.arange(30.0) + 0.5}
    assert captions(page_of(numbers)) == ["Predictions against true values"]
    files = [tmp_path / "150.csv", tmp_path / "200.csv"]
    for file in files:
        cases[: int(file.stem)].to_csv(file, index=False)
    different = page_of(files, score="good", positive="ill")
    assert not different.one("nav").all("a", href="#figures")
    assert captions(different) == FIRST_CAPTIONS * 2


@pytest.fixture
def drawn(monkeypatch):
    """The figures that were drawn, laid out."""
    figures = []

    def keep(figure):
        figure.draw_without_rendering()
        figures.append(figure)
        return ""

    monkeypatch.setattr(plots, "_write_svg", keep)
    return figures


def test_the_models_of_a_comparison_have_their_curves_in_common_figures_and_legends_beside_them(cases, drawn):
    names = ["$x^2$", "other"]
    frame = cases[["y"]].assign(**{"$x^2$": cases["good"], "other": cases["weak"]})
    score_predictions(frame, score=names, positive="ill").to_html()
    for figure in drawn[:3]:  # calibration, PRG and net benefit
        legend = [text.get_text().split("\n(")[0] for text in figure.legends[0].get_texts()]
        assert {r"\$x^2\$", "other"} <= set(legend)
    for figure in drawn:
        (axes,) = figure.axes
        assert axes.get_legend() is None
        assert figure.legends[0].get_window_extent().x0 >= axes.get_window_extent().x1


def test_a_forest_plot_has_the_verdicts_of_subgroups_and_models(cases, drawn):
    scored = score_predictions(cases.assign(half=cases.index % 2), score=["good", "weak"], by="half", positive="ill")
    scored.to_html()
    axes = drawn[0].axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"{part}, {model}" for part in ("all", "0", "1") for model in ("good", "weak")
    ]
    for place, model in enumerate(("good", "weak")):
        verdicts = [of_part[model]["probabilities"] for of_part in scored.verdicts.values()]
        assert axes.lines[place].get_xdata().tolist() == [verdict.value for verdict in verdicts]
        ends = [segment[:, 0].tolist() for segment in axes.collections[place].get_segments()]
        assert ends == [[verdict.low, verdict.high] for verdict in verdicts]


def test_the_axes_fit_rare_events_and_net_benefit_is_drawn_as_it_is_computed(drawn):
    truth = np.arange(4_000) % 50 == 0
    chances = np.where(truth, 0.06, 0.015) + 0.005 * np.sin(np.arange(4_000))
    weights = 1.0 + np.arange(4_000) % 3
    scored = score_predictions({"y": truth, "p": chances})
    scored.to_html()
    calibration, _, benefit = (figure.axes[0] for figure in drawn[:3])
    rows = scored.result.calibration.reliability
    assert max(row["high"] for row in rows) < calibration.get_xlim()[1] == calibration.get_ylim()[1] < 0.3
    assert benefit.get_xlim()[1] == pytest.approx(np.quantile(chances, 0.99))
    assert benefit.get_ylim()[1] < 0.03
    drawn.clear()
    # One model of two says far more than happens.
    score_predictions({"y": truth, "p": chances, "q": chances * 12}, score=["p", "q"]).to_html()
    calibration, _, benefit = (figure.axes[0] for figure in drawn[:3])
    assert benefit.get_xlim()[1] < 0.25
    assert calibration.get_xlim()[1] == calibration.get_ylim()[1] < 0.25
    drawn.clear()
    score_predictions({"y": truth, "p": chances, "w": weights}, weight="w").to_html()
    (line,) = [line for line in drawn[2].axes[0].lines if line.get_label() == "model"]
    x, y = line.get_data()
    for place in (20, 120):
        expected = net_benefit_score(truth, chances, threshold=x[place], sample_weight=weights)
        assert y[place] == pytest.approx(expected, abs=1e-12)
