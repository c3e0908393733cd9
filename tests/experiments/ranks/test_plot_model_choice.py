"""The figure of the better models: what it shows and says."""

import numpy as np
import pandas as pd
import pytest

from nontrivial_study.experiments.ranks.ranks_figures import (
    CHOICE_AREAS,
    CHOICE_TITLES,
    YARDSTICKS,
    plot_model_choice,
)


def choice():
    rows = [
        {"yardstick": judge, "of": of, "area": area, "pairs": 10, "agreement": 0.5 + place / 20}
        for of in CHOICE_TITLES
        for judge in YARDSTICKS
        for place, area in enumerate(CHOICE_AREAS)
        if area != judge
    ]
    return pd.DataFrame(rows).assign(agreement_low=0.4, agreement_high=0.9)


def test_better_models_marks_stand_at_their_shares():
    figure = plot_model_choice(choice())
    for axes in figure.axes:
        marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        assert len(marks) == 19
        by_marker = {line.get_marker(): line.get_xdata()[0] for line in marks}
        assert by_marker == {
            marker: pytest.approx(50 + 5 * place)
            for place, (_, _, marker) in enumerate(CHOICE_AREAS.values())
        }
        heights = [line.get_ydata()[0] for line in marks]
        assert len(set(np.round(heights, 6))) == 19
    assert "(up to 10)" in figure.axes[0].get_title(loc="left")
