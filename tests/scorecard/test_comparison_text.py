"""Several models as text."""

import numpy as np
from scorecard.valid import score


def test_blocks_of_a_comparison_without_picks_are_a_line_apart(cases):
    text = score(cases.assign(site=np.arange(200) % 2), score="good", by="site").to_text()
    assert "is picked by" not in text
    assert "\n\n\n" not in text
