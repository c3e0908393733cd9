"""Reading a predictions file of OpenML's, beside liac-arff: the same bytes."""

from collections.abc import Iterator

import arff
import numpy as np

from benchmarks.turns import Row, row, take_turns
from nontrivial.seeds import generator_for
from nontrivial_study.data.archive import read_predictions


def make_file(rows: int) -> bytes:
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


def rows(size: int = 200_000, rounds: int = 3) -> Iterator[Row]:
    content = make_file(size)
    times = take_turns(
        {
            "seconds": lambda: read_predictions(content),
            "peer_seconds": lambda: arff.loads(content.decode()),
        },
        rounds,
    )
    yield row("read_predictions", "rows of a predictions file", size, "liac-arff", **times)
