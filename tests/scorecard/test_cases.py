"""Which rows are one case: repeats, resamples, settings of models and visits; and which rows of files are the same."""

import re

import numpy as np
import pandas as pd
import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st

from nontrivial import score_predictions
from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.pairing import is_in_blocks
from nontrivial.scorecard.answers.reading import read_answers

N, REPEATS = 12, 10
CASE, REPEAT = np.tile(np.arange(N), REPEATS), np.repeat(np.arange(REPEATS), N)
TRUTH = np.where(np.tile([1, 1, 0, 0, 1, 0], 2 * REPEATS), "yes", "no")
PREDICTED = np.where(np.tile([1, 1, 0, 1, 0, 0], 2 * REPEATS), "yes", "no")
TESTED = {
    "OpenML": {"repeat": REPEAT, "fold": CASE % 3, "row_id": CASE, "truth": TRUTH, "prediction": PREDICTED},
    "OpenML's own": {"repeat": REPEAT, "fold": 0, "row_id": CASE, "prediction": PREDICTED, "correct": TRUTH},
    "caret": {"pred": PREDICTED, "obs": TRUTH, "rowIndex": CASE, "Resample": REPEAT, "mtry": 2},
    "tidymodels": {"id": REPEAT, ".pred_class": PREDICTED, ".row": CASE, "Class": TRUTH, ".config": "m1"},
    "seeds": {"seed": REPEAT, "case": CASE, "y": TRUTH, "pred": PREDICTED},
}


@pytest.mark.parametrize("layout", TESTED)
def test_repeats_of_a_case_are_one_group(layout, tmp_path):
    """Grouping rows by their case gives the same card as --group with the column of the case, in every layout."""
    frame, path = pd.DataFrame(TESTED[layout]), tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    result = run("score", path, "--require", "better", "--format", "json")
    assert result.exit_code == 1
    case = next(name for name in frame if np.array_equal(frame[name], CASE))
    scored = score_predictions(path)
    named = score_predictions(path, group=case)
    assert scored.result.groups == N
    assert (scored.verdicts, scored.result.columns) == (named.verdicts, named.result.columns)
    assert any(f"same {case!r} are one group" in note for note in scored.result.notes)


def test_repeats_of_numbers_and_of_several_models_are_grouped():
    values = np.tile(np.linspace(0.5, 9, N), REPEATS)
    draw = np.random.default_rng(1)
    frame = pd.DataFrame({"repeat": REPEAT, "row_id": CASE, "y": values, "prediction": values + draw.normal(size=120)})
    assert score_predictions(frame).result.groups == N
    long = pd.concat(
        [frame.assign(model="a"), frame.assign(model="b", prediction=values).sample(frac=1, random_state=0)]
    )
    scored = score_predictions(long).result
    assert (scored.pairing, {card.groups for card in scored.cards}) == ("case_numbers", {N})
    aligned = read_answers([long], options_of())
    np.testing.assert_array_equal(aligned.members[0].truth, aligned.members[1].prediction)


VISITS = {"patient_id": [1, 1, 2, 2, 3, 3], "y": [1, 1, 0, 0, 0, 1], "p": [0.9, 0.3, 0.3, 0.2, 0.1, 0.4]}
TWICE = {"repeat": [0, 0, 0, 1, 1, 1], "row_id": [0, 1, 2] * 2, "y": [1, 0, 0] * 2, "p": VISITS["p"]}
TUNED = {
    "obs": ["a", "b", "c"] * 2,
    "pred": ["a", "b", "b", "a", "b", "c"],
    "rowIndex": [1, 2, 3] * 2,
    "Resample": "Fold1",
}
UNSETTLED = [
    (VISITS, {}, r"group='patient_id', or by='COL'\."),
    (VISITS | {"fold": 1}, {}, r"recur within one value of 'fold'.*group='patient_id', or by='COL'\."),
    (VISITS | {"row_id": range(6)}, {}, "group='patient_id', or by='COL', or id='row_id'"),
    (TWICE | {"y": [1, 0, 0, 1, 1, 0]}, {}, "differ in their truth.*group='row_id', or group='none'"),
    ({name: TWICE[name] for name in ("repeat", "y", "p")}, {}, "no column that numbers.*id='COL', or group='none'"),
    (TWICE | {"row_id": range(6)}, {}, "no column that numbers.*id='row_id', or group='none'"),
    ({name: TWICE[name] for name in ("repeat", "y", "p")}, {"by": "repeat"}, "no column that numbers"),
    ({"": VISITS["patient_id"], "y": VISITS["y"], "p": VISITS["p"]}, {}, r"group='', or by='COL'"),
    ({"patient": VISITS["patient_id"], "y": VISITS["y"], "p": VISITS["p"]}, {}, r"group='patient', or by='COL'"),
    (pd.DataFrame({"y": VISITS["y"], "p": VISITS["p"]}, index=VISITS["patient_id"]), {}, "group='index', or by='COL'"),
    ({"id": [1, 1, 2, 2], "id2": [1, 2] * 2, "truth": list("abab"), ".pred_class": list("abba")},
     {"positive": "a"}, "'id' and no column that numbers"),
    (TUNED | {"id": [1, 2, 3] * 2, "repeat": [1, 1, 1, 2, 2, 2], ".config": list("aaabbb")}, {}, r"by='.config'"),
    ({"X": range(6)} | TUNED | {"mtry": [1, 1, 1, 2, 2, 2]}, {}, r"several values of 'mtry'.*by='mtry'\."),
    (TUNED | {"mtry": [1, 1, 1, 2, 2, 2], "trees": [5, 5, 5, 6, 6, 6]}, {}, r"by=\['mtry', 'trees'\]"),
    ({".row": [1, 2, 3] * 2, ".config": list("aaabbb"), "truth": list("abc") * 2, ".pred_class": list("abbabc")}, {},
     r"by='.config'\."),
    ({".config": list("aaabbb"), "truth": list("abc") * 2, ".pred_class": list("abbabc")}, {}, r"by='.config'\."),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "options", "pattern"), UNSETTLED)
