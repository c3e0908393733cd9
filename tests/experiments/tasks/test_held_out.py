"""F1 at thresholds chosen on other folds, against trying every threshold one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial_study.experiments.tasks.scores import held_out_cost_advantage, held_out_f1


def f1(truth, called):
    """0 without a true positive: the truth holds one."""
    return 2 * (truth & called).sum() / max(truth.sum() + called.sum(), 1)


def tried(truth, score, fold):
    """Each fold's cases at the best of the other folds' scores, the greatest of equals; F1 of all of them."""
    called = np.zeros(len(truth), dtype=bool)
    for number in set(fold):
        here = fold == number
        others = truth[~here], score[~here]
        quality = {t: f1(others[0], others[1] >= t) for t in set(others[1])}
        best = max(quality.values())
        if best > 0:
            called[here] = score[here] >= max(
                t for t, reached in quality.items() if np.isclose(reached, best, rtol=1e-12)
            )
    return f1(truth, called)


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.data())
def test_against_trying_every_threshold(data):
    n = data.draw(st.integers(4, 25))
    column = lambda values: np.array(data.draw(st.lists(values, min_size=n, max_size=n)))  # noqa: E731
    truth, score, fold = column(st.booleans()), column(st.integers(0, 8)), column(st.integers(0, 3))
    truth[0], fold[:2] = True, [0, 1]
    assert held_out_f1(truth, score, fold) == pytest.approx(tried(truth, score, fold), abs=1e-12)


def test_the_threshold_is_not_chosen_on_the_cases_it_is_judged_on():
    """Each fold ranks its own cases perfectly, but on a scale of its own."""
    truth = np.array([True, False] * 4)
    score = np.array([0.9, 0.8, 0.9, 0.8, 0.3, 0.2, 0.3, 0.2])
    fold = np.repeat([0, 1], 4)
    # By the other's scale everything of the first fold is positive, and nothing of the second.
    assert held_out_f1(truth, score, fold) == pytest.approx(2 * 2 / (4 + 4))
    # With both scales in each fold, the least score of a positive is best: 3 of 4 cases are called positive.
    assert held_out_f1(truth, score, np.tile([0, 0, 1, 1], 2)) == pytest.approx(2 * 4 / (6 + 4))


def test_one_fold_leaves_nothing_to_choose_on():
    assert np.isnan(held_out_f1(np.array([True, False]), np.array([1, 0]), np.array([0, 0])))
    # All positives in one fold: the others know of none, and it is not called.
    assert held_out_f1(np.array([True, False, False]), np.array([3, 2, 1]), np.array([0, 1, 1])) == 0


def tried_cost(truth, score, fold, cost):
    called = np.zeros(len(truth), dtype=bool)
    for number in set(fold):
        here = fold == number
        saved = {
            t: (1 + cost) * (truth & (score >= t))[~here].sum() - (score >= t)[~here].sum()
            for t in set(score[~here])
        }
        if max(saved.values()) > 0:
            called[here] = score[here] >= max(t for t, worth in saved.items() if worth == max(saved.values()))
    spent = cost * (truth & ~called).sum() + (called & ~truth).sum()
    return 1 - spent / min(cost * truth.sum(), (~truth).sum())


@pytest.mark.parametrize("seed", range(20))
def test_cost_against_trying_every_threshold(seed):
    generator = np.random.default_rng(seed)
    truth = np.array([True, False, *(generator.random(20) < 0.3)])
    score = truth + generator.integers(0, 4, 22)
    fold = np.arange(22) % 4
    assert held_out_cost_advantage(truth, score, fold, 5) == pytest.approx(tried_cost(truth, score, fold, 5))
