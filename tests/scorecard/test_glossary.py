"""What names mean is said on every page."""

import pytest
from scorecard.valid import score


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("score_columns", [["good"], ["good", "weak"]])
def test_pages_explain_their_names_and_hold_the_digest(cases, tmp_path, score_columns):
    path = tmp_path / "<b>.csv"
    cases.to_csv(path, index=False)
    found = score(path, score=score_columns, positive="ill")
    page = found.to_html()
    assert "<b>.csv" not in page
    assert found.answers[0].sha256 in page
    assert "<dt>Matthews correlation (MCC): <code>matthews_corrcoef</code></dt>" in page
    assert "<dt>Bayesian bootstrap (interval): <code>bootstrap</code></dt>" in page
    assert page.count("matthews_corrcoef") == 1
