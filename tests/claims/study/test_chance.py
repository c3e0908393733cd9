"""What chance gives."""

from fractions import Fraction

from nontrivial_study.documents.kinds import chance


def test_the_mean_of_all_rankings(tmp_path):
    """Of one positive and two negatives: the positive first, second and last, with ROC areas 1, 1/2 and 0."""
    (point,) = chance(tmp_path, quantity="roc_auc", positives=1, negatives=2)
    assert point.values == {"mean": Fraction(1, 2)}
    (point,) = chance(tmp_path, quantity="f1_best", positives=1, negatives=1)
    assert point.values == {"mean": (1 + Fraction(2, 3)) / 2}
