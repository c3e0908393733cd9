"""`nontrivial score` on files of ten million rows, beside the figures that pandas and scikit-learn give in two lines.

The peer has five figures without intervals, the command all of its measures with theirs. Both have the same values.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns
from nontrivial.scorecard.scored import Scored, score_files
from nontrivial.seeds import generator_for

FORMS: dict[str, Callable[..., pd.DataFrame]] = {"csv": pd.read_csv, "parquet": pd.read_parquet}
PEER = "scikit-learn: five figures, of what pandas reads"
GOAL = 1


def by_command(path: Path) -> tuple[Scored, str]:
    """Score a file as the command does, up to the text that it prints."""
    scored = score_files([path], score="score", prediction="prediction")
    return scored, scored.to_text()


def by_scikit_learn(path: Path, read: Callable[..., pd.DataFrame]) -> list[float]:
    """Return the two areas, the two losses and the four counts."""
    cases = read(path)
    truth, score = cases["truth"], cases["score"]
    figures = [
        metrics.roc_auc_score,
        metrics.average_precision_score,
        metrics.brier_score_loss,
        metrics.log_loss,
    ]
    counts = metrics.confusion_matrix(truth, cases["prediction"])
    return [*(figure(truth, score) for figure in figures), *counts.ravel()]


def make_cases(size: int) -> pd.DataFrame:
    """Return cases whose scores are their probabilities, all different."""
    draw = generator_for("benchmark", "score_files")
    score = draw.beta(1, 2, size)
    return pd.DataFrame(
        {
            "truth": (draw.random(size) < score).astype(int),
            "score": score,
            "prediction": (score >= 0.5).astype(int),
        }
    )


def rows(size: int = 10_000_000, rounds: int = 1) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        cases = make_cases(size)
        for form, read in FORMS.items():
            path = Path(folder) / f"cases.{form}"
            getattr(cases, f"to_{form}")(path, index=False)
            card = by_command(path)[0].result
            ours = [card.areas[name].value for name in ("roc_auc", "average_precision")]
            ours += [each.loss for each in card.losses] + [
                card.table[name] for name in ("tn", "fp", "fn", "tp")
            ]
            assert np.allclose(ours, by_scikit_learn(path, read), rtol=1e-9)
            calls = {
                "seconds": lambda path=path: by_command(path),
                "peer_seconds": lambda path=path, read=read: by_scikit_learn(path, read),
            }
            times = take_turns(calls, rounds)
            yield row(
                "nontrivial score, the whole card", f"rows in a file, {form}", size, PEER, goal=GOAL, **times
            )
