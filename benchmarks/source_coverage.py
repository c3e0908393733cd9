"""How often intervals that resample sources hold the truth, where each source has a share of its own.

Prints a line for each number of sources. Usage: python -m benchmarks.source_coverage
"""

import numpy as np

from nontrivial_study.experiments.ranks.sources import draw_sources

SOURCES = (5, 7, 10, 15, 20, 30, 40)
SAMPLES = 2000
PAIRS = (5, 60)  # of one source
RESAMPLES = 1000


def coverage(count: int) -> float:
    """Return how often the interval at 95 % holds one half, about which the sources' shares are spread."""
    generator = np.random.default_rng([21, count])
    draws = draw_sources([str(source) for source in range(count)], RESAMPLES)
    held = 0
    for _ in range(SAMPLES):
        pairs = generator.integers(*PAIRS, size=count)
        wins = generator.binomial(pairs, generator.beta(2, 2, size=count))
        sums = draws.resampled_sums(np.column_stack([wins, pairs]))
        low, high = draws.interval(sums[:, 0] / sums[:, 1])
        held += low <= 0.5 <= high
    return held / SAMPLES


if __name__ == "__main__":
    for count in SOURCES:
        print(f"{count:3} sources: {coverage(count):.3f}")
