"""The real data sets that scikit-learn carries inside itself: no network is needed for them."""

from __future__ import annotations

import pandas as pd
from sklearn import datasets

from nontrivial_study.data.canonical import canonical_table

_LOADERS = {
    "load_breast_cancer": datasets.load_breast_cancer,
    "load_diabetes": datasets.load_diabetes,
    "load_digits": datasets.load_digits,
    "load_iris": datasets.load_iris,
    "load_wine": datasets.load_wine,
}


def load_bundled(loader: str) -> pd.DataFrame:
    """Return one of scikit-learn's bundled data sets as a canonical table.

    Parameters
    ----------
    loader : str
        The name of the function in `sklearn.datasets`, such as ``"load_iris"``.

    Returns
    -------
    DataFrame
        See `nontrivial_study.data.canonical.canonical_table`. Classes carry scikit-learn's class names; the
        diabetes features are the raw measurements, not the standardised ones.

    Raises
    ------
    ValueError
        If the loader is not one of the five bundled data sets of real data.

    Examples
    --------
    >>> load_bundled("load_iris")["target"].value_counts().to_dict()
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    if loader not in _LOADERS:
        raise ValueError(
            f"Unknown loader {loader!r}; the bundled data sets are {', '.join(sorted(_LOADERS))}."
        )
    if loader == "load_diabetes":
        bunch = datasets.load_diabetes(as_frame=True, scaled=False)
        return canonical_table(bunch.data, bunch.target)
    bunch = _LOADERS[loader](as_frame=True)
    names = {label: str(name) for label, name in enumerate(bunch.target_names)}
    return canonical_table(bunch.data, bunch.target, names)
