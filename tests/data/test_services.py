"""UCI and OpenML over a real socket: the right data in spite of faults that pass, one sentence for those that stay."""

import re

import arff
import numpy as np
import pandas as pd
import pytest
from configuration import DATASETS
from servers import uci

from nontrivial_study.data.bundled import load_bundled
from nontrivial_study.data.canonical import canonical_sha256, canonical_table
from nontrivial_study.data.download_errors import DownloadError
from nontrivial_study.data.http import Client
from nontrivial_study.data.openml import OpenML, fetch_task
from nontrivial_study.data.uci import fetch_uci

MIXED, THREE, SPARSE, DATED = 10_001, 10_002, 10_003, 10_004
DIGEST = rb"(<oml:md5_checksum>)[0-9a-f]{32}"
CUT = "was cut off before the end"
WAY_OUT = "; if it stays so, take the task out of openml.tasks in the configuration"


def fetch(service, task=MIXED):
    return fetch_task(f"openml_{task}", task, service)


@pytest.fixture
def haberman(folder):
    """The entry of the made-up set, its digest worked out without the code under test."""
    raw = pd.read_csv(folder / "uci" / "haberman.data", header=None)
    table = canonical_table(raw.iloc[:, :3], raw[3], {1: "survived", 2: "died"})
    return DATASETS["haberman_uci"] | {"sha256": canonical_sha256(table)}


@pytest.fixture
def get(server, haberman, tmp_path):
    """A function that fetches the data set to which a path belongs, with a client that gives up soon."""

    def fetched(path, folder, **options):
        options = {"rate": 1000, "timeout": 1, "patience": 20, "attempts": 3, "pause": 0.01} | options
        client = Client(tmp_path / folder, **options)
        if path.startswith(("/api/", "/static/")):
            return fetch_uci("x", haberman, server.address, client)[1]
        return fetch_task("x", MIXED, OpenML(f"{server.address}/api/v1/xml", server.address, client))[2]

    return fetched


@pytest.mark.parametrize(
    ("path", "kind", "text"),
    [
        ("/static/", "stall", "sent nothing for 1 s"),
        ("/task/", "cut", CUT),
        ("/data/v1/", "cut_unannounced", CUT),
        ("/api/dataset", "html", "answered with a web page in place of the document"),
        ("/data/features/", "500", "answered with status 500"),
        ("/task/", "504", "answered with status 504"),
        ("/api_splits/", "429", "answered with status 429 and asks to wait 1 s"),
        ("/task/", "107", "refused with code 107: Database connection error"),
        ("/static/", "truncate", "is not the data set expected .* has rows 204; 306 was expected"),
        ("/static/", "wrong_rows", "is not the data set expected .* has rows 307; 306 was expected"),
        ("/data/v1/", "truncate", "has md5 [0-9a-f]{32} where OpenML's description says [0-9a-f]{32}"),
        ("/api_splits/", "truncate", "leads to test folds that miss or repeat 2. of 60 rows"),
        ("/api_splits/", "wrong_rows", "leads to test folds that miss or repeat 1 of 60 rows"),
        ("/data/features/", "truncate", "cannot be read"),
    ],
)
def test_a_fault_that_passes_changes_nothing_and_one_that_stays_is_one_sentence(
    path, kind, text, server, get, tmp_path
):
    right = get(path, "right")
    seconds = 3 if kind == "stall" else 1
    server.faults.add(path, kind, seconds=seconds)
    assert get(path, "once") == right
    server.faults.add(path, kind, times=-1, seconds=seconds)
    with pytest.raises(DownloadError) as caught:
        get(path, "always")
    is_uci = path.startswith(("/api/", "/static/"))
    what = "Data set 'x'" if is_uci else rf"Data set 'x' \(OpenML task {MIXED}\)"
    form = rf"{what}: {server.address}/\S+ {text}.*; run the same command again later: .*"
    assert re.fullmatch(form if is_uci else f"{form}{re.escape(WAY_OUT)}\\.", str(caught.value))
    server.faults.clear()
    assert get(path, "always") == right, "nothing wrong was kept"


