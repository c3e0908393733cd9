"""Scorecards as plain data; `score.schema.json` says what each field is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import nontrivial
from nontrivial._assumptions import assumption_of
from nontrivial.files import plain
from nontrivial.scorecard.estimates import LEVEL, Estimate
from nontrivial.scorecard.verdicts import ASSUMED
from nontrivial.seeds import INTERVAL_SEED

if TYPE_CHECKING:
    from nontrivial.scorecard.card import Scorecard
    from nontrivial.scorecard.losses import LossRow

VERSION = 1  # of the schema; greater when a field changes its meaning or goes


def card_to_json(card: Scorecard) -> dict[str, Any]:
    """Return a scorecard, with NaN as null, infinities as text, and the reason wherever there is no interval."""
    reasons = card.undefined | card.no_interval

    def explained(estimates: dict[str, Estimate]) -> dict[str, Any]:
        return {
            name: estimate_to_json(each, reasons.get(name), unequal=card.unequal)
            for name, each in estimates.items()
        }

    calibration = None if card.calibration is None else plain(asdict(card.calibration))
    if calibration:
        rows = calibration["reliability"]
        calibration["reliability"] = [_with_assumption(row, card.unequal) for row in rows]
    return {
        "file": card.name,
        "model": card.model or None,
        "sha256": card.sha256,
        **header(),
        "task": card.task,
        "loss": card.loss,
        "quantile": card.quantile,
        "positive": card.positive,
        "positive_assumed": card.assumed,
        "rule": card.rule,
        "columns": card.columns,
        "cases": card.cases,
        "positives": card.positives,
        "weight": card.weight,
        "groups": card.groups,
        "trivial_error": card.trivial_error,
        "error": card.error,
        "verdict": card.verdict,
        "test": card.test,
        "test_assumes": ASSUMED[card.test] or ("alike_mistakes" if card.unequal else None),
        "p_value": plain(card.judgement.p_better),
        "p_worse": plain(card.judgement.p_worse),
        "cases_needed": card.judgement.cases_needed,
        "prediction_advantage": _advantage_of(card.judged)
        if card.judged
        else estimate_to_json(card.advantage, card.reason, unequal=card.unequal),
        "table": card.table,
        "confusion": None if card.confusion is None else plain(asdict(card.confusion)),
        "measures": explained(card.measures),
        "areas": explained(card.areas),
        "losses": {
            row.name: {
                "loss": plain(row.loss),
                "trivial": plain(row.trivial),
                "constant": plain(row.constant),
                "prediction_advantage": _advantage_of(row),
            }
            for row in card.losses
        },
        "calibration": calibration,
        "classes": [
            {
                "label": row.label,
                "cases": row.cases,
                "predicted": row.predicted,
                "measures": plain(row.measures),
                "areas": plain(row.areas),
                "prediction_advantage": estimate_to_json(row.advantage, unequal=card.unequal),
                "p_value": plain(row.p_value),
            }
            for row in card.classes
        ],
        "warnings": list(card.warnings),
    }


def header() -> dict[str, Any]:
    """Return what every document says about how it was made."""
    return {"schema": VERSION, "nontrivial": nontrivial.__version__, "level": LEVEL, "seed": INTERVAL_SEED}


def estimate_to_json(estimate: Estimate, reason: str | None = None, *, unequal: bool) -> dict[str, Any]:
    """Return value, low, high, method and its assumption, with the reason if there is no interval."""
    fields = _with_assumption(plain(estimate._asdict()), unequal)
    return fields if estimate.method or not reason else fields | {"reason": reason}


def _advantage_of(row: LossRow) -> dict[str, Any]:
    """Return the Prediction Advantage under a loss, which says itself what its interval assumes."""
    return estimate_to_json(row.advantage, row.no_interval, unequal=False) | {"assumes": row.assumes}


def _with_assumption(fields: dict[str, Any], unequal: bool) -> dict[str, Any]:
    """Add to the fields of an interval what its method assumes, as `assumption_of` says."""
    return fields | {"assumes": assumption_of(fields["method"], unequal=unequal)}
