"""Scores without a usual threshold have no verdict on labels, and all the others."""

import numpy as np
import pytest
from scorecard.valid import score


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("scores", [["percent"], ["percent", "other"]])
def test_scores_without_a_usual_threshold_are_ranked_alone(cases, scores):
    frame = cases.assign(percent=100 * cases["good"], other=100 * cases["weak"])
    scored = score(frame, score=scores, positive="ill")
    with_threshold = score(frame, score=scores, positive="ill", threshold=50)
    verdicts, expected = scored.verdicts, with_threshold.verdicts
    if len(scores) == 1:
        assert (scored.result.table, scored.result.measures, scored.result.areas.keys()) == (
            {}, {}, with_threshold.result.areas.keys())  # fmt: skip
        verdicts, expected = {"": verdicts}, {"": expected}
    else:
        assert "roc_auc" in [difference.measure for difference in scored.result.differences]
        assert not any(difference.loss for difference in scored.result.differences)
    for model, model_verdicts in verdicts.items():
        assert model_verdicts == {"ranking": expected[model]["ranking"]}
    for output in (scored.to_text(every=True, explain=True), scored.to_html()):
        assert "There is no verdict on labels" in " ".join(output.split())
    if len(scores) == 1:
        assert np.isnan(scored.result.prediction_advantage.value)
