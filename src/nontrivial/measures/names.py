"""The other names of measures, losses and methods, which functions and look-ups accept, too; no output has them."""

from typing import Any, TypeVar

from nontrivial.measures.catalogue import CATALOGUE

Found = TypeVar("Found")

ALIASES = {
    **{alias: measure.name for measure in CATALOGUE.values() for alias in measure.aliases},
    "auc": "roc_auc",
    "log_loss": "cross_entropy",
    "quantile": "pinball",
    "bayesian_bootstrap": "bootstrap",
}


def canonical_name(name: Any) -> Any:
    """Return the name that this package uses; whatever has no other one stays as it is."""
    return ALIASES.get(name, name) if isinstance(name, str) else name


class Named(dict[str, Found]):
    """Values by name; ``[...]`` finds them by their other names, too."""

    def __missing__(self, name: str) -> Found:
        if name not in ALIASES:
            raise KeyError(name)
        return self[ALIASES[name]]
