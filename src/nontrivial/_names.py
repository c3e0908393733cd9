"""The other names of measures, losses and methods, which functions and look-ups take, too; no output has them."""

from __future__ import annotations

from typing import Any, TypeVar

Found = TypeVar("Found")

ALIASES = {
    "f1": "f_beta",
    "f1_gain": "f_beta_gain",
    "error": "error_rate",
    "sensitivity": "recall",
    "ppv": "precision",
    "npv": "negative_predictive_value",
    "kappa": "cohen_kappa",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "youden": "informedness",
    "auc": "roc_auc",
    "log_loss": "cross_entropy",
    "brier_score": "squared",
    "quantile": "pinball",
    "bayesian_bootstrap": "bootstrap",
}


def canonical_name(name: Any) -> Any:
    """Return the name that this package uses; whatever has no other one stays as it is.

    Examples
    --------
    >>> canonical_name("log_loss"), canonical_name("cross_entropy"), canonical_name(None)
    ('cross_entropy', 'cross_entropy', None)
    """
    return ALIASES.get(name, name) if isinstance(name, str) else name


class Named(dict[str, Found]):
    """Values by name; ``[...]`` finds them by their other names, too."""

    def __missing__(self, name: str) -> Found:
        if name not in ALIASES:
            raise KeyError(name)
        return self[ALIASES[name]]
