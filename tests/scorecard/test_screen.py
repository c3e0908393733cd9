"""The screen: three questions, three verdicts, in at most 24 lines of at most 100 characters."""

import re
import unicodedata

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu
from scorecard.valid import class_probabilities, score

from nontrivial.measures import prediction_advantage_score


@pytest.fixture(scope="module")
def rare():
    """A good model of an event that one in 25 cases has, whose probabilities stay below one half."""
    draw = np.random.default_rng(7)
    chance = 1 / (1 + np.exp(-draw.normal(-4, 1.2, 3000)))
    died = draw.random(3000) < chance
    columns = {
        "outcome": np.where(died, "died", "alive"),
        "model": np.clip(chance, 0.001, 0.45),
        "other": np.clip(chance + draw.normal(0, 0.02, 3000), 0.001, 0.45),
        "worthless": np.round(0.02 + 0.04 * draw.random(3000), 4),
        "site": np.array(["Leeds", "York"])[np.arange(3000) % 2],
        "w": 1 + np.arange(3000) % 3,
    }
    return pd.DataFrame(columns)


@pytest.fixture
def of_rare(rare):
    return lambda frame=rare, **options: score(frame, truth="outcome", positive="died", **options)


def verdicts_of(scored):
    return {name: verdict.verdict for name, verdict in scored.verdicts.items()}


def words_of(scored, **options):
    return " ".join(scored.to_text(**options).split())


def columns_of(line):
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in line)


def test_a_good_model_of_a_rare_event_is_better_by_probabilities_and_ranking(rare, of_rare):
    scored = of_rare(score="model")
    assert verdicts_of(scored) == {"probabilities": "better", "ranking": "better", "labels": "inconclusive"}
    positives = (rare["outcome"] == "died").sum()
    ratio = round((3000 - positives) / positives)
    proposal = rf"0\.5 flags \d+ cases?\. .* cost={ratio} .* sets the threshold {1 / (1 + ratio):.2g}\."
    assert re.search(proposal, words_of(scored))
    assert f" {positives} died ({positives / 30:.2g} %) " in words_of(scored)  # of 3000
    assert verdicts_of(of_rare(score="model", cost=ratio))["labels"] == "better"
    verdict = scored.verdicts["probabilities"]
    assert verdict.p_better <= 0.025 < verdict.p_worse
    text = scored.to_text(explain=True)
    assert re.search(rf"probabilities +paired_t +p < 0.0001 +p = {verdict.p_worse:.4f}", text)
    explained = re.findall(r"^\w+", text, re.MULTILINE)
    assert {"fieller", "one_possible_case", "paired_t"} <= set(explained)
    compared = of_rare(score=["worthless", "model"])
    assert (compared.result.question, compared.result.best.model) == ("probabilities", "model")
    assert "better" not in [verdict.verdict for verdict in compared.verdicts["worthless"].values()]
    assert words_of(compared).count("Say what a missed") == 1


LONG, WIDE = " ".join(["a very long name"] * 6), "生存の予測" * 9


