"""The fits, scores and tables of the retrained study as a plain joblib script: what the workflow is compared with.

It starts from the data sets in the results folder. Nothing is stored on the way, nothing can be resumed, a fit that
takes too long holds everything up, and nothing is recorded; the fits are the same.
Usage: python tests/benchmarks/plain_retrained.py CORES PROJECT TABLE
"""

import json
import sys
import warnings
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import yaml
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from nontrivial.curves.summary import curve_areas
from nontrivial.experiments.tasks.binary_tasks import dataset_name
from nontrivial.experiments.tasks.feature_encoding import encode_folds
from nontrivial.experiments.tasks.models import build_model, positive_scores
from nontrivial.seeds import seed_for


def encode(features, folds):
    """Return each fold's rows to train and to test on as numbers, made once for all models."""
    encoded = encode_folds(features, folds)
    return [encoded(number) for number in range(len(folds))]


def score(name, encoded, truth, model, specification, folds):
    """Return the areas of one model on one task, from its scores out of fold."""
    scores = np.empty(len(truth))
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for fold, (train, test) in enumerate(folds):
                seed = seed_for("fit", name, model, fold)
                rows_to_train, rows_to_test = encoded[fold]
                fitted = build_model(model, specification, seed).fit(rows_to_train, truth[train])
                scores[test] = positive_scores(fitted, rows_to_test)
                fitted.predict(rows_to_test)
        except Exception as error:
            return {"task": name, "model": model, "status": str(error)}
        return {"task": name, "model": model, "status": "ok", **curve_areas(truth, scores)}


def read_task(data, name, config):
    """Return features, truth and folds of a task."""
    table = pd.read_parquet(data / f"{name}.parquet")
    positive = json.loads((data / f"{name}.json").read_text("utf-8"))["positive"]
    truth = (table["target"] == positive).to_numpy()
    downloaded = [pd.read_parquet(path).query("task == @name") for path in data.glob("*.folds.parquet")]
    fold = pd.concat([pd.DataFrame(columns=["fold"]), *downloaded])["fold"].to_numpy(dtype=int)
    if len(fold):
        folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in np.unique(fold)]
    else:
        splitter = StratifiedKFold(config["folds"], shuffle=True, random_state=seed_for("folds", name))
        folds = list(splitter.split(truth, truth))
    return table.drop(columns="target"), truth, folds


def main(cores: int, project: Path, path: Path) -> None:
    config = yaml.safe_load((project / "config" / "config.yaml").read_text("utf-8"))
    config |= yaml.safe_load((project / "retrained.yaml").read_text("utf-8"))
    models = yaml.safe_load((project / "config" / "models.yaml").read_text("utf-8"))
    names = [*config["tasks"], *map(dataset_name, config["openml"]["tasks"])]
    tasks = {name: read_task(project / "results" / "data", name, config) for name in names}
    parallel = joblib.Parallel(n_jobs=cores)
    encoded = parallel(joblib.delayed(encode)(features, folds) for features, _, folds in tasks.values())
    done = parallel(
        joblib.delayed(score)(name, rows, truth, model, specification, folds)
        for (name, (_, truth, folds)), rows in zip(tasks.items(), encoded, strict=True)
        for model, specification in models.items()
    )
    pd.DataFrame(done).to_csv(path, index=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
