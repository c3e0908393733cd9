"""Reading files: `nontrivial score` beside pandas and scikit-learn, and predictions of OpenML's beside liac-arff.

scikit-learn has five figures without intervals, the command all of its measures with theirs. Both have the same values.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import arff
import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns
from nontrivial.scorecard.scored import Scored, score_files
from nontrivial.seeds import generator_for
from nontrivial_study.data.archive import read_predictions

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


def scorecards(size: int, rounds: int) -> Iterator[Row]:
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


def predictions_file(rows: int) -> bytes:
    """Return a predictions file as most runs have it."""
    generator = generator_for("benchmark", "predictions_arff")
    confidence = generator.random(rows).round(6)
    names = ("repeat", "fold", "row_id", "confidence.no", "confidence.yes")
    lines = ["@relation openml_task_1_predictions", "", *(f"@attribute {name} numeric" for name in names)]
    lines += ["@attribute prediction {no,yes}", "@attribute correct {no,yes}", "", "@data"]
    predicted = np.where(confidence > 0.5, "yes", "no")
    correct = np.where(generator.random(rows) < confidence, "yes", "no")
    lines += [
        f"0,{number % 10},{number},{1 - score:.6f},{score:.6f},{label},{truth}"
        for number, (score, label, truth) in enumerate(zip(confidence, predicted, correct, strict=True))
    ]
    return "\n".join(lines).encode()


def rows(size: int = 10_000_000, predictions: int = 200_000, rounds: int = 1) -> Iterator[Row]:
    yield from scorecards(size, rounds)
    content = predictions_file(predictions)
    ways = {
        "seconds": lambda: read_predictions(content),
        "peer_seconds": lambda: arff.loads(content.decode()),
    }
    times = take_turns(ways, 3 * rounds)
    yield row("read_predictions", "rows of a predictions file", predictions, "liac-arff", **times)
