"""All tables within bounds are found, without trying each."""

from fractions import Fraction

import pytest
from measures.exact_tables import measures

from nontrivial.measures import confusion_measures, published_scores_possible, published_tables
from nontrivial.measures.published.feasibility import fitting_tables


def test_large_tables_take_no_time_and_stay_exact():
    tp, fn, fp, tn = 250_001, 49_999, 70_003, 629_997
    row = confusion_measures(tp, fp, fn, tn).iloc[0]
    names = ["matthews_corrcoef", "cohen_kappa", "f_beta", "accuracy"]
    table = published_tables({name: f"{row[name]:.7f}" for name in names}, positives=300_000, n=10**6)
    assert [tp, fp, fn, tn] in table[["tp", "fp", "fn", "tn"]].to_numpy().tolist()
    assert len(table) < 30
    # 10**15 cases: one hit more or fewer is beyond the floats, and not beyond whole numbers
    huge = {"positives": 4 * 10**14, "n": 10**15}
    half = {"recall": "0.500000000000000000", "specificity": "0.500000000000000000"}
    assert published_tables(half, **huge)[["tp", "tn"]].to_numpy().tolist() == [[2 * 10**14, 3 * 10**14]]
    assert published_scores_possible(half | {"accuracy": "0.50000000000000000000"}, **huge)
    assert not published_scores_possible(half | {"accuracy": "0.50000000000000000001"}, **huge)


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("matthews_corrcoef", "0.312"),
        ("matthews_corrcoef", "-0.05"),
        ("cohen_kappa", "0.3125"),
        ("p4", "0.7"),
        ("fowlkes_mallows", "0.5"),
        ("prevalence_threshold", "0.25"),
        ("goodman_kruskal_lambda", "0.3"),
        ("markedness", "0.500"),
        ("f_beta_gain", "0.75"),
        ("diagnostic_odds_ratio", "12.0"),
        ("roc_auc", "0.9"),
    ],
)
def test_the_ends_of_rows_of_large_tables_are_exact(name, printed):
    """The tables at the ends print so and those beyond do not, by exact fractions."""
    positives, negatives = 3_000, 4_500
    tables = fitting_tables({name: printed}, positives=positives, n=positives + negatives)
    assert len(tables.row) > 100
    columns = negatives if tables.order == 1 else positives
    covered = {}
    for row, low, high in zip(tables.row.tolist(), tables.low.tolist(), tables.high.tolist(), strict=True):
        covered.setdefault(row, []).append((low, high))
    for row in list(covered)[:: len(covered) // 40]:
        ends = {column for span in covered[row] for end in span for column in (end - 1, end, end + 1)}
        for column in ends & set(range(columns + 1)):
            tp, tn = (row, column) if tables.order == 1 else (column, row)
            inside = any(low <= column <= high for low, high in covered[row])
            assert prints(name, printed, tp, negatives - tn, positives - tp, tn) == inside


def prints(name, printed, tp, fp, fn, tn):
    half = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
    low, high = Fraction(printed) - half, Fraction(printed) + half
    if name == "roc_auc":  # some area between what is surely in order and what may be
        pairs = (tp + fn) * (fp + tn)
        return Fraction(tp * tn, pairs) <= high and 1 - Fraction(fp * fn, pairs) >= low
    value = measures(tp, fp, fn, tn)[name]
    return value is None or (value >= low and value <= high)


def test_too_many_tables_are_refused():
    with pytest.raises(ValueError, match="5,000,000 are listed"):
        published_tables({"accuracy": "0.9"}, positives=30_000, n=100_000)
    with pytest.raises(ValueError, match="3,000,000 are tried"):
        published_tables({"recall": "0.9"}, positives=10**14, n=10**15)
