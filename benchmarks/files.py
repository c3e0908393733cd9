"""`nontrivial score` of a long file beside pandas and scikit-learn, and of a short one beside an import.

scikit-learn has five figures without intervals, the command all of its measures with theirs. Both have the same values.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns
from nontrivial.scorecard.scored import Scored, score_files
from nontrivial.seeds import generator_for

FORMS = {"csv": pd.read_csv, "parquet": pd.read_parquet}


def by_command(path: Path) -> tuple[Scored, str]:
    """Score a file as the command does, up to the text that it prints."""
    scored = score_files([path], score="score", prediction="prediction")
    return scored, scored.to_text()


def by_scikit_learn(cases: pd.DataFrame) -> list[float]:
    """Return the two areas, the two losses and the four counts."""
    truth, score = cases["truth"], cases["score"]
    areas = metrics.roc_auc_score(truth, score), metrics.average_precision_score(truth, score)
    losses = metrics.brier_score_loss(truth, score), metrics.log_loss(truth, score)
    return [*areas, *losses, *metrics.confusion_matrix(truth, cases["prediction"]).ravel()]


def make_cases(size: int) -> pd.DataFrame:
    """Return cases whose scores are their probabilities, all different."""
    draw = generator_for("benchmark", "score_files")
    score = draw.beta(1, 2, size)
    truth = (draw.random(size) < score).astype(int)
    return pd.DataFrame({"truth": truth, "score": score, "prediction": (score >= 0.5).astype(int)})


def rows(size: int = 10_000_000, rounds: int = 1) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        cases = make_cases(size)
        for form, read in FORMS.items():
            path = Path(folder) / f"cases.{form}"
            getattr(cases, f"to_{form}")(path, index=False)
            card = by_command(path)[0].result
            ours = [card.areas[name].value for name in ("roc_auc", "average_precision")]
            ours += [each.loss for each in card.losses.values()]
            ours += [card.table[name] for name in ("tn", "fp", "fn", "tp")]
            assert np.allclose(ours, by_scikit_learn(cases), rtol=1e-9)
            calls = {
                "seconds": partial(by_command, path),
                "peer_seconds": lambda path=path, read=read: by_scikit_learn(read(path)),
            }
            peer, case = "scikit-learn: five figures, of what pandas reads", f"rows in a file, {form}"
            times = take_turns(calls, rounds)
            yield row("nontrivial score, the whole card", case, size, peer, goal=1, **times)
        short = Path(folder) / "short.csv"
        make_cases(10).to_csv(short, index=False)
        call = partial(subprocess.run, check=True, capture_output=True)
        score = [sys.executable, "-c", "from nontrivial.cli import main; main()", "score", short]
        imports = [sys.executable, "-c", "import sklearn.metrics"]
        calls = {"seconds": partial(call, score), "peer_seconds": partial(call, imports)}
        times = take_turns(calls, 3 * rounds)
        yield row("nontrivial score", "the command", 10, "scikit-learn: import of metrics", goal=1, **times)
