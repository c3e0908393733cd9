"""Forgeries after which every digest was renewed: each is named, or stands among what was not checked.

The results are handed on without their project, so that the forger has all of it in hand; the code that is installed
here is not his.
"""

import contextlib
import json
import shutil
from dataclasses import dataclass, replace

import pandas as pd
import pytest
import yaml
from provenance.small_study import BATCHES, ROWS, RUN, TOY, made_in, picture, predictions, render_from

from nontrivial.claims.claim import claim_from_json
from nontrivial.claims.found import found_from_json
from nontrivial.claims.judge import judge_claims, make_record
from nontrivial.claims.registry import load_claims
from nontrivial.files import read_json, write_json
from nontrivial_study.data.canonical import TARGET, canonical_sha256, dataset_record, write_dataset
from nontrivial_study.documents.evidence import verdict_of, verdict_table, write_evidence
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions, write_batch
from nontrivial_study.provenance.crate import write_crate
from nontrivial_study.provenance.manifest import write_manifest
from nontrivial_study.provenance.project import project_files
from nontrivial_study.provenance.recompute import GIVEN
from nontrivial_study.provenance.verify import verify
from nontrivial_study.tables import write_parquet, write_table

UNCOMPUTED, UNJUDGED, UNTRAINED, UNSIGNED = "tables, figures", "claims", "predictions", "manifest-sha256.txt"


@pytest.fixture
def forged(pristine_study, tmp_path):
    """Results that stand alone."""
    shutil.copytree(pristine_study, tmp_path / "handed-on")
    return tmp_path / "handed-on"


def renew(results):
    write_crate(results, [name for name in made_in(results) if (results / name).exists()])
    write_manifest(results, project_files(results / "code", ["own.yaml"]))


def page_again(results):
    with contextlib.suppress(ValueError):  # of a page that refuses verdicts; a forger then leaves it
        render_from(results / "code", results)


def edit(name, old, new):
    def change(results):
        text = (results / name).read_text()
        assert old in text
        (results / name).write_text(text.replace(old, new))

    return change


def add(name, text=""):
    return lambda results: (results / name).write_text(text)


def data(table, **record):
    """Write other data, with a record that has their digest."""

    def change(results):
        described = dataset_record("toy", ROWS, TOY) | {"sha256": canonical_sha256(table), "rows": len(table)}
        write_dataset(results / "data" / "toy.parquet", table, described | record)

    return change


def data_with_their_pins(results):
    doubled = pd.concat([ROWS, ROWS], ignore_index=True)
    entry = TOY | {"rows": 18, "classes": dict.fromkeys("abc", 6), "sha256": canonical_sha256(doubled)}
    write_dataset(results / "data" / "toy.parquet", doubled, dataset_record("toy", doubled, entry))
    (results / "code" / "config" / "datasets.yaml").write_text(yaml.safe_dump({"toy": entry}))
    predict(lambda rows: pd.concat([rows, rows.assign(row=rows["row"] + 9)]), cells=36)(results)
    page_again(results)


def no_data(results):
    for ending in ("parquet", "json"):
        (results / "data" / f"toy.{ending}").unlink()


def another_version(results):
    write_json(results / "report" / "about.json", {"version": "9.9"})
    page_again(results)


def repeats(results):
    """Add a repetition of a model, with the opposite of the data's truth."""
    run(config=RUN["config"] | {"repeats": {"dataset": "toy"}})(results)
    record = read_json(results / "data" / "toy.json")
    write_json(results / "data" / "toy.json", record | {"positive": "a"})
    rows = pd.DataFrame({"row": range(9), "truth": ROWS[TARGET] != "a"}).assign(repeat=0, model="tree")
    write_parquet(results / "predictions" / "repeats-00.parquet", rows)


def predict(rows=lambda rows: rows, runs=lambda runs: runs, leave_out=(), **of_task):
    """Write other predictions with their digests; `rows` and `runs` change those of one model, or of one task."""

    def change(results):
        for batch, names in BATCHES.items():
            members = {
                member.task.name: member for member in Batch(results / "predictions" / f"{batch}.parquet")
            }
            kept = [name for name in names if name not in leave_out]
            made = {
                name: TaskPredictions(
                    replace(members[name].task, **of_task),
                    pd.concat(
                        [rows(one) for _, one in members[name].predictions.groupby("model", sort=False)],
                        ignore_index=True,
                    ),
                    runs(members[name].runs),
                )
                for name in kept
            }
            path = results / "predictions" / f"{batch}.parquet"
            path.unlink()
            write_batch(path, {name: name for name in kept}, lambda names, made=made: map(made.get, names))

    return change


