"""A number with its interval, and the reason if it is undefined or has no interval."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from nontrivial._draws import CONFIDENCE_LEVEL, MIN_UNITS, DrawSettings, Units
from nontrivial._warnings import Assumption, interval_assumption
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.measures.catalogue import AliasedDict
from nontrivial.scorecard.answers.answers import Answers
from nontrivial.scorecard.result import Result

INTERVAL_DRAWS = DrawSettings(CONFIDENCE_LEVEL, 2000)
# With fewer cases of a class, the least simulated coverage of a 95 % interval was 45 %.
MIN_CASES_OF_CLASS = 10
# The intervals for the areas of 100 classes and 10,000 cases take ten seconds.
MAX_CLASSES_WITH_INTERVALS = 100


@dataclass(frozen=True, eq=False)
class Estimate(Result):
    """A value with its interval, and the p-values of "no better" and "no worse" than trivial if it is tested.

    Without an interval, the ends are NaN and the method is empty; `reason` then says why. `assumes` names the
    assumption of the interval besides independent cases, as in `AdvantageInterval`.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    method: str = ""
    reason: str = ""
    assumes: Assumption | None = None
    p_better: float = math.nan
    p_worse: float = math.nan


def may_weigh_differently(answers: Any) -> bool:
    """Whether weights or groups are given, even if they are all equal in this sample."""
    return not answers.columns.keys().isdisjoint(("weight", "group"))


def unit_name(units: Units) -> str:
    """Return the word for what was drawn, "case" or "group"."""
    return "case" if units.groups is None else "group"


def too_few_reason(units: Units) -> str:
    """Return the reason that there are too few cases or groups for an interval."""
    if units.are_cases:
        return f"there are fewer than {MIN_UNITS} cases"
    return f"the effective sample size is below {MIN_UNITS} {unit_name(units)}s"


def with_reasons(
    estimates: Mapping[str, Estimate], answers: Answers, explain_undefined: Callable[[str], str], n_classes: int = 2
) -> AliasedDict[Estimate]:
    """Add to estimates what their intervals assume, and the reason for each value or interval that is missing."""
    no_interval = "it is undefined in too many resamples"
    if answers.units.are_few:
        no_interval = too_few_reason(answers.units)
    elif n_classes > MAX_CLASSES_WITH_INTERVALS:
        no_interval = f"there are more than {MAX_CLASSES_WITH_INTERVALS} classes"
    reasoned: AliasedDict[Estimate] = AliasedDict()
    for name, estimate in estimates.items():
        reason = ""
        if math.isnan(estimate.value):
            reason = explain_undefined(name)
        elif not estimate.method:
            area = CURVE_AREAS.get(name.removeprefix("macro_"))
            reason = (area and area.why_no_interval) or no_interval
        assumes = interval_assumption(estimate.method, unequal=may_weigh_differently(answers))
        reasoned[name] = replace(estimate, reason=reason, assumes=assumes)
    return reasoned


def estimates_of_areas(areas: pd.DataFrame) -> dict[str, Estimate]:
    """Convert the columns of a table of bootstrapped areas to estimates."""
    estimates = {}
    for name, column in areas.items():
        value, low, high = map(float, column[["estimate", "low", "high"]])
        interval = (low, high, areas.attrs["method"]) if column["resamples"] else ()
        estimates[str(name)] = Estimate(value, *interval)
    return estimates
