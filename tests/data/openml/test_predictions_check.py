"""What is trusted of a predictions file, and what is said of the rest."""

from fractions import Fraction

import numpy as np
import pytest

from nontrivial_study.data.openml.predictions_arff import read_predictions
from nontrivial_study.data.openml.predictions_check import UnusableRun, check_predictions

HEAD = """@relation r
@attribute fold numeric
@attribute row_id numeric
@attribute confidence.no numeric
@attribute confidence.yes numeric
@attribute prediction {no,yes}
@attribute correct {no,yes}
@data
"""
TRUTH = np.array(["no", "yes", "no", "yes"], dtype=object)
FOLD = np.array([0, 0, 1, 1])
MARGINS = (-0.5, 0.25, 1.5, 3.0)  # of the pairs of a "yes" and a "no", three in four are in the right order
AREA = Fraction(3, 4)


def row(number, no, yes, prediction=None, truth=None):
    prediction = prediction or ("yes" if yes > no else "no")
    return f"{FOLD[number]},{number},{no!r},{yes!r},{prediction},{truth or TRUTH[number]}\n"


def check(rows):
    return check_predictions(read_predictions((HEAD + "".join(rows)).encode()), TRUTH, FOLD, "yes")


def refused(rows):
    with pytest.raises(UnusableRun) as caught:
        check(rows)
    return str(caught.value)


def test_margins_order_the_rows_as_confidences_do():
    table, areas, notes = check([row(number, -margin, margin) for number, margin in enumerate(MARGINS)])
    assert table["score"].tolist() == list(MARGINS)
    assert areas == {"no": float(AREA), "yes": float(AREA)}
    assert notes == ["confidences that are not from 0 to 1"]


def test_confidences_that_do_not_add_to_one_order_the_rows_too():
    _, areas, notes = check([row(number, 0.5, (margin + 0.5) / 4) for number, margin in enumerate(MARGINS)])
    assert areas["yes"] == float(AREA)
    assert notes == []


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_a_row_whose_confidences_are_all_zero_says_nothing(zero):
    rows = [row(number, -margin, margin) for number, margin in enumerate(MARGINS)]
    assert refused([*rows[:3], row(3, zero, 0.0)]) == "has rows whose confidences are all zero"


def test_predictions_that_are_missing_are_said_to_be():
    rows = [row(number, 0.4, 0.6) for number in range(4)]
    rows[1:3] = [row(number, 0.4, 0.6, prediction="?") for number in (1, 2)]
    assert refused(rows) == "has no prediction for 2 of 4 rows"


def test_confidences_of_a_class_in_capitals_are_its_own_and_noted():
    rows = [row(number, -margin, margin) for number, margin in enumerate(MARGINS)]
    capitals = (HEAD.replace("confidence.no", "CONFIDENCE.NO") + "".join(rows)).encode()
    table, areas, notes = check_predictions(read_predictions(capitals), TRUTH, FOLD, "yes")
    assert table.equals(check(rows)[0])
    assert areas == {"no": float(AREA), "yes": float(AREA)}
    assert notes[:2] == [
        "the column 'CONFIDENCE.NO' for confidence.NO",
        "the confidences of 'NO' for the class 'no'",
    ]


def test_where_two_classes_differ_by_capitals_alone_none_is_guessed():
    truth = np.array(["A", "a", "A", "a"], dtype=object)
    head = HEAD.replace("confidence.no", "confidence.a").replace("confidence.yes", "confidence.b")
    rows = "".join(f"{FOLD[number]},{number},0.5,0.5,a,{truth[number]}\n" for number in range(4))
    with pytest.raises(UnusableRun, match="has no confidences for the class 'A'"):
        check_predictions(read_predictions((head + rows).encode()), truth, FOLD, "a")


def test_a_truth_that_is_missing_is_not_a_wrong_one():
    rows = [row(number, 1 - margin / 4, margin / 4) for number, margin in enumerate([1, 3, 1, 1])]
    right, _, _ = check(rows)
    unsaid, _, notes = check([*rows[:3], row(3, 0.75, 0.25, truth="?")])
    assert unsaid.equals(right)
    assert notes == []
    assert refused([*rows[:3], row(3, 0.75, 0.25, truth="no")]) == "has a truth that is not the data set's"
