"""A configuration file that is wrong is named before the first job."""

from pathlib import Path

import pytest
from snakemake.utils import update_config

from nontrivial_study.config import load_study

ROOT = Path(__file__).parents[2]


def test_a_data_set_given_twice_is_refused_with_its_line(tmp_path, monkeypatch):
    whole = (ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "datasets.yaml").write_text(whole + "iris: {}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    line = whole.count("\n", 0, whole.index("\niris:")) + 2
    with pytest.raises(ValueError, match=rf"datasets\.yaml, line {line}: the key 'iris' is given twice\."):
        load_study({}, str(ROOT), update_config, thorough=False)
