"""Scores without a usual threshold have no verdict on labels, and all the others."""

import numpy as np
import pytest
from scorecard.valid import score


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("scores", [["percent"], ["percent", "other"]])
def test_scores_without_a_usual_threshold_are_ranked_alone(cases, scores):
    frame = cases.assign(percent=100 * cases["good"], other=100 * cases["weak"])
    found = score(frame, score=scores, positive="ill")
    with_threshold = score(frame, score=scores, positive="ill", threshold=50)
    verdicts, expected = found.verdicts, with_threshold.verdicts
    if len(scores) == 1:
        assert (found.result.table, found.result.measures, found.result.areas.keys()) == (
            {}, {}, with_threshold.result.areas.keys())  # fmt: skip
        verdicts, expected = {"": verdicts}, {"": expected}
    else:
        assert {each.measure for each in found.result.differences} >= {"roc_auc"}
        assert not any(each.loss for each in found.result.differences)
    for model, each in verdicts.items():
        assert each == {"ranking": expected[model]["ranking"]}
    for output in (found.to_text(every=True, explain=True), found.to_html()):
        assert "There is no verdict on labels" in " ".join(output.split())
    if len(scores) == 1:
        assert np.isnan(found.result.prediction_advantage.value)
