"""Several models as text."""

import numpy as np
from scorecard.valid import score


def test_blocks_of_a_comparison_without_picks_are_a_line_apart(cases):
    text = score(cases.assign(site=np.arange(200) % 2), score="good", by="site").to_text()
    assert "is picked by" not in text
    assert "\n\n\n" not in text


def test_how_predictions_were_made_is_said_of_models_that_are_not_compared_too(cases):
    cases = cases.assign(site=np.arange(200) % 2)
    of_sites = score(cases, score="good", by="site").to_text()
    of_models = score(cases, score=["good", "weak"], positive="ill").to_text()
    assert of_sites.count("positive where good >= 0.5") == of_models.count("positive where good >= 0.5") == 1
    assert of_models.count("positive where weak >= ") == 1


def test_files_of_different_length_are_not_compared(cases, tmp_path):
    paths = [tmp_path / name for name in ("all.csv", "some.csv")]
    for path, some in zip(paths, (cases, cases[:150]), strict=True):
        some.to_csv(path, index=False)
    result = score(paths, score="good", positive="ill").result
    assert result.unpaired == "number_of_cases"
