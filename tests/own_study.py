"""The files and the configuration that the how-to page on a study of one's own tells of."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "own.md"
# What stands in for the package of the page, which is not among those of the tests.
XGBOOST = """
from sklearn.ensemble import GradientBoostingClassifier


class XGBClassifier(GradientBoostingClassifier):
    pass
"""


def blocks(language="yaml"):
    """The examples of the page, in their order."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def settings():
    """All entries of the page in one configuration."""
    own = {}
    for block in blocks():
        for kind, entries in yaml.safe_load(block).get("own", {}).items():
            own[kind] = own.get(kind, {}) | entries if isinstance(entries, dict) else entries
    return {"own": own}


def write_files(folder):
    """Write the page's data set, package, file of a model and predictions into a folder."""
    rng = np.random.default_rng(5)
    ill = np.arange(60) % 3 == 0
    age = np.where(ill, 60, 50) + rng.normal(0, 5, 60)
    sex = np.where(rng.random(60) < 0.5, "f", None)
    labels = np.where(ill, "ill", "well")
    pd.DataFrame({"age": age.round(1), "sex": sex, "outcome": labels}).to_csv(folder / "heart.csv", index=False)
    (folder / "xgboost").mkdir()
    (folder / "xgboost" / "__init__.py").write_text(XGBOOST)
    (folder / "my_models.py").write_text(blocks("python")[0])
    (folder / "predictions" / "sepsis").mkdir(parents=True)
    made = {"ward_score": age - 55, "coin": rng.random(60)}
    for model, score in made.items():
        table = pd.DataFrame({"truth": labels, "score": score, "fold": np.arange(60) % 5})
        table.to_csv(folder / "predictions" / "sepsis" / f"{model}.csv", index=False)