@pytest.mark.parametrize(
    ("path", "kind", "options", "text", "requests"),
    [
        ("/api/dataset", "404", {}, "answered with status 404; check the base addresses", 2),
        ("/api/dataset", "401", {}, "answered with status 401; check .* OPENML_API_KEY", 1),
        ("/task/", "403", {}, "answered with status 403; check .* OPENML_API_KEY", 1),
        ("/task/", "102", {}, "OPENML_API_KEY in the environment, or unset it: reading needs no key.$", 1),
        ("/task/", "151", {}, "refused with code 151: Unknown task; check the ids", 4),
        (
            "/api/dataset",
            "large",
            {"megabytes": {"descriptions": 1}},
            r"has more than 1 MB; set downloads\.megabytes\.descriptions in the configuration to more",
            1,
        ),
        ("/api/dataset", "drip", {"patience": 2, "timeout": 9}, "was not whole after", 1),
        ("/api/dataset", "drip_head", {"patience": 2, "timeout": 9}, "was not whole after", 1),
        ("/api/dataset", "429", {"patience": 2}, "asks to wait 600 s; .*; or set|when that time is over", 1),
    ],
)
def test_what_asking_again_does_not_help_is_said_at_once(path, kind, options, text, requests, server, get):
    server.faults.add(path, kind, times=-1, seconds=600 if kind == "429" else 0.1)
    with pytest.raises(DownloadError, match=text):
        get(path, "cache", **options)
    assert len(server.requests) == requests


def test_wdbc_is_what_scikit_learn_has(server, client):
    table, record = fetch_uci("wdbc_uci", DATASETS["wdbc_uci"], server.address, client)
    assert record["sha256"] == DATASETS["wdbc"]["sha256"] == canonical_sha256(load_bundled("load_breast_cancer"))
    assert record["classes"] == {"benign": 357, "malignant": 212}
    assert len(table) == 569


def test_missing_values_of_uci_stay(server, client, folder):
    raw = pd.read_csv(folder / "uci" / "breast-cancer-wisconsin.data", header=None, na_values="?")
    table = canonical_table(raw.iloc[:, 1:10], raw[10], {2: "benign", 4: "malignant"})
    counts = {"benign": 21, "malignant": 9}
    entry = DATASETS["wisconsin_original"] | {"rows": 30, "classes": counts, "sha256": canonical_sha256(table)}
    fetched, record = fetch_uci("wisconsin_original", entry, server.address, client)
    assert fetched["Bare_nuclei"].isna().sum() == 1
    assert "Sample_code_number" not in fetched
    assert record["positive"] == "malignant"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"sha256": "0" * 64}, r"has sha256 .* was expected"),
        ({"labels": {"one": "survived", "2": "died"}}, "has the label '1'"),
        ({"uci_id": 44}, "says that it has no data set 44"),
    ],
)
def test_a_set_of_uci_that_is_another_is_told(changed, text, server, client, haberman):
    with pytest.raises(DownloadError, match=text):
        fetch_uci("x", haberman | changed, server.address, client)


@pytest.mark.parametrize("role", ["Target", "Feature"])
def test_a_set_without_a_column_of_a_role_is_told(role, server, client, haberman, monkeypatch):
    def describe(uci_id, address, described=uci.describe):
        return described(uci_id, address).replace(f'"{role}"'.encode(), b'"Other"')

    monkeypatch.setattr(uci, "describe", describe)
    with pytest.raises(DownloadError, match=f"no column has the role {role}"):
        fetch_uci("x", haberman, server.address, client)
    monkeypatch.undo()
    assert fetch_uci("x", haberman, server.address, client)[1]["rows"] == 306, "the description is not kept"


def test_a_task_has_the_files_cells_and_the_tasks_folds(service, server, folder):
    table, fold, record = fetch(service)
    rows = arff.loads((folder / "mixed.arff").read_text("ascii"))["data"]
    cells = [[None if cell != cell else cell for cell in row] for row in table.astype(object).to_numpy().tolist()]
    assert cells == [list(row) for row in rows]
    assert list(table.columns) == ["colour", "size", "target"]
    assert record["classes"] == {"no": 45, "yes": 15}
    assert (record["rows"], record["features"], record["positive"]) == (60, 2, "yes")
    assert (record["source"], record["openml_task"], record["openml_data"]) == ("OpenML", MIXED, 1)
    assert fold.tolist() == server.openml.tasks[MIXED].fold.tolist()


