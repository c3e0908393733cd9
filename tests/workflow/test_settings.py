"""The page of all settings says what the schemas say."""

from pathlib import Path

from nontrivial_workflow.settings import render_settings

ROOT = Path(__file__).parents[2]


def test_the_page_is_made_from_the_schemas():
    page = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    assert page == render_settings(ROOT), (
        "python -m nontrivial_workflow.settings > config/README.md makes it again"
    )


def test_a_setting_stands_there_with_what_is_allowed_and_its_value():
    page = render_settings(ROOT)
    assert "| `folds` | a whole number from 2 to 100 | `5` | `10` |" in page
    assert "| `openml.archive.always.ITEM.task` | a whole number of at least 1 |  |  |" in page
    assert "| `NAME.estimator` | the name of a scikit-learn classifier, or package.module:Class |" in page