@pytest.mark.parametrize("options", [{}, {"cost": 24, "weight": "w"}, {"threshold": 0.1}, {"by": "site"}])
@pytest.mark.parametrize("names", [["model"], [WIDE], [LONG, WIDE]])
def test_a_screen_fits_the_terminal(rare, of_rare, monkeypatch, names, options):
    frame = rare.rename(columns=dict(zip(["model", "other"], names, strict=False)))
    frame["outcome"] = frame["outcome"].replace("alive", "alive at the end of the first month")
    scored = of_rare(frame, score=names, **options)
    for width in (20, 60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = scored.to_text().splitlines()
        assert max(map(columns_of, lines)) <= max(width, 40)
        assert not any(re.match(r" *%", line) for line in lines)
        if len(names) == 1 and "by" not in options:
            assert width < 60 or len(lines) <= 24
        else:
            starts = [re.split("YES|NO, WORSE|INCONCLUSIVE", line)[0] for line in lines]
            places = {columns_of(start) for start, line in zip(starts, lines, strict=True) if start != line}
            assert len(places) == 1
            assert ("difference from the first" in scored.to_text()) == (len(names) == 2)
    assert max(map(columns_of, scored.to_text(every=True, explain=True).splitlines())) <= 100


def test_the_screens_of_classes_and_of_numbers_fit_too():
    of_classes = score(class_probabilities(3)[0])
    assert set(of_classes.verdicts) == {"probabilities", "ranking", "labels"}
    truth = np.arange(100.0)
    of_numbers = score({"y": truth, "pred": truth + 0.3 * (-1) ** np.arange(100)})
    assert verdicts_of(of_numbers) == {"numbers": "better"}
    assert "which is R2" in of_numbers.to_text()
    many = [f"a long name of a class {place}" for place in np.arange(36) % 12]
    of_many = score({"y": many, "pred": [*many[1:], many[0]]})
    screens = [scored.to_text().splitlines() for scored in (of_classes, of_numbers, of_many)]
    assert max(columns_of(line) for screen in screens for line in screen) <= 100
    assert max(map(len, screens[:2])) <= 24


def test_labels_under_costs_are_judged_by_the_cheaper_constant(rare, of_rare):
    verdict = of_rare(score="model", cost=24).verdicts["labels"]
    truth, predicted = (rare["outcome"] == "died").astype(int), (rare["model"] >= 1 / 25).astype(int)
    expected = prediction_advantage_score(truth, predicted, loss="cost", cost=[[0, 24], [1, 0]])
    assert (verdict.loss, verdict.value) == ("cost", pytest.approx(expected))
    assert of_rare(score="model", cost=24, threshold=0.2).result.threshold == 0.2


@pytest.mark.parametrize("place", [0, 1])
def test_where_log_loss_has_no_end_the_brier_score_decides_for_all_models(cases, place):
    """A probability of 0 for the first case, which is ill, or for the second, which is well but might not be."""
    sure = cases.assign(sure=np.where(np.arange(200) == place, 0.0, cases["good"]))
    for models, loss in (("good", "cross_entropy"), ("sure", "squared"), (["good", "sure"], "squared")):
        scored = score(sure, score=models, positive="ill")
        verdicts = [card.verdicts["probabilities"] for card in getattr(scored.result, "cards", [scored])]
        assert {(verdict.loss, verdict.verdict) for verdict in verdicts} == {(loss, "better")}
        has_sentence = "may be wrong in another case" in scored.to_text()
        assert has_sentence == (loss == "squared" and place == 1)


def test_the_ranking_has_mann_whitneys_p_without_weights_alone(cases):
    verdict = score(cases, score="good", positive="ill").verdicts["ranking"]
    sides = (cases["good"][(cases["y"] == "ill") == side] for side in (True, False))
    assert verdict.p_better == mannwhitneyu(*sides, alternative="greater").pvalue
    assert np.isnan(score(cases, score="good", positive="ill", weight="w").verdicts["ranking"].p_better)


def test_scores_that_are_no_probabilities_have_no_verdict_on_these(cases):
    scored = score(cases.assign(good=10 * cases["good"] - 5), score=["good", "weak"], positive="ill")
    assert set(scored.verdicts["good"]) == {"ranking", "labels"}
    assert re.search(r"^squared +none +0\.|^squared +0\.\d+ +none", scored.to_text(every=True), re.MULTILINE)


def test_subgroups_have_a_row_each_by_the_deciding_question_and_all_prints_the_others(rare, of_rare):
    scored = of_rare(score=["model", "other"], by="site")
    assert set(scored.verdicts) == {"all", "Leeds", "York"}
    rows = re.findall(r"^    (\w+), (\w+) +([\d,]+) +(\d+)  [A-Z]", scored.to_text(), re.MULTILINE)
    died = (rare["outcome"] == "died").groupby(rare["site"]).sum()
    sizes = {"all": ["3,000", str(died.sum())], **{site: ["1,500", str(died[site])] for site in died.index}}
    models = ["model", "other"]
    assert rows == [(site, model, *sizes[site]) for site in sizes for model in models]
    assert re.search(
        r"^The ranking of model .* in the 2 subgroups that can be compared\s+\(AUC", scored.to_text(), re.MULTILINE
    )
    assert re.search(r"^ranking: AUC$", scored.to_text(every=True), re.MULTILINE)
    assert words_of(scored).count('Say what a missed "died" costs, in false alarms: cost=30') == 1
    frame = of_rare(score="model", by="site", question="ranking").to_frame().query("name == 'ranking'")
    assert frame[["subgroup", "model", "cases", "positives"]].to_numpy().tolist() == [
        [site, "", *(int(size.replace(",", "")) for size in sizes[site])] for site in sizes
    ]
    one_class_in_leeds = rare.assign(site=np.where(rare["outcome"] == "died", "York", rare["site"]))
    left_out = of_rare(one_class_in_leeds, score="model", by="site")
    assert list(left_out.result.left_out) == ["Leeds"]
    assert "same true class or value: Leeds." in words_of(left_out)


# Acting on the 60 cases at 0.01 is best, as 20 of these are positive, and 20 of all others.
RARE = np.repeat([1, 0, 0, 1, 0], [20, 40, 19_940, 20, 19_980])
CHANCES = np.repeat([0.01, 0.0012, 0.0007], [60, 19_940, 20_000])
THIRD = (np.arange(200) % 3 == 0).astype(int)
TIED = np.where(THIRD, 0.6, np.arange(200) % 2 / 5 + 0.1)
PREDICTED = f"predicted {100 * CHANCES.mean():.2g} %"


@pytest.mark.parametrize(
    ("truth", "chances", "pattern"),
    [
        (RARE, CHANCES, rf"40 positive \(0\.1 %\).* {PREDICTED}, positive 0\.1 %.* from 0\.13 % to 1 %"),
        (RARE, CHANCES, "Net benefit The .* threshold model everybody 0.0001 "),
        (THIRD, TIED, "; top 34 %: 60 % against 100 % Top 34 % 67 cases hold 67 of the 67 positives"),
    ],
)
def test_small_shares_have_two_digits_and_the_top_of_equal_scores_its_own_share(truth, chances, pattern):
    assert re.search(pattern, words_of(score({"y": truth, "p": chances}, positive="1"), every=True))


def test_a_tidy_table_has_a_row_for_each_verdict_and_measure(cases):
    scored = score(cases, score="good", positive="ill")
    frame = scored.to_frame()
    assert set(frame["kind"]) == {"verdict", "measure", "area", "loss"}
    assert frame.set_index("name").loc["recall", "value"] == scored.result.measures["recall"].value
