"""Comparisons of counts and rates of a confusion table, of which conditions are made."""

from __future__ import annotations

from nontrivial.audit.stated import Order

_COMPARED = (
    ("positives", "negatives"),
    ("predicted_positives", "positives"),
    ("predicted_positives", "predicted_negatives"),
    ("fp", "fn"),
    ("tp", "fp"),
    ("tp", "fn"),
    ("tp", "tn"),
    ("tn", "fp"),
    ("tn", "fn"),
    ("recall", "specificity"),
    ("precision", "negative_predictive_value"),
    ("prediction_advantage", "0"),
    ("informedness", "0"),
    ("accuracy", "1/2"),
)
_TWO = ("fn, tn", "fp, tp", "tp, tn", "fp, fn")  # cells that can be present together
_COUNTED = ("errors", "tp + tn", "fp", "fn", "tp", "tn", "predicted_positives", "predicted_negatives")
TABLE_ATOMS = tuple(
    Order.parse(text)
    for text in (
        *(f"{count} {symbol} 0" for count in _COUNTED for symbol in ("=", ">")),
        *(f"min({two}) > 0" for two in _TWO),
        *(
            f"{one} {symbol} {other}"
            for one, other in _COMPARED
            for symbol in ("=", "<=", ">=", "<", ">", "!=")
        ),
    )
)
