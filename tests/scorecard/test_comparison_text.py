"""Several models as text."""

import numpy as np
from scorecard.valid import score

from nontrivial.scorecard.comparison_text import sentences


def test_blocks_of_a_comparison_without_picks_are_a_line_apart(cases):
    text = score(cases.assign(site=np.arange(200) % 2), score="good", by="site").to_text()
    assert "is picked by" not in text
    assert "\n\n\n" not in text


def test_the_best_of_more_than_two_models_is_said_to_be_chosen_on_these_cases(cases):
    more = cases.assign(none=np.linspace(0, 1, len(cases)))
    two, three = (
        sentences(score(more, score=names, positive="ill").result)
        for names in (["good", "weak"], ["good", "weak", "none"])
    )
    assert len(three) == len(two) + 1
