"""A result that is gone is made again by the same command, and with it only what follows from it."""

import pytest
from kills import differences

from nontrivial.provenance.verify import verify

RECORD = {"record_run", "write_crate", "write_manifest"}
PAGE = RECORD | {"render_report", "copy_code"}
MISSING = {
    "report/index.html": PAGE,
    "figures/pa_figure_1.pdf": PAGE | {"draw_imbalance"},
    "figures/prg_figure_4.png": PAGE | {"draw_ranks"},
    "figures/prg_figure_1.csv": PAGE | {"calc_prg_example", "draw_prg_example"},
    "claims/p4-definition.json": PAGE | {"judge_claims"},
    "claims/verdicts.csv": PAGE | {"judge_claims"},
    "tables/exam.csv": PAGE | {"calc_exam", "judge_claims"},
    "tables/p4_examples.csv.sha256": PAGE | {"calc_p4", "draw_p4", "judge_claims"},
    "code/src/nontrivial/files.py": RECORD | {"copy_code"},
    "code/Snakefile": RECORD | {"copy_code"},
    "README.md": RECORD | {"copy_code"},
    "run.json": RECORD,
    "ro-crate-metadata.json": RECORD - {"record_run"},
    "manifest-sha256.txt": {"write_manifest"},
}
FAR = {
    "data/wdbc.json": "prepare_bundled_data",
    "predictions/chunk-00.parquet": "train_models",
    "scores/measures/chunk-01.parquet": "calc_measures",
}


@pytest.mark.parametrize(
    "name", ["figures/pa_figure_1.pdf", "claims/p4-definition.json", "code/Snakefile", "run.json"]
)
def test_only_what_follows_from_it_is_made_again(name, finished_copy):
    (finished_copy.folder / "results" / name).unlink()
    assert finished_copy.would_rerun() == MISSING[name]


def test_what_the_rest_was_made_from_is_made_again(finished_copy):
    for name in FAR:
        (finished_copy.folder / "results" / name).unlink()
    assert finished_copy.would_rerun() >= {*FAR.values(), *PAGE}


def test_one_file_of_each_kind_is_made_again(finished, finished_copy):
    results = finished_copy.folder / "results"
    for name in MISSING:
        (results / name).unlink()
    result = finished_copy.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    assert all((results / name).is_file() for name in MISSING)
    assert verify(results).problems == ()
    assert "Nothing to be done" in finished_copy.run("--cores", "2").stdout
    assert differences(finished_copy, finished) == []