def test_sparse_rows_keep_labels_doubles_and_rows_without_a_cell(service):
    table, _, record = fetch(service, SPARSE)
    assert table["a"].tolist() == [float(f"0.{i + 1}") for i in range(20)] + [0.0] * 40
    assert table["b"].isna().sum() == 10
    assert (table["never"] == 0).all()
    assert record["classes"] == {"not so": 40, "so": 20}


def test_dates_are_texts_labels_keep_their_spelling_and_numbers_that_are_all_missing_stay_numbers(service):
    table, _, record = fetch(service, DATED)
    assert table["the day"].tolist() == [f"1999-12-{1 + i // 2:02}" for i in range(60)]
    assert table["never"].dtype == np.float64
    assert record["classes"] == {"FALSE": 45, "TRUE": 15}


def test_files_are_asked_for_at_the_configured_bases_once_and_without_parquet(service, server):
    assert b"retired.invalid" in server.answer(f"/api/v1/xml/task/{MIXED}")[1]
    assert b"parquet_url" in server.answer("/api/v1/xml/data/1")[1]
    fetch(service)
    fetch(service)
    assert len(server.requests) == 6
    assert any(path.startswith("/data/v1/download/") for path in server.requests)


@pytest.mark.parametrize("digest", [rb"\1", rb"\1NotApplicable"])
def test_without_a_digest_the_count_of_rows_is_the_gate_or_else_the_folds(digest, service, server, rewrite):
    rewrite("/data/1$", DIGEST, digest)
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(DownloadError, match="leads to a data set of 39 rows where OpenML counts 60"):
        fetch(service)
    rewrite("/data/qualities/", b"NumberOfInstances", b"NumberOfFeatures")
    with pytest.raises(DownloadError, match="folds that have rows which the data set does not have"):
        fetch(service)
    server.faults.clear()
    assert (fetch(service)[2]["rows"], fetch(service)[2]["md5"]) == (60, None)


def test_a_kept_description_that_is_out_of_date_is_fetched_again(service, server, rewrite):
    fetch(service)
    service.client.forget(f"{server.address}/data/v1/download/1/mixed.arff")
    server.faults.add("/data/v1/download/1/mixed.arff", "404", times=-1)
    rewrite("/data/1$", b"mixed.arff", b"moved.arff")
    assert fetch(service)[2]["rows"] == 60


def test_what_openml_leaves_out_is_left_out_and_old_descriptions_and_nul_bytes_do_not_matter(service, rewrite):
    ignored = rb"<oml:row_id_attribute>a</oml:row_id_attribute><oml:ignore_attribute>never</oml:ignore_attribute>"
    rewrite("/data/3$", b"<oml:visibility>", ignored + b"<oml:visibility>")
    rewrite("/data/3$", DIGEST, rb"\1NotApplicable")
    rewrite("/data/v1/download/|/api_splits/", rb"$(?!\n)", b"\0")
    rewrite("/task/", b"<oml:task_type_id>1</oml:task_type_id>", b"")
    table, fold, _ = fetch(service, SPARSE)
    assert list(table.columns) == ["b", "target"]
    assert len(fold) == 60


@pytest.mark.parametrize(
    ("path", "old", "new", "text"),
    [
        ("/task/", b"crossvalidation", b"holdout", "is evaluated by holdout where crossvalidation is needed"),
        ("/task/", b"task_id>10001<", b"task_id>1<", "describes another task than 10001"),
        ("/data/1$", b"<oml:id>1<", b"<oml:id>2<", "describes another data set than 1"),
        ("/data/qualities/", rb">60\.0<", b">61.0<", "of 60 rows where OpenML counts 61"),
        ("/data/features/", b"oml:name>", b"oml:title>", r"cannot be read \(KeyError: 'oml:name'\)"),
        ("/task/", b"feature>class<", b"feature>label<", "names the target 'label', which its data set"),
        ("/task/", b"data_set_id>1<", b"data_set_id>2<", "a target of 3 classes where two are needed"),
    ],
)
def test_what_does_not_fit_together_is_said(path, old, new, text, service, rewrite):
    rewrite(path, old, new)
    with pytest.raises(DownloadError, match=text):
        fetch(service)
