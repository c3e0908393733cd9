"""What the tiny study says of itself: valid, complete, verified to the last file, and free of this machine."""

import json
import re
import socket
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from reference.ro_crate import ids, issues
from tiny_study import USER

from nontrivial_study.provenance.run import MANIFEST, write_manifest


@pytest.fixture(scope="module")
def graph(finished):
    crate = json.loads((finished.folder / "results" / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    return {entity["@id"]: entity for entity in crate["@graph"]}


def published(results: Path) -> dict[str, Path]:
    """The files that leave the machine when results are handed on."""
    files = {path.relative_to(results): path for path in results.rglob("*") if path.is_file()}
    return {name.as_posix(): path for name, path in files.items() if name.parts[0] not in ("logs", "benchmarks")}


def readable(path: Path) -> bytes:
    """What a file says, without the compressed parts of pictures and tables, in which anything may seem to stand."""
    content = path.read_bytes()
    if path.suffix == ".pdf":
        return re.sub(rb"\bstream\r?\n.*?\bendstream\b", b"", content, flags=re.DOTALL)
    if path.suffix == ".png":
        return re.sub(rb"IDAT.*IEND", b"", content, flags=re.DOTALL)
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        return (
            str(pq.read_metadata(path)).encode()
            + str(table.schema.metadata).encode()
            + table.to_pandas().to_csv().encode()
        )
    return content


@pytest.mark.rehearsal  # the small study's crate is validated in each run
def test_the_crate_is_valid(finished, tmp_path):
    assert issues(finished.folder / "results", tmp_path) == []


def test_the_crate_describes_every_file_and_what_was_made(finished, graph):
    names = published(finished.folder / "results").keys() - {MANIFEST, "ro-crate-metadata.json"}
    assert {name for name, entity in graph.items() if "contentSize" in entity} == names
    made = ids(graph["#run"]["result"])
    assert names - made == {"code.zip", "run.json", "README.md"}


def test_the_command_finds_it_good(finished):
    assert finished.verify().stdout.startswith("good: ")


def test_what_is_published_names_no_folder_user_or_host(finished):
    words = [USER, finished.folder, sys.prefix, Path.home(), socket.gethostname()]
    pattern = re.compile(rf"(?<!\w)({'|'.join(re.escape(str(word)) for word in words)})(?!\w)".encode())
    for name, path in published(finished.folder / "results").items():
        found = pattern.search(readable(path))
        assert not found, (name, found)
    log = "".join(path.read_text() for path in (finished.folder / ".snakemake" / "log").iterdir())
    assert pattern.search(log.encode())  # the engine did know them


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("report/index.html", "contradicted", "reproduced", "report/index.html"),
        ("figures/pa_losses.svg", "#d55e00", "#0072b2", "report/index.html"),
        ("run.json", '"folds": 3', '"folds": 5', "ro-crate-metadata.json"),
    ],
)
def test_an_edit_is_named_by_what_follows_from_it_though_the_manifest_is_renewed(finished_copy, name, old, new, place):
    finished_copy.edit(f"results/{name}", old, new)
    write_manifest(finished_copy.folder / "results")
    report = json.loads(finished_copy.verify("--format", "json").stdout)
    assert place in [problem["place"].removeprefix("results/") for problem in report["problems"]]


@pytest.mark.rehearsal
def test_the_study_run_again_gives_the_same_bytes_and_an_exchange_is_named(finished_copy):
    results = finished_copy.folder / "results"

    def verified():
        run = finished_copy.verify("--rerun", "--format", "json")
        assert run.stderr == ""  # no bar where nobody looks
        return run.returncode, json.loads(run.stdout)

    code, good = verified()
    assert (code, good["problems"]) == (0, [])
    assert [good["rerun"][key] for key in ("compared", "same_bytes")] == [good["files"] - 3] * 2
    assert (good["rerun"]["changed"], good["rerun"]["other_code"]) == ([], [])
    # Two pictures change places, the manifest is renewed, and the checkout gets a comment.
    one, other = results / "figures" / "prg_figure_1.pdf", results / "figures" / "prg_figure_2.pdf"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    write_manifest(results)
    finished_copy.edit("workflow/rules/exam.smk", "", "# Edited.\n")
    code, found = verified()
    assert code == 1
    names = {Path(problem["place"]).name for problem in found["problems"]}
    assert names == {one.name, other.name, "ro-crate-metadata.json"}  # which states their sizes
    assert found["rerun"]["other_code"] == ["workflow/rules/exam.smk"]
