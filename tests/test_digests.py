"""A digest beside a file: `sha256sum` understands it, and no other file or digest passes."""

import shutil
import subprocess

import pytest

from nontrivial_study.digests import check_digest, write_digest
from nontrivial.files import DamagedFile, sha256_of


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a b.csv"
    path.write_text("x\n1\n", encoding="utf-8")
    write_digest(path, sha256_of(path))
    return path


def test_a_file_as_it_was_written_passes(path):
    check_digest(path, sha256_of(path))


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="there is no sha256sum")
def test_sha256sum_understands_it(path):
    subprocess.run(["sha256sum", "--strict", "-c", f"{path.name}.sha256"], cwd=path.parent, check=True)


def test_another_content_is_refused(path):
    path.write_text("x\n2\n", encoding="utf-8")
    with pytest.raises(DamagedFile, match=r"a b\.csv is damaged"):
        check_digest(path, sha256_of(path))


@pytest.mark.parametrize("stored", [b"", b"\xff", b"0" * 64 + b"  a b.csv\n", "another's"])
def test_another_digest_is_refused(path, stored):
    beside = path.with_name("a b.csv.sha256")
    stored = beside.read_bytes().replace(b"a b.csv", b"c.csv") if stored == "another's" else stored
    beside.write_bytes(stored)
    with pytest.raises(DamagedFile, match=r"a b\.csv is damaged"):
        check_digest(path, sha256_of(path))


def test_a_file_without_a_digest_passes(path):
    path.with_name("a b.csv.sha256").unlink()
    path.write_text("x\n2\n", encoding="utf-8")
    check_digest(path, sha256_of(path))
