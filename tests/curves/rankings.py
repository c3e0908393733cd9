"""Labels and scores, drawn and made."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

rankings = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=30).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)
moderate = settings(deadline=None, derandomize=True, max_examples=150)


def split(rows):
    labels, scores = zip(*rows, strict=True)
    return list(labels), list(scores)


def random_case(seed, n=120, decimals=1):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < 0.3 * n)
    return labels, (rng.normal(size=n) + labels).round(decimals), rng.random(n)


def f_beta(labels, called, beta):
    """F-beta of labels and predictions of 0 and 1, in far less time than scikit-learn checks them."""
    labels, called = labels.astype(bool), called.astype(bool)
    tp, fp, fn = (labels & called).sum(), (~labels & called).sum(), (labels & ~called).sum()
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + fp + beta**2 * fn)
