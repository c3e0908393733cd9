"""The screen: three questions, three verdicts, in at most 24 lines of at most 100 characters."""

import re
import unicodedata

import numpy as np
import pandas as pd
import pytest
from commands import assert_one_sentence, run
from scipy.stats import mannwhitneyu
from scorecard.valid import said_of_classes, score

from nontrivial.measures import prediction_advantage_score


@pytest.fixture(scope="module")
def rare():
    """A good model of an event that one in 25 cases has, whose probabilities stay below one half."""
    draw = np.random.default_rng(7)
    logit = draw.normal(-4, 1.2, 3000)
    chance = 1 / (1 + np.exp(-logit))
    died = draw.random(3000) < chance
    noise = np.clip(chance + draw.normal(0, 0.02, 3000), 0.001, 0.45)
    return pd.DataFrame(
        {
            "outcome": np.where(died, "died", "alive"),
            "model": np.clip(chance, 0.001, 0.45),
            "other": noise,
            "worthless": np.round(0.02 + 0.04 * draw.random(3000), 4),
            "site": np.array(["Leeds", "York"])[np.arange(3000) % 2],
        }
    )


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """A terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")


def lines_of(found):
    return found.to_text().splitlines()


def verdicts_of(found):
    return {name: each.verdict for name, each in found.verdicts.items()}


def test_a_good_model_of_a_rare_event_is_better_by_probabilities_and_ranking(rare):
    found = score(rare, truth="outcome", score="model", positive="died")
    assert verdicts_of(found) == {"probabilities": "better", "ranking": "better", "labels": "inconclusive"}
    positives = (rare["outcome"] == "died").sum()
    ratio = round((3000 - positives) / positives)
    text = " ".join(found.to_text().split())
    assert f" cost={ratio} (as many" in text
    assert f"threshold {1 / (1 + ratio):.2g}." in text
    assert (
        verdicts_of(score(rare, truth="outcome", score="model", positive="died", cost=ratio))["labels"]
        == "better"
    )
    each = found.verdicts["probabilities"]
    assert each.p_better <= 0.025 < each.p_worse
    row = rf"probabilities +paired_t +p = {each.p_better:.4f} +p = {each.p_worse:.4f}"
    assert re.search(row, found.to_text(explain=True))
    worthless = score(rare, truth="outcome", score="worthless", positive="died")
    assert "better" not in verdicts_of(worthless).values()
    both = score(rare, truth="outcome", score=["worthless", "model"], positive="died").result
    assert (both.question, both.best.model) == ("probabilities", "model")


def columns_of(line):
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in line)


@pytest.mark.parametrize("options", [{}, {"cost": 24, "weight": "w"}, {"threshold": 0.1}])
@pytest.mark.parametrize("score_of", ["model", "生存の予測" * 9])
def test_one_model_has_one_screen(rare, monkeypatch, score_of, options):
    frame = rare.assign(w=1 + np.arange(3000) % 3).rename(columns={"model": score_of})
    frame["outcome"] = frame["outcome"].replace("alive", "alive at the end of the first month")
    found = score(frame, truth="outcome", positive="died", score=score_of, **options)
    for width in (60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = lines_of(found)
        assert len(lines) <= 24
        assert max(map(columns_of, lines)) <= width
        assert not any(re.match(r" *%", line) for line in lines)


@pytest.mark.parametrize("options", [{}, {"by": "site"}])
def test_rows_of_models_and_subgroups_fit_and_their_columns_align(rare, monkeypatch, options):
    names = {"model": " ".join(["a very long name"] * 6), "other": "予測モデル"}
    frame = rare.rename(columns=names)
    found = score(frame, truth="outcome", positive="died", score=[*names.values()], **options)
    for width in (60, 80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = lines_of(found)
        assert max(map(columns_of, lines)) <= width
        rows = [re.split(r"(YES|NO, WORSE|INCONCLUSIVE)", line) for line in lines]
        assert len({columns_of(row[0]) for row in rows if len(row) > 1}) == 1


def test_the_screen_of_classes_and_of_numbers():
    of_classes = score(said_of_classes(3)[0])
    assert set(of_classes.verdicts) == {"probabilities", "ranking", "labels"}
    assert of_classes.verdicts["ranking"].measure == "macro_roc_auc"
    truth = np.arange(100.0)
    of_numbers = score({"y": truth, "pred": truth + 0.3 * (-1) ** np.arange(100)})
    assert verdicts_of(of_numbers) == {"numbers": "better"}
    assert "which is R2" in of_numbers.to_text()
    for found in (of_classes, of_numbers):
        lines = lines_of(found)
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 100


def test_labels_under_costs_are_judged_by_the_cheaper_constant(rare):
    found = score(rare, truth="outcome", score="model", positive="died", cost=24).verdicts["labels"]
    truth, said = (rare["outcome"] == "died").astype(int), (rare["model"] >= 1 / 25).astype(int)
    expected = prediction_advantage_score(truth, said, loss="cost", cost=[[0, 24], [1, 0]])
    assert (found.loss, found.value) == ("cost", pytest.approx(expected))
    given = score(rare, truth="outcome", score="model", positive="died", cost=24, threshold=0.2).result
    assert given.threshold == 0.2


def test_a_probability_of_0_for_what_happened_leaves_the_brier_score_for_all(rare):
    worst = rare.assign(
        sure=np.where(np.arange(3000) == (rare["outcome"] == "died").argmax(), 0.0, rare["model"])
    )
    found = score(worst, truth="outcome", score=["model", "sure"], positive="died").result
    assert {card.verdicts["probabilities"].loss for card in found.cards} == {"squared"}
    assert found.question == "probabilities"


def test_the_ranking_has_mann_whitneys_p_without_weights_alone(cases):
    found = score(cases, score="good", positive="ill").verdicts["ranking"]
    sides = (cases["good"][(cases["y"] == "ill") == side] for side in (True, False))
    assert found.p_better == mannwhitneyu(*sides, alternative="greater").pvalue
    assert np.isnan(score(cases, score="good", positive="ill", weight="w").verdicts["ranking"].p_better)
    worse = score(cases.assign(good=1 - cases["good"]), score="good", positive="ill").verdicts["ranking"]
    assert (worse.verdict, worse.high < 0.5) == ("worse", True)


def test_where_log_loss_has_no_end_the_brier_score_decides(cases):
    """A probability of 0 that was right: in one more case it may be wrong."""
    sure = cases.assign(sure=np.where(np.arange(200) == 1, 0.0, cases["good"]))
    for models in ("sure", ["good", "sure"]):
        found = score(sure, score=models, positive="ill")
        verdicts = [card.verdicts["probabilities"] for card in getattr(found.result, "cards", [found])]
        assert {(each.loss, each.verdict) for each in verdicts} == {("squared", "better")}
        assert "a probability of 0 or 1 may be wrong in another case" in found.to_text()
    only = score(sure, score="good", positive="ill")
    assert only.verdicts["probabilities"].loss == "cross_entropy"
    assert "another case" not in only.to_text()


def test_a_terminal_of_20_columns_gets_the_screen(cases, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    assert "YES" in score(cases, score="good", positive="ill").to_text()


def test_three_models_fit_a_narrow_screen_without_their_differences(cases, monkeypatch):
    frame = cases.assign(none=np.linspace(0.1, 0.9, 200))
    found = score(frame, score=["good", "weak", "none"], positive="ill")
    assert "difference from the first" in found.to_text()
    monkeypatch.setenv("COLUMNS", "60")
    assert "difference" not in found.to_text()


def test_scores_that_are_no_probabilities_have_no_verdict_on_these_and_want_a_threshold_for_costs(cases):
    margins = cases.assign(good=10 * cases["good"] - 5)
    assert set(score(margins, score="good", positive="ill").verdicts) == {"ranking", "labels"}
    with pytest.raises(ValueError, match="cost sets no threshold; give one with threshold"):
        score(margins, score="good", positive="ill", cost=3)
    with pytest.raises(ValueError, match=r"cost is 0; it must be a number above 0"):
        score(cases, score="good", positive="ill", cost=0)


def test_subgroups_are_rows_beside_all_and_nobody_is_best(rare):
    found = score(rare, truth="outcome", score=["model", "other"], by="site", positive="died")
    assert list(found.result.parts) == ["Leeds", "York"]
    assert [card.cases for part in found.result.parts.values() for card in part.cards] == [1500] * 4
    text = found.to_text()
    assert "Leeds and York hold different cases, so they are not compared." in text
    assert "best of" not in text
    assert set(found.verdicts) == {"all", "Leeds", "York"}


@pytest.mark.parametrize("column", ["model", "version"])
def test_a_column_with_the_name_of_models_or_with_the_same_case_numbers_holds_models(cases, column):
    parts = [
        cases[["y"]].assign(p=cases[name], case_id=np.arange(200), **{column: name})
        for name in ("good", "weak")
    ]
    found = score(pd.concat(parts), score="p", by=column, positive="ill").result
    assert [card.model for card in found.cards] == ["good", "weak"]
    assert found.pairing == "case_numbers"


def test_a_subgroup_of_one_class_is_named(rare):
    one = rare.assign(site=np.where(rare["outcome"] == "died", "York", rare["site"]))
    found = score(one, truth="outcome", score="model", by="site", positive="died")
    assert list(found.result.left_out) == ["Leeds"]
    assert "Leeds is not scored" in found.to_text()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--score", "model", "--require", "better"], 0),
        (["--score", "model", "--require", "better", "--question", "labels"], 1),
        (["--score", "model", "--require", "not-worse", "--question", "labels"], 0),
        (["--score", "model", "--score", "worthless", "--require", "better"], 1),
        (["--score", "model", "--require", "better", "--question", "numbers"], 2),
    ],
)
def test_a_requirement_sets_the_exit_status(rare, tmp_path, options, code):
    rare.to_csv(tmp_path / "a.csv", index=False)
    result = run("score", tmp_path / "a.csv", "--truth", "outcome", "--positive", "died", *options)
    assert result.exit_code == code
    if code == 1:
        assert re.fullmatch(r"--require \S+ does not hold: .*\n", result.stderr)
    if code == 2:
        assert_one_sentence(result, "--question is 'numbers', which")


def test_no_interval_counts_as_not_better(tmp_path):
    pd.DataFrame({"y": [0, 1, 1, 0], "p": [0.1, 0.9, 0.8, 0.2]}).to_csv(tmp_path / "a.csv", index=False)
    for require in ("better", "not-worse"):
        found = run("score", tmp_path / "a.csv", "--require", require, "--question", "probabilities")
        assert found.exit_code == 1


def test_shares_below_one_percent_and_thresholds_of_rare_events_have_two_digits():
    """Acting on the 60 cases at 0.01 of 40,000 is best, as 20 of these are positive, and 20 of all others."""
    truth = np.repeat([1, 0, 0, 1, 0], [20, 40, 19_940, 20, 19_980])
    chance = np.repeat([0.01, 0.0012, 0.0007], [60, 19_940, 20_000])
    found = score({"y": truth, "p": chance}, positive="1")
    text = " ".join(found.to_text().split())
    assert "40 positive (0.1 %)" in text
    assert f"predicted {100 * chance.mean():.2g} %, positive 0.1 %" in text
    assert "from 0.13 % to 1 %" in text
    assert found.result.calibration.beneficial == ((0.0013, 0.01),)
    assert min(row.threshold for row in found.result.calibration.net_benefit) == 0.0001


def test_the_top_of_equal_scores_has_its_own_share():
    truth = np.arange(200) % 3 == 0
    text = score({"y": truth, "p": np.where(truth, 0.6, np.arange(200) % 2 / 5 + 0.1)}).to_text()
    assert "top 34 %: 60 % against 100 %" in " ".join(text.split())
    assert "\nTop 34 %     67 cases hold 67 of the 67 positives" in text
    assert "Top tenth" not in text


@pytest.mark.parametrize("options", [{"score": ["model", "other"]}, {"score": "model", "by": "site"}])
def test_a_cost_is_suggested_once_for_models_and_subgroups(rare, options):
    text = score(rare, truth="outcome", positive="died", **options).to_text()
    assert text.count("in false alarms: cost=30") == 1
    costly = score(rare, truth="outcome", positive="died", cost=30, **options).to_text()
    assert "Say what" not in costly


def test_models_of_different_cases_show_how_many(cases, tmp_path):
    for n in (150, 200):
        cases[:n].to_csv(tmp_path / f"{n}.csv", index=False)
    files = [tmp_path / "150.csv", tmp_path / "200.csv"]
    found = score(files, score="good", positive="ill")
    assert "200.csv (200)  " in found.to_text()
    assert "150.csv (150)  " in found.to_text()
    assert set(found.to_frame()["model"]) == {"150.csv", "200.csv"}


@pytest.mark.parametrize(
    ("options", "said"),
    [({}, "there are fewer than 5 cases"), ({"group": "g"}, "effective sample size is below 5 groups")],
)
def test_too_few_cases_are_named_as_what_they_are(options, said):
    found = score({"y": [0, 1, 1, 0], "p": [0.1, 0.9, 0.8, 0.2], "g": list("abcc")}, **options)
    assert said in " ".join(found.to_text(every=True).split())


def test_a_tidy_table_has_a_row_for_each_verdict_and_measure(cases):
    frame = score(cases, score="good", positive="ill").to_frame()
    assert set(frame["kind"]) == {"verdict", "measure", "area", "loss"}
    assert (
        frame.set_index("name").loc["recall", "value"]
        == score(cases, score="good", positive="ill").result.measures["recall"].value
    )


def test_a_subgroup_that_is_not_scored_does_not_pass_the_gate():
    draw = np.random.default_rng(1)
    truth = np.arange(400) % 2
    site = np.array(["Leeds", "York"])[np.arange(400) // 200]
    table = pd.DataFrame({"y": truth, "p": np.clip(0.3 + 0.4 * truth + draw.normal(0, 0.2, 400), 0.1, 0.9)})
    found = score(table.assign(site=site), truth="y", score="p", positive="1", by=["site"])
    assert found.failing("better") == []
    lost = score(
        table.assign(site=site, y=truth * (site == "Leeds")), truth="y", score="p", positive="1", by=["site"]
    )
    assert "York: not scored" in lost.failing("not-worse")


@pytest.mark.parametrize("by", ["site", ["site", "model"]])
def test_models_in_rows_are_compared_within_subgroups(cases, by):
    parts = [
        cases[["y"]].assign(p=cases[name], model=name, site=np.where(np.arange(200) < 120, "a", "b"))
        for name in ("good", "weak")
    ]
    found = score(pd.concat(parts), score="p", by=by, positive="ill").result
    assert [card.model for card in found.whole.cards] == ["good", "weak"]
    assert {name: part.best.cases for name, part in found.parts.items()} == {"a": 120, "b": 80}
    assert all(part.pairing and part.differences for part in found.parts.values())
