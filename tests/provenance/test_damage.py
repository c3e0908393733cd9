"""What changed after it was made is in no manifest."""

import pytest

from nontrivial_study.digests import write_digest
from nontrivial.files import DamagedFile, sha256_of
from nontrivial_study.provenance.damage import check_results
from nontrivial_study.provenance.verify_files import CRATE


@pytest.mark.parametrize("name", ["figures/a.svg", "figures/a.pdf", "figures/a.png", "tables/a.csv"])
def test_a_changed_file_is_named(name, tmp_path):
    path = tmp_path / name
    path.parent.mkdir()
    path.write_bytes(b"<svg>1</svg>")
    write_digest(path, sha256_of(path))
    check_results(tmp_path)
    path.write_bytes(b"<svg>0</svg>")
    with pytest.raises(DamagedFile, match=f"{name} is damaged"):
        check_results(tmp_path)


@pytest.mark.parametrize(
    "name", ["report/index.html", "code/Snakefile", "README.md", "claims/verdicts.json", "claims/order.json"]
)
def test_a_file_that_changed_after_it_was_described_is_named(name, study):
    check_results(study)
    path = study / name
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(DamagedFile, match=f"{name} is damaged"):
        check_results(study)


def test_evidence_that_changed_before_it_was_described_is_named(study):
    """Its rule, applied again, says the same."""
    (study / CRATE).unlink()
    path = study / "claims" / "order.json"
    content = path.read_text()
    path.write_text(content.replace('"data_sha256": {}', '"data_sha256": {"none": ""}'))
    assert path.read_text() != content
    with pytest.raises(DamagedFile, match=r"claims/order\.json is damaged"):
        check_results(study)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"@graph": [1]}'])
def test_a_damaged_description_is_named(content, study):
    (study / CRATE).write_bytes(content)
    with pytest.raises(DamagedFile, match=f"{CRATE} is damaged"):
        check_results(study)