def test_rows_of_one_case_with_several_readings_are_asked_for(columns, options, pattern):
    with pytest.raises(ValueError, match=pattern):
        score_predictions(columns, **options)


@pytest.mark.parametrize(
    ("columns", "options", "groups", "models"),
    [
        (VISITS, {"group": "patient_id"}, 3, 1),
        (VISITS, {"group": "none"}, None, 1),
        (VISITS | {"row_id": range(6)}, {"id": "row_id"}, None, 1),
        (VISITS | {"visit": [1, 2] * 3, "y": [1, 1, 0, 0, 0, 0]}, {"by": "visit"}, None, 2),
        (TUNED | {"mtry": [1, 1, 1, 2, 2, 2]}, {"by": "mtry"}, None, 2),
        (TWICE | {"repeat": 0, "row_id": range(6)}, {}, None, 1),
        (TWICE | {"row_id": range(6)}, {"id": "row_id"}, None, 1),
        (TUNED | {"rowIndex": range(6), "Resample": [1, 1, 1, 2, 2, 2]}, {}, None, 1),  # folds of caret
        ({name: TWICE[name] for name in ("y", "p")} | {"repeat": 1}, {}, None, 1),
    ],
)
def test_what_was_asked_for_settles_it(columns, options, groups, models):
    members = read_answers([pd.DataFrame(columns)], options_of(**options)).members
    assert len(members) == models
    assert {None if model.groups is None else len(np.unique(model.groups)) for model in members} == {groups}


# Which rows of two files are the same case.

DRAW = np.random.default_rng(3)
LABELS = DRAW.integers(0, 2, 60)
GOOD = pd.DataFrame({"y": LABELS, "p": np.clip(LABELS * 0.3 + DRAW.normal(0.35, 0.2, 60), 0.01, 0.99)})
NAMED = GOOD.assign(slide=[f"i{place}" for place in DRAW.permutation(60)])
SORTED = GOOD.sort_values("y")


@pytest.fixture
def paired(tmp_path):
    def pair(first, second, **options):
        files = [tmp_path / "one.csv", tmp_path / "two.csv"]
        for file, frame in zip(files, (first, second), strict=True):
            frame.to_csv(file, index=False)
        return score_predictions(files, **options).result

    return pair


def test_a_column_that_files_share_pairs_their_rows_and_otherwise_their_order(paired):
    better = NAMED.assign(p=NAMED["p"] * 0.9 + 0.1 * NAMED["y"])
    shuffled = paired(NAMED, better.sample(frac=1, random_state=2))
    (expected, *_), (scored, *_) = (result.differences for result in (paired(NAMED, better), shuffled))
    assert (expected.value, expected.low, expected.high) == pytest.approx((scored.value, scored.low, scored.high))
    assert shuffled.pairing == "case_numbers"
    assert paired(GOOD, GOOD.assign(p=0.4)).pairing == "order_of_rows"
    assert paired(GOOD, GOOD.iloc[::-1]).unpaired == "truth"


MISMATCHED = NAMED.assign(slide=NAMED["slide"].to_numpy()[::-1])
NUMBERED = NAMED.assign(nr=[*range(1, 60), 0])


@pytest.mark.parametrize(
    ("first", "second", "pattern"),
    [
        (SORTED, SORTED.assign(p=0.4), "sorted or in blocks.*id='COL', or id='row'"),
        (SORTED.assign(n=range(60)), SORTED.assign(p=0.4, n=range(60)), "sorted or in blocks"),
        (SORTED.reset_index(drop=True).reset_index(names=""), SORTED.assign(p=0.4), "sorted or in blocks"),
        (NAMED, MISMATCHED, "By 'slide'.*truths differ.*id='row', or id='COL'"),
        (NUMBERED, MISMATCHED.assign(nr=[*range(1, 60), 0]), "'slide' and 'nr' .*disagree.*id='slide', or id='nr'"),
    ],
)
def test_rows_of_files_that_may_be_paired_in_two_ways_are_asked_for(paired, first, second, pattern):
    with pytest.raises(ValueError, match=pattern):
        paired(first, second)
    assert paired(first, second, id="row").pairing == "order_of_rows"


def test_the_command_says_what_to_paste(tmp_path):
    pd.DataFrame(VISITS).to_csv(tmp_path / "the visits.csv", index=False)
    result = run("score", tmp_path / "the visits.csv", "--require", "better")
    message = result.stderr.strip().removesuffix(".")
    command, *alternatives = re.search(r"run: nontrivial (.*)", message)[1].split(", or with ")
    assert alternatives == ["--by COL"]
    assert f"'{tmp_path / 'the visits.csv'}' --require better --group patient_id" in command


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60))
def test_a_sorted_truth_of_many_cases_is_in_blocks_and_different_numbers_are_not(values):
    counts = np.unique(values, return_counts=True)[1]
    if len(counts) > 1 and counts.min() >= 6:
        assert is_in_blocks(np.sort(values))
    assert not is_in_blocks(np.arange(len(values)))