def judge_again(results):
    """Let the verdicts and the page follow from the tables and the registry."""
    write_evidence(
        judge_claims(load_claims(results / "code" / "config" / "claims"), results), results / "claims"
    )
    page_again(results)


def verdicts(change):
    def tell(results):
        told = change(json.loads((results / "claims" / "verdicts.json").read_text()))
        write_json(results / "claims" / "verdicts.json", told)
        write_table(results / "claims" / "verdicts.csv", verdict_table(told))
        page_again(results)

    return tell


def reproduced(told):
    return [verdict | {"verdict": "reproduced"} if verdict["id"] == "order" else verdict for verdict in told]


def without_a_claim(results):
    (results / "claims" / "order.json").unlink()
    verdicts(lambda told: [verdict for verdict in told if verdict["id"] != "order"])(results)


def found_nothing(results):
    evidence = read_json(results / "claims" / "order.json")
    nothing = dict.fromkeys(("witness", "values", "exactly_when"))
    found = evidence["trail"]["found"] | nothing | {"status": "proved", "proved_of": "any size", "hits": 0}
    record = make_record(claim_from_json(evidence["trail"]["claim"]), found_from_json(found), {})
    write_json(results / "claims" / "order.json", record)
    verdicts(lambda told: [verdict_of(record) if one["id"] == "order" else one for one in told])(results)


def another_case(results):
    evidence = read_json(results / "claims" / "order.json")
    evidence["counterexample"] = evidence["trail"]["found"]["witness"] = [2, 1, 0, 0]
    write_json(results / "claims" / "order.json", evidence)


def exchange(one, other):
    def change(results):
        first, second = (results / one).read_bytes(), (results / other).read_bytes()
        (results / one).write_bytes(second)
        (results / other).write_bytes(first)

    return change


def both(*changes):
    def change(results):
        for one in changes:
            one(results)

    return change


def run(**changes):
    return lambda results: write_json(results / "run.json", RUN | changes)


@dataclass
class Forgery:
    """What is done, where `verify` names it, and otherwise what it says was not checked."""

    change: object
    named: str = ""
    unchecked: str = ""


