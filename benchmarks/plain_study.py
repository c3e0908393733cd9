"""Fits, scores and tables of a study as a plain joblib script: what the workflow is compared with.

It starts from the data sets in the results folder. Nothing is stored on the way, nothing can be resumed, a fit that
takes too long holds everything up, and nothing is recorded; the fits are the same.
Usage: python benchmarks/plain_study.py CORES SETTINGS FOLDER, in a project's folder
"""

import sys
import warnings
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import yaml
from sklearn.model_selection import StratifiedKFold
from snakemake.utils import update_config
from threadpoolctl import threadpool_limits

from nontrivial.curves.areas import curve_areas
from nontrivial.files import read_json
from nontrivial.measures.confusion import confusion_measures
from nontrivial.seeds import seed_for
from nontrivial_study.config import read_defaults
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.experiments.plan import make_plan
from nontrivial_study.experiments.ranks.disagreement import rank_disagreement
from nontrivial_study.experiments.tasks.models import build_model, positive_scores
from nontrivial_study.experiments.tasks.tasks import resolve_task, rows_of
from nontrivial_study.experiments.tasks.training import encode_folds

DATA = Path("results/data")


def encode(task, config):
    """Return what is known of a task, its truth and its folds, and the rows of each fold as numbers."""
    record = read_json(DATA / f"{task.dataset}.json")
    task = resolve_task(task, record)
    table = pd.read_parquet(DATA / f"{task.dataset}.parquet")
    truth = (table["target"] == task.positive).to_numpy()
    downloaded = [pd.read_parquet(path) for path in DATA.glob("*.folds.parquet")]
    known_folds = pd.concat([pd.DataFrame(columns=["task", "fold"]), *downloaded])
    fold = known_folds.loc[known_folds["task"] == task.name, "fold"].to_numpy(dtype=int)
    if len(fold):
        folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in np.unique(fold)]
    else:
        splitter = StratifiedKFold(config["folds"], shuffle=True, random_state=seed_for("folds", task.name))
        folds = list(splitter.split(truth, truth))
    encoded = encode_folds(table.drop(columns="target"), folds)
    known = {"task": task.name, "rows_of": rows_of(task, record)}
    return known, truth, folds, [encoded(number) for number in range(len(folds))]


def score(known, truth, folds, encoded, model, specification):
    """Return the areas and the confusion table of one model on one task, from its predictions out of fold."""
    scores, predicted = np.empty(len(truth)), np.empty(len(truth), dtype=bool)
    row = known | {"model": model}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for number, ((train, test), (rows_to_train, rows_to_test)) in enumerate(zip(folds, encoded, strict=True)):
                seed = seed_for("fit", known["task"], model, number)
                fitted = build_model(model, specification, seed).fit(rows_to_train, truth[train])
                scores[test] = positive_scores(fitted, rows_to_test)
                predicted[test] = fitted.predict(rows_to_test)
        except Exception as error:
            return row | {"status": str(error)}, [0, 0, 0, 0]
        cells = np.bincount(2 * truth + predicted, minlength=4)[[3, 1, 2, 0]]
        return row | {"status": "ok", **curve_areas(truth, scores)}, cells


def main(cores: int, settings: str, folder: Path) -> None:
    names = ("config", "datasets", "common_datasets", "models", "published")
    files = {name: yaml.safe_load(Path(f"config/{name}.yaml").read_text("utf-8")) for name in names}
    config = read_defaults() | files["config"]
    update_config(config, yaml.safe_load(Path(settings).read_text("utf-8")))
    plan = make_plan(config, files["datasets"] | expand_originals(files["common_datasets"]), files["models"])
    tasks = [task for chunk in plan.chunks.values() for task in chunk]
    parallel = joblib.Parallel(n_jobs=cores)
    encoded = parallel(joblib.delayed(encode)(task, config) for task in tasks)
    done = parallel(
        joblib.delayed(score)(*rows, model, specification)
        for rows in encoded
        for model, specification in plan.models.items()
    )
    areas = pd.DataFrame([row for row, _ in done])
    published, ranking = files["published"]["rank_disagreement"], config["ranking"]
    tables = {
        "curve_areas": areas,
        "measures": confusion_measures(*np.array([cells for _, cells in done]).T),
        "rank_disagreement": rank_disagreement(areas, ranking["pairs"], published, ranking["resamples"]),
    }
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
