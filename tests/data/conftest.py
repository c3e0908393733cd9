"""A server on a loopback socket, with data made here, and clients of it."""

import re
from pathlib import Path

import numpy as np
import pytest
from servers.archive import FLOWS
from servers.server import Server
from sklearn.datasets import load_breast_cancer

from nontrivial_study.data.http import Client
from nontrivial_study.data.openml import OpenML

MIXED = """@relation mixed
@attribute colour {red,'dark blue'}
@attribute size numeric
@attribute class {yes,no,perhaps}
@data
"""


def write_uci(folder: Path) -> None:
    """Write the three UCI files: WDBC for real, the others made up in their form."""
    generator = np.random.default_rng(0)
    folder.mkdir()
    values, labels = load_breast_cancer(return_X_y=True)
    rows = (
        ",".join([str(1000 + number), "MB"[label], *map(repr, map(float, row))])
        for number, (row, label) in enumerate(zip(values, labels, strict=True))
    )
    (folder / "wdbc.data").write_text("\n".join(rows), encoding="ascii")
    haberman = generator.integers(0, 60, size=(306, 3))
    status = 1 + (np.arange(306) % 306 < 81)
    lines = (",".join(map(str, [*row, label])) for row, label in zip(haberman, status, strict=True))
    (folder / "haberman.data").write_text("\n".join(lines), encoding="ascii")
    cells = generator.integers(1, 11, size=(30, 9)).astype(str)
    cells[3, 5] = "?"
    lines = (f"{number},{','.join(row)},{4 if number < 9 else 2}" for number, row in enumerate(cells))
    (folder / "breast-cancer-wisconsin.data").write_text("\n".join(lines), encoding="ascii")


SPARSE = """@relation sparse
@attribute a numeric
@attribute b {none,some}
@attribute never numeric
@attribute class {'not so',so}
@data
"""


def write_openml(folder: Path) -> str:
    """Write ARFF files and return their lines of the index.

    One has three classes, one the classes TRUE and FALSE, and one is sparse, its last rows without a cell.
    """
    folder.mkdir()
    two = [
        f"{'red' if i % 3 else '?'},{i if i % 7 else '?'},{'yes' if i % 4 == 0 else 'no'}" for i in range(60)
    ]
    three = [*two[:-12], *(["'dark blue',1,perhaps"] * 12)]
    (folder / "mixed.arff").write_text(MIXED + "\n".join(two) + "\n", encoding="ascii")
    (folder / "three.arff").write_text(MIXED + "\n".join(three) + "\n", encoding="ascii")
    logical = MIXED.replace("yes,no,perhaps", "TRUE,FALSE") + "\n".join(two) + "\n"
    logical = logical.replace(",yes\n", ",TRUE\n").replace(",no\n", ",FALSE\n")
    (folder / "logical.arff").write_text(logical, encoding="ascii")
    sparse = [f"{{0 0.{i + 1}, 1 {'some' if i % 2 else '?'}, 3 so}}" for i in range(20)] + ["{ }"] * 40
    (folder / "sparse.arff").write_text(SPARSE + "\n".join(sparse) + "\n", encoding="ascii")
    return (
        "mixed,openml/mixed.arff,arff,60,2,class,no=45; yes=15,0.25,y,,,,\n"
        "three,openml/three.arff,arff,60,2,class,no=36; yes=12; perhaps=12,0.2,y,,,,\n"
        "logical,openml/logical.arff,arff,60,2,class,FALSE=45; TRUE=15,0.25,y,,,,\n"
        "sparse,openml/sparse.arff,arff,60,3,class,not so=40; so=20,0.33,y,,,,\n"
    )


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """A folder of data in the form that the server reads."""
    folder = tmp_path_factory.mktemp("mirror")
    write_uci(folder / "uci")
    header = "name,file,format,rows,features,target_column,classes_and_counts,minority_fraction,"
    header += "missing_values,sha256,original_source,license,notes\n"
    (folder / "index.csv").write_text(header + write_openml(folder / "openml"), encoding="ascii")
    return folder


@pytest.fixture(scope="session")
def served(folder):
    """A server with the folder's sets and an archive of six tasks with few flows."""
    with Server(folder, archive_tasks=6, archive_rows=120, archive_flows=FLOWS) as server:
        yield server


@pytest.fixture
def server(served):
    """The server, without faults and with no request behind it."""
    served.faults.clear()
    served.requests.clear()
    served.agents.clear()
    yield served
    served.faults.clear()


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def client(cache) -> Client:
    """A busy machine may take seconds over what takes milliseconds: only what never comes may end in a timeout."""
    return Client(cache, rate=1000, timeout=60, patience=600, attempts=4, pause=0.01)


@pytest.fixture
def service(server, client) -> OpenML:
    return OpenML(f"{server.address}/api/v1/xml", server.address, client)


@pytest.fixture
def rewrite(server, monkeypatch):
    """A function that has the server change a pattern in the documents of OpenML's protocol whose path matches."""

    def order(path: str, old: bytes, new: bytes) -> None:
        answer = server.openml.answer

        def changed(asked: str) -> bytes | None:
            body = answer(asked)
            return re.sub(old, new, body) if body and re.search(path, asked) else body

        monkeypatch.setattr(server.openml, "answer", changed)

    return order
