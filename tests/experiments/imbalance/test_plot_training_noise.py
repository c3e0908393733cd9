"""A row for clean and for noisy training, with the numbers of the table."""

import pandas as pd
import pytest

from nontrivial_study.experiments.imbalance.imbalance_figures import plot_training_noise
from nontrivial_study.experiments.losses.losses_figures import PROBLEMS


def test_training_noise_has_clean_and_noisy_rows():
    rows = [
        ("d", "m", "yes", noise, share, tested, "prediction_advantage", value, value - 0.1, value + 0.1)
        for noise in (0.0, 0.2)
        for share in (0.1, 0.5)
        for tested, value in (("clean", 0.9 - noise), ("noisy", 0.5 - noise))
    ]
    columns = [
        "dataset",
        "model",
        "positive",
        "noise",
        "minority_share",
        "tested_on",
        "measure",
        "value",
        "low",
        "high",
    ]
    panels = plot_training_noise(pd.DataFrame(rows, columns=columns)).axes
    drawn = [
        [line.get_ydata()[0] for line in axes.lines if line.get_color() == PROBLEMS[0][0]] for axes in panels
    ]
    assert drawn == [pytest.approx([value]) for value in (0.7, 0.9, 0.3, 0.5)]
