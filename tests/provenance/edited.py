"""What is edited in a study, and what a verification says of it."""

from provenance.small_study import describe, render

from nontrivial.files import read_json, write_json
from nontrivial_study.documents.evidence import verdict_table
from nontrivial_study.tables import write_table


def places(outcome, study):
    """The places of the problems, as a manifest names them."""
    return {problem.place.replace(study.as_posix(), "results") for problem in outcome.problems}


def texts(outcome, study):
    return {problem.place.replace(study.as_posix(), "results"): problem.text for problem in outcome.problems}


def path_of(study, name):
    return study / name.removeprefix("results/") if name.startswith("results/") else study.parent / name


def edit(study, name, change):
    """Change a claim's evidence and renew all that describes it."""
    path = study / "claims" / f"{name}.json"
    evidence = read_json(path)
    change(evidence)
    write_json(path, evidence)
    describe(study)


def retell(study, verdicts):
    """Write other verdicts, in both forms, and renew all that describes them."""
    write_json(study / "claims" / "verdicts.json", verdicts)
    write_table(study / "claims" / "verdicts.csv", verdict_table(verdicts))
    render(study)
    describe(study)
