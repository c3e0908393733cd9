"""The page of all settings says what the schemas say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
render_settings = runpy.run_path(str(ROOT / "docs" / "settings.py"))["render_settings"]


def test_the_page_is_made_from_the_schemas():
    page = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    assert page == render_settings(ROOT), "python docs/settings.py > config/README.md makes it again"


def test_a_setting_stands_there_with_what_is_allowed_and_its_value():
    page = render_settings(ROOT)
    assert "| `folds` | a whole number from 2 to 100 | `5` | `10` |" in page
    assert "| `openml.archive.always.ITEM.task` | a whole number of at least 1 |  |  |" in page
    assert "| `NAME.estimator` | the name of a scikit-learn classifier, or package.module:Class |" in page
