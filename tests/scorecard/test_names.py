"""One name for one thing: in the text, in the JSON and in Python."""

import re

import numpy as np
import pytest
from scorecard.valid import said_of_classes, score

from nontrivial import measures
from nontrivial._validation import ALIASES


def names_in(text):
    """The names in the tables of measures, areas and losses."""
    blocks = re.findall(r"^(?:measure|area|loss) .*\n((?:[a-z].*\n?)+)", text, re.MULTILINE)
    return [line.split()[0] for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_text_json_and_python_have_the_same_names(cases, kind):
    found = {
        "two classes": lambda: score(cases, score="good", positive="ill"),
        "three classes": lambda: score(said_of_classes(3)[0]),
        "numbers": lambda: score({"y": np.arange(100.0), "pred": np.arange(100.0) ** 1.1}, quantile=0.4),
    }[kind]()
    card, plain = found.result, found.to_json()
    names = [*card.measures, *card.areas, *(row.name for row in card.losses)]
    assert (
        names_in(found.to_text(every=True))
        == names
        == [*plain["measures"], *plain["areas"], *plain["losses"]]
    )
    rows = [plain["prediction_advantage"], *(plain["measures"] | plain["areas"]).values()]
    assert ALIASES.keys().isdisjoint([*names, plain["loss"], *(row["method"] for row in rows)])
    page = found.to_html()
    assert all(f"<code>{name}</code></dt>" in page for name in names)


@pytest.mark.parametrize("quantile", [None, 0.4])
def test_text_json_and_python_of_several_models_have_the_same_names(cases, quantile):
    numbers = {"y": np.arange(100.0), "good": np.arange(100.0) + 1, "weak": np.arange(100.0) ** 1.1}
    if quantile is None:
        found = score(cases, score=["good", "weak"], positive="ill")
    else:
        found = score(numbers, prediction=["good", "weak"], quantile=quantile)
    text, plain, picks = found.to_text(every=True, explain=True), found.to_json(), found.result.picks
    told = re.findall(r"is picked by (.*?)\.$", re.sub(r"\n  +", " ", text), re.M)
    said = {name for names in told for name in names.split(", ")}
    assert said == set(plain["picks"]) == set(picks)
    assert said.isdisjoint(ALIASES)
    assert picks["f1" if quantile is None else "quantile"] == ("good",)


def test_python_takes_the_other_names(cases):
    card = score(cases, score="good", positive="ill").result
    assert (card.measures["f1"], card.areas["auc"]) == (card.measures["f_beta"], card.areas["roc_auc"])
    with pytest.raises(KeyError, match="f2"):
        card.measures["f2"]
    truth, said = np.array([0, 1] * 20), np.array([0.2, 0.7] * 20)
    for other, options in (("log_loss", {}), ("brier_score", {}), ("quantile", {"quantile": 0.3})):
        of_names = [
            measures.prediction_advantage_score(truth, said, loss=loss, **options)
            for loss in (other, ALIASES[other])
        ]
        assert of_names[0] == of_names[1]
    interval = measures.prediction_advantage_interval(truth, truth, method="bayesian_bootstrap")
    assert interval.method == "bootstrap"
    assert measures.get_scorer("f1_gain")._score_func is measures.f_gain_score
