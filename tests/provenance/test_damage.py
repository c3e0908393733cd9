"""A picture or a table that changed after it was made is in no manifest."""

import pytest

from nontrivial.digests import write_digest
from nontrivial.files import DamagedFile, sha256_of
from nontrivial.provenance.damage import check_results


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
