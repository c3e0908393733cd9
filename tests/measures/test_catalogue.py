"""Every measure of the catalogue: the formula as written, the ratio in floats and whole numbers, and what it says."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest

from nontrivial import measures
from nontrivial.measures import SCORERS, confusion_measures
from nontrivial.measures.catalogue import ALIASES, CATALOGUE, RATIO_SCALE, ROOT_SCALE, ConfusionTables, Scale
from nontrivial.measures.label_scores import LABEL_SCORES
from nontrivial.published.names import NAMES_IN_RESULTS
from nontrivial.scorecard.rendering.glossary import GLOSSARY
from nontrivial.seeds import generator_for

SMALL = np.array(list(itertools.product(range(5), repeat=4)))
BETAS = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)]
SCALES = [RATIO_SCALE, ROOT_SCALE, Scale(2, 0, 1, 1, 1), Scale(2, 1, -1, 1, 1), Scale(1, -1, 1, 0, 1)]
WITH_BETA = [(each, b) for name, each in CATALOGUE.items() for b in (BETAS if "beta" in name else [Fraction(1)])]
every_beta = pytest.mark.parametrize(("measure", "beta"), WITH_BETA, ids=[f"{each.name} {b}" for each, b in WITH_BETA])
every_measure = pytest.mark.parametrize("measure", CATALOGUE.values(), ids=CATALOGUE)


def large_tables():
    """Tables of up to a billion cases, with cells of all sizes, and with products that nearly cancel."""
    draw = generator_for("catalogue")
    cells = (10 ** draw.uniform(0, 8.3, size=(2000, 4))).astype(np.int64) - 1
    alike = draw.integers(10**8, 2 * 10**8, size=(200, 1)) + draw.integers(0, 3, size=(200, 4))
    return np.concatenate([cells, alike, [[10**9 - 1, 0, 0, 1], [1, 10**9 - 2, 1, 0], [0, 1, 10**9 - 1, 0]]])


def floats(cells, beta=Fraction(1)):
    share = float(1 / (1 + beta**2))
    return ConfusionTables(*np.asarray(cells, float).T, weights=(share, 1 - share))


def exact(cells, beta=Fraction(1)):
    return ConfusionTables(*np.asarray(cells).astype(object).T, weights=(beta.denominator**2, beta.numerator**2))


# The formulas, as the reference page prints them, and as peers define them.


def evaluated(formula, cells, beta):
    """What a formula as written comes to, in floats."""
    known = {"min": np.minimum, "max": np.maximum, "sqrt": np.sqrt, "beta": float(beta)}
    tokens = re.findall(r"[A-Za-z]\w*|[0-9.]+|\S", formula)
    code = ""
    for before, token in itertools.pairwise(["", *tokens]):
        is_product = re.fullmatch(r"[\w.]+|\)", before) and re.fullmatch(r"[\w.]+|\(", token)
        sign = "*" if is_product and before not in ("min", "max", "sqrt") else ""
        code += sign + ("**" if token == "^" else token)
    tp, fp, fn, tn = np.asarray(cells, float).T
    with np.errstate(all="ignore"):
        known |= {"TP": tp, "FP": fp, "FN": fn, "TN": tn, "P": tp + fn, "N": fp + tn, "n": tp + fp + fn + tn}
        known |= {"D": tp * tn - fp * fn, "recall": tp / (tp + fn), "specificity": tn / (fp + tn)}
        known |= {"precision": tp / (tp + fp), "NPV": tn / (tn + fn), "FPR": fp / (fp + tn), "FNR": fn / (tp + fn)}
        known["prevalence"] = known["P"] / known["n"]
        return eval(code, known)


@every_beta
def test_each_formula_as_written_is_the_ratio_on_its_scale(measure, beta):
    tables = floats(SMALL, beta)
    lacking = tables.lacking(measure.needs) if measure.needs else None
    for formula in measure.definition.split(" = "):
        expected = evaluated(formula, SMALL, beta)
        expected = np.where(np.isnan(expected), measure.at_0_by_0, expected)
        if lacking is not None:
            expected = np.where(lacking, np.nan, expected)
        np.testing.assert_allclose(measure.values(tables), expected, rtol=1e-13, atol=1e-13)


@every_beta
@pytest.mark.parametrize("cells", [SMALL, large_tables()], ids=["small", "large"])
def test_floats_are_exact_to_twelve_digits(measure, beta, cells):
    above, below = measure.exact_ratio(exact(cells, beta))
    values = measure.values(floats(cells, beta))
    np.testing.assert_array_equal(np.isnan(values), ((above == 0) & (below == 0)).astype(bool))
    is_infinite = (below == 0).astype(bool) & np.isinf(values)
    np.testing.assert_array_equal(values[is_infinite], np.where(above[is_infinite] > 0, np.inf, -np.inf))
    finite, room = np.isfinite(values), np.maximum(1, np.abs(values)) * 1e-12
    for side in (-1, 1):
        ends = map(float.as_integer_ratio, (values[finite] + side * room[finite]).tolist())
        numbers = np.array(list(ends), dtype=object).T
        assert (side * measure.compare(exact(cells[finite], beta), *numbers) <= 0).all()
    assert (finite | is_infinite | np.isnan(values)).all()


# What else a record says.


@every_measure
def test_values_are_in_their_range_and_undefined_without_a_needed_margin(measure):
    tables = floats(SMALL)
    result = measure.values(tables)
    low, high = measure.bounds
    known = result[~np.isnan(result)]
    assert low <= known.min()
    assert known.max() <= high
    assert measure.better == 0 or known.min() < known.max()
    if measure.needs:
        assert np.isnan(result[tables.lacking(measure.needs)]).all()


@every_measure
def test_a_monotone_measure_never_turns_worse_with_more_hits(measure):
    """The search of printed numbers relies on it, and on 0/0 in corners alone: no hits, or those of one class."""
    falls = False
    for positives, negatives in itertools.product(range(1, 7), repeat=2):
        tp, tn = (axis.ravel() for axis in np.indices((positives + 1, negatives + 1)))
        tables = floats(np.stack([tp, negatives - tn, positives - tp, tn], axis=1))
        values = (measure.better or 1) * measure.values(tables).reshape(positives + 1, negatives + 1)
        undefined = np.argwhere(np.isnan(values)).tolist()
        assert not measure.is_monotone or all(at in ([0, 0], [0, negatives], [positives, 0]) for at in undefined)
        for axis in (values, values.T):
            for line in axis:
                known = line[~np.isnan(line)]
                falls |= bool((known[1:] < known[:-1] - 1e-14).any())
    assert falls != measure.is_monotone


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_has_an_exact_inverse(scale):
    has_sign = scale.c == 0
    ratios = sorted({Fraction(x, y) for x in range(-6 * has_sign, 6) for y in range(1, 6)})
    values = [float(scale.values(np.float64(ratio.numerator), np.float64(ratio.denominator))) for ratio in ratios]
    assert values == sorted(values, reverse=scale.falls)
    for ratio, value in zip(ratios, values, strict=True):
        for number in (Fraction(value) + step for step in (Fraction(-1, 100), Fraction(1, 100))):
            above, below = scale.ratio_of(*number.as_integer_ratio())
            assert (ratio.numerator * below > above * ratio.denominator) == (value > number)


def test_scales_are_written_exactly():
    threshold, colligation = SCALES[2:4]
    assert [ROOT_SCALE.text(-4, 9), ROOT_SCALE.text(-2, 9), RATIO_SCALE.text(6, 4), RATIO_SCALE.text(-1, 0)] == [
        "-2/3",
        "-sqrt(2/9)",
        "3/2",
        "-inf",
    ]
    assert [threshold.text(3, 2), threshold.text(4, 1), threshold.text(1, 0)] == ["1/(1 + sqrt(3/2))", "1/3", "0"]
    assert colligation.text(2, 1) == "(-1 + sqrt(2))/(1 + sqrt(2))"


@every_measure
def test_a_record_is_all_that_names_and_explains_it(measure):
    assert measure.label[0].isupper()
    assert measure.meaning.endswith(".")
    assert GLOSSARY[measure.name] == (measure.label, measure.meaning)
    assert measure.is_column == (measure.name in confusion_measures(1, 1, 1, 1))
    words = {measure.name, *measure.aliases, *measure.headings.split()}
    others = [{other.name, *other.aliases, *other.headings.split()} for other in CATALOGUE.values() if other != measure]
    assert words.isdisjoint(set().union(*others))
    assert {NAMES_IN_RESULTS[word] for word in words} == {(measure.headings or measure.name).split()[0]}
    assert all(ALIASES[alias] == measure.name for alias in measure.aliases)
    if measure.values_of_labels:
        assert measure.source
        assert LABEL_SCORES[measure.name].__name__ in measures.__all__
        assert measure.name in SCORERS or f"neg_{measure.name}" in SCORERS
