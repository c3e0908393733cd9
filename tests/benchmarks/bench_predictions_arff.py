"""How fast a predictions file of 200,000 rows is read, beside liac-arff.

Run by ``python tests/benchmarks/bench_predictions_arff.py``. Both read the same bytes in the same process, by turns;
the ratio of the medians is what counts.
"""

import statistics
import time

import arff
import numpy as np

from nontrivial.data.openml.predictions_arff import read_predictions

ROWS, TURNS = 200_000, 5


def make_file(rows: int) -> bytes:
    """Return a predictions file as most runs have it."""
    generator = np.random.default_rng(0)
    confidence = generator.random(rows).round(6)
    lines = ["@relation openml_task_1_predictions", ""]
    lines += [
        f"@attribute {name} numeric"
        for name in ("repeat", "fold", "row_id", "confidence.no", "confidence.yes")
    ]
    lines += ["@attribute prediction {no,yes}", "@attribute correct {no,yes}", "", "@data"]
    truth = generator.random(rows) < confidence
    for row in range(rows):
        label = "yes" if confidence[row] > 0.5 else "no"
        correct = "yes" if truth[row] else "no"
        score = confidence[row]
        lines.append(f"0,{row % 10},{row},{1 - score:.6f},{score:.6f},{label},{correct}")
    return "\n".join(lines).encode()


def seconds(action) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def main() -> None:
    content = make_file(ROWS)
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(seconds(lambda: read_predictions(content)))
        theirs.append(seconds(lambda: arff.loads(content.decode())))
    fast, slow = statistics.median(ours), statistics.median(theirs)
    print(f"{'':12} {'seconds':>8} {'rows per second':>16}")
    for name, median in (("liac-arff", slow), ("nontrivial", fast)):
        print(f"{name:12} {median:8.3f} {ROWS / median:16,.0f}")
    print(f"{ROWS:,} rows, medians of {TURNS} turns; ratio of the rates {slow / fast:.1f}")


if __name__ == "__main__":
    main()