PAGE = "report/index.html"
FORGERIES = {
    "data reversed": Forgery(data(ROWS[::-1].reset_index(drop=True)), "data/toy.parquet"),
    "data doubled": Forgery(data(pd.concat([ROWS, ROWS], ignore_index=True)), "data/toy.parquet"),
    "a value changed": Forgery(data(ROWS.assign(x=ROWS["x"].replace(9.0, 8.5))), "data/toy.parquet"),
    "classes exchanged": Forgery(
        data(ROWS.assign(target=ROWS[TARGET].map(dict(zip("abc", "bac", strict=True)))).astype(ROWS.dtypes)),
        "data/toy.parquet",
    ),
    "another licence": Forgery(both(data(ROWS, licence="CC0"), page_again), "data/toy.json"),
    "another positive class": Forgery(both(data(ROWS, positive="a"), page_again), "data/toy.json"),
    "data taken away": Forgery(both(no_data, add("data/README.md")), "data/toy.parquet"),
    "data with their pins": Forgery(data_with_their_pins, unchecked="code/config"),
    "predictions reversed": Forgery(predict(lambda rows: rows[::-1]), "predictions/a.parquet"),
    "predictions doubled": Forgery(predict(lambda rows: pd.concat([rows, rows])), "predictions/b.parquet"),
    "truth turned round": Forgery(
        predict(lambda rows: rows.assign(truth=~rows["truth"])), "predictions/a.parquet"
    ),
    "a row left out": Forgery(predict(lambda rows: rows[1:]), "predictions/a.parquet"),
    "a model left out": Forgery(predict(runs=lambda runs: runs[:1]), "predictions/a.parquet"),
    "a model said to have failed": Forgery(
        predict(runs=lambda runs: runs.assign(status=["ok", "failed"])), "predictions/a.parquet"
    ),
    "a task left out": Forgery(predict(leave_out=["toy-b"]), "predictions"),
    "predictions turned round": Forgery(
        predict(lambda rows: rows.assign(prediction=~rows["prediction"])), unchecked=UNTRAINED
    ),
    "other scores": Forgery(predict(lambda rows: rows.assign(score=rows["score"] / 2)), unchecked=UNTRAINED),
    "other folds": Forgery(predict(lambda rows: rows.assign(fold=0)), unchecked=UNTRAINED),
    "other settings": Forgery(run(config=RUN["config"] | {"folds": 2}), unchecked=UNTRAINED),
    "a table edited": Forgery(edit("tables/ranks.csv", "0.25", "0.26"), "claims/measured.json"),
    "a column edited on which no claim rests": Forgery(
        edit("tables/ranks.csv", "noise", "nose"), "claims/measured.json"
    ),
    "a table added": Forgery(add("tables/more.csv", "a,b\n1,2\n"), PAGE),
    "a table edited, judged and rendered again": Forgery(
        both(edit("tables/ranks.csv", "0.25", "0.26"), judge_again), unchecked=UNCOMPUTED
    ),
    "a row of the verdicts edited": Forgery(
        edit("claims/verdicts.csv", "contradicted", "reproduced"), "claims/verdicts.csv"
    ),
    "a verdict edited in every form": Forgery(verdicts(reproduced), "claims/order.json"),
    "a claim taken away": Forgery(without_a_claim, "claims/verdicts.json"),
    "verdicts in another order": Forgery(verdicts(lambda told: told[::-1]), "claims/verdicts.json"),
    "another counterexample": Forgery(another_case, "claims/order.json"),
    "a search said to have found nothing": Forgery(found_nothing, unchecked=UNJUDGED),
    "evidence of another claim": Forgery(
        exchange("claims/order.json", "claims/guess.json"), "claims/order.json"
    ),
    "another registry, judged by": Forgery(
        both(
            edit("code/config/claims/paper.yaml", "claim: f1 <= balanced_accuracy", "claim: f1 <= 1"),
            judge_again,
        ),
        unchecked="code/config",
    ),
    "the page's red turned green": Forgery(edit(PAGE, "red", "green"), PAGE),
    "a word on the page": Forgery(edit(PAGE, "contradicted", "reproduced"), PAGE),
    "the page cut off": Forgery(lambda results: (results / PAGE).write_bytes(b""), PAGE),
    "pictures exchanged": Forgery(exchange("figures/one.svg", "figures/two.svg"), PAGE),
    "a picture redrawn": Forgery(add("figures/one.svg", picture("green")), PAGE),
    "pictures exchanged, and the page rendered": Forgery(
        both(exchange("figures/one.svg", "figures/two.svg"), page_again), unchecked=UNCOMPUTED
    ),
    "code edited": Forgery(add("code/src/package/module.py", "one = 2\n"), "code/src/package/module.py"),
    "code added": Forgery(add("code/src/package/more.py"), "code/src/package/more.py"),
    "a rule edited": Forgery(add("code/workflow/rules/a.smk", "rule b:\n"), "code/workflow/rules/a.smk"),
    "the Snakefile edited": Forgery(add("code/Snakefile", "rule none:\n"), "code/Snakefile"),
    "a script edited": Forgery(
        add("code/workflow/scripts/train.py", '"""Do."""\n1 / 0\n'), "code/workflow/scripts/train.py"
    ),
    "dependencies edited": Forgery(add("code/pyproject.toml", "[tool]\n"), "code/pyproject.toml"),
    "versions edited": Forgery(add("code/envs/constraints.txt", "numpy==1\n"), "code/envs/constraints.txt"),
    "the guide edited": Forgery(add("README.md", "# Others\n"), "README.md"),
    "a page of another version": Forgery(another_version, "report/about.json"),
    "another truth in the repeats": Forgery(repeats, "predictions/repeats-00.parquet"),
    "code edited, said to be of another version": Forgery(
        both(
            add("code/src/package/module.py", "one = 2\n"),
            run(packages=RUN["packages"] | {"nontrivial": "9.9"}),
        ),
        unchecked="code",
    ),
    "a script that may be executed": Forgery(
        lambda results: (results / "code" / "workflow" / "scripts" / "train.py").chmod(0o755),
        "code/workflow/scripts/train.py",
    ),
    "a script that may not": Forgery(
        lambda results: (results / "code" / "workflow" / "profiles" / "submit.sh").chmod(0o644),
        "code/workflow/profiles/submit.sh",
    ),
    "a settings file added": Forgery(add("code/config/more.yaml"), unchecked="code/config"),
    "other times": Forgery(run(finished="2027-01-01T00:00:00+00:00"), unchecked=UNSIGNED),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_it_is_named_or_said_to_be_unchecked(name, forged):
    forgery = FORGERIES[name]
    forgery.change(forged)
    renew(forged)
    outcome = verify(forged)
    places = {problem.place.removeprefix(f"{forged}/") for problem in outcome.problems}
    unchecked = {problem.place.removeprefix(f"{forged}/") for problem in outcome.unchecked}
    if forgery.named:
        assert forgery.named in places
    else:
        assert (outcome.outcome, places) == ("good", set())
        assert forgery.unchecked in unchecked


def test_there_are_many_and_few_are_only_listed():
    assert len(FORGERIES) >= 40
    assert {forgery.unchecked for forgery in FORGERIES.values() if not forgery.named} == {
        UNCOMPUTED,
        UNJUDGED,
        UNTRAINED,
        UNSIGNED,
        "code",
        "code/config",
    }


@pytest.mark.parametrize(
    "name", [name for name, forgery in FORGERIES.items() if forgery.unchecked == UNTRAINED]
)
def test_training_again_names_it(name, forged):
    FORGERIES[name].change(forged)
    renew(forged)
    outcome = verify(forged, retrain=1.0)
    assert {problem.place.rpartition("/")[2] for problem in outcome.problems} == {"a.parquet", "b.parquet"}
    assert (outcome.draw.drawn, outcome.draw.pairs) == (6, 6)
    assert UNTRAINED not in {problem.place for problem in outcome.unchecked}


@pytest.mark.parametrize(
    "name", [name for name, forgery in FORGERIES.items() if forgery.unchecked == UNCOMPUTED]
)
def test_computing_again_names_it(name, forged, pristine_study, monkeypatch):
    """The workflow is replaced by one that makes what it made before; the workflow itself is rehearsed elsewhere."""

    def run_workflow(project, scratch, n_files):
        assert project == pristine_study.parent
        shutil.copytree(pristine_study, scratch / "made", dirs_exist_ok=True)
        for folder in ("claims", "figures", "report", "tables"):
            shutil.copytree(scratch / "made" / folder, scratch / "results" / folder)
        assert {f"{path.name}/" for path in (scratch / "results").iterdir()} - {"logs/"} >= set(GIVEN[:2])
        return ""

    monkeypatch.setattr("nontrivial_study.provenance.recompute._run_workflow", run_workflow)
    assert verify(pristine_study, recompute=True).problems == ()
    FORGERIES[name].change(forged)
    renew(forged)
    outcome = verify(forged, recompute=True)
    changed = {"figures/one.svg", "figures/two.svg"} if "pictures" in name else {"tables/ranks.csv"}
    assert changed <= {problem.place.removeprefix(f"{forged}/") for problem in outcome.problems}


def test_what_an_earlier_configuration_left_is_no_mismatch_unless_the_page_shows_it(
    study, monkeypatch, pristine_study
):
    def run_workflow(project, scratch, n_files):
        for folder in ("claims", "figures", "report", "tables"):
            shutil.copytree(pristine_study / folder, scratch / "results" / folder)
        return ""

    monkeypatch.setattr("nontrivial_study.provenance.recompute._run_workflow", run_workflow)
    names = ["predictions/c.parquet", "scores/c.parquet", "figures/old.pdf"]
    for name in names:
        (study / name).parent.mkdir(exist_ok=True)
        (study / name).write_bytes((study / "predictions" / "a.parquet").read_bytes())
        write_manifest(study, project_files(study.parent, ["own.yaml"]))
        outcome = verify(study)
        assert outcome.problems == ()
        left = {problem.place for problem in outcome.unchecked if problem.kind == "left"}
        assert left == {f"{study}/{one}" for one in names[: len(left)]}
        assert f"{study}/{name}" in left
        again = verify(study, recompute=True)
        assert [problem.place for problem in again.problems] == (
            [f"{study}/{name}"] if "figures" in name else []
        )


def test_judging_again_names_it(forged):
    found_nothing(forged)
    renew(forged)
    assert [problem.place for problem in verify(forged, deep=True).problems] == [
        f"{forged}/claims/order.json"
    ]


def test_what_is_made_of_the_same_predictions_is_the_same(forged):
    """The forger's own means change nothing by themselves."""
    page_again(forged)
    renew(forged)
    assert verify(forged, retrain=0.5, deep=True).problems == ()
    assert {path.name: path.read_bytes() for path in (forged / "predictions").iterdir()} == predictions()
