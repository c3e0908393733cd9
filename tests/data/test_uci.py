"""UCI's protocol over a real socket."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from servers import uci

from nontrivial_study.data.bundled import load_bundled
from nontrivial_study.data.canonical import canonical_sha256, canonical_table
from nontrivial_study.data.http import DownloadError
from nontrivial_study.data.uci import fetch_uci

CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "datasets.yaml").read_text("utf-8"))


@pytest.fixture
def haberman(folder):
    """The entry of the made-up set, its digest worked out without the code under test."""
    raw = pd.read_csv(folder / "uci" / "haberman.data", header=None)
    table = canonical_table(raw.iloc[:, :3], raw[3], {1: "survived", 2: "died"})
    return CONFIG["haberman_uci"] | {"sha256": canonical_sha256(table)}


def test_wdbc_is_what_scikit_learn_has(server, client):
    table, record = fetch_uci("wdbc_uci", CONFIG["wdbc_uci"], server.address, client)
    assert (
        record["sha256"] == CONFIG["wdbc"]["sha256"] == canonical_sha256(load_bundled("load_breast_cancer"))
    )
    assert record["classes"] == {"benign": 357, "malignant": 212}
    assert len(table) == 569


def test_missing_values_stay(server, client, folder):
    raw = pd.read_csv(folder / "uci" / "breast-cancer-wisconsin.data", header=None, na_values="?")
    table = canonical_table(raw.iloc[:, 1:10], raw[10], {2: "benign", 4: "malignant"})
    counts = {"benign": 21, "malignant": 9}
    entry = CONFIG["wisconsin_original"] | {"rows": 30, "classes": counts, "sha256": canonical_sha256(table)}
    fetched, record = fetch_uci("wisconsin_original", entry, server.address, client)
    assert fetched["Bare_nuclei"].isna().sum() == 1
    assert "Sample_code_number" not in fetched
    assert record["positive"] == "malignant"


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("truncate", "has rows 204; 306 was expected"),
        ("wrong_rows", "has rows 307; 306 was expected"),
        ("single_class", "has classes"),
    ],
)
def test_a_wrong_table_is_one_sentence_and_not_kept(kind, problem, server, client, haberman):
    server.faults.add("data.csv", kind, times=2)
    with pytest.raises(DownloadError) as caught:
        fetch_uci("haberman", haberman, server.address, client)
    sentence = str(caught.value)
    assert sentence.startswith(f"Data set 'haberman': {server.address}/static/public/43/data.csv ")
    assert problem in sentence
    assert "run the same command again later" in sentence
    _, record = fetch_uci("haberman", haberman, server.address, client)
    assert record["rows"] == 306


def test_values_that_changed_are_found(server, client, haberman):
    with pytest.raises(DownloadError, match=r"has sha256 .* was expected"):
        fetch_uci("haberman", haberman | {"sha256": "0" * 64}, server.address, client)


def test_a_label_that_is_not_expected_is_found(server, client, haberman):
    with pytest.raises(DownloadError, match="has the label '1'; known labels"):
        fetch_uci("haberman", haberman | {"labels": {"one": "survived", "2": "died"}}, server.address, client)


def test_a_set_that_is_not_there_is_said_at_once(server, client, haberman):
    with pytest.raises(DownloadError, match="says that it has no data set 44"):
        fetch_uci("haberman", haberman | {"uci_id": 44}, server.address, client)
    assert len(server.requests) == 2


@pytest.mark.parametrize("role", ["Target", "Feature"])
def test_a_set_without_a_column_of_a_role_is_told(role, server, client, haberman, monkeypatch):
    def describe(uci_id, address, described=uci.describe):
        return described(uci_id, address).replace(f'"{role}"'.encode(), b'"Other"')

    monkeypatch.setattr(uci, "describe", describe)
    with pytest.raises(DownloadError, match=f"no column has the role {role}"):
        fetch_uci("haberman", haberman, server.address, client)
