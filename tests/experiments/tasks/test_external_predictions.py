"""Predictions that were made elsewhere are read as if made here, or one sentence says why they cannot be."""

import numpy as np
import pandas as pd
import pytest

from nontrivial_study.experiments.tasks.external_predictions import find_predictions, read_external_predictions
from nontrivial_study.experiments.tasks.scores import area_table, measure_table

TRUTH = ["well", "ill", "well", "ill", "well"]
POSITIVE = {"positive": "well"}
SCORE = [0.9, 0.2, 0.4, 0.6, 0.8]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sepsis").mkdir()
    pd.DataFrame({"truth": TRUTH, "score": SCORE}).to_csv(tmp_path / "sepsis" / "ward.csv", index=False)
    more = {"prediction": TRUTH, "fold": [3, 3, 4, 4, 3]}
    table = pd.DataFrame({"truth": TRUTH, "score": -np.array(SCORE), **more})
    table.to_parquet(tmp_path / "sepsis" / "other.parquet")
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def test_files_become_predictions_with_measures_and_areas(folder):
    tasks = find_predictions(str(folder))
    assert {task: list(files) for task, files in tasks.items()} == {"sepsis": ["other", "ward"]}
    made = read_external_predictions("sepsis", tasks["sepsis"], POSITIVE)
    assert (made.task.name, made.task.positive) == ("sepsis", "well")
    areas = area_table(made.predictions, made.runs, 5).set_index("model")
    assert areas.loc["ward", "roc_auc"] == pytest.approx(5 / 6)
    assert areas.loc["other", "roc_auc"] == pytest.approx(1 / 6)
    assert areas["held_out_f1"].isna().tolist() == [False, True]
    cells = measure_table(made.predictions, made.task).set_index("model")[["tp", "fp", "fn", "tn"]]
    assert cells.loc["other"].tolist() == [3, 0, 0, 2]  # its own predictions
    assert cells.loc["ward"].tolist() == [2, 1, 1, 1]  # scores of at least 0.5


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("truth\n1\n0\n", "no column of scores or predictions"),
        ("truth,score\n1,0.5\n1,0.4\n", "one class only"),
        ("truth,score\n1,0.5\n0,inf\n", "is not finite in data row 2"),
        ("truth,score\n1,0.5\n0,high\n", "'high' in data row 2"),
        ("truth,score\n1,0.5\n,0.1\n", "lacks values in 1 of 2 data rows: .* in row 2.; complete them"),
        ("truth,score,prediction\n1,0.5,1\n0,0.1,2\n", "predicts '2'"),
        ("truth,confidence\n1,0.5\n0,0.6\n", "no column of scores or predictions"),
        ("truth,prediction,confidence\n1,1,0.5\n0,0,1.1\n", "a confidence lies in .0, 1."),
        ("truth;score\n1;1,234\n0;2\n", "'1,234' .*may be 1234 or 1.234"),
        ("truth,score,fold\n" + "".join(f"{n % 2},0.5,{n}\n" for n in range(101)), "101 folds"),
    ],
)
def test_a_file_that_cannot_serve_is_named(content, refusal, folder):
    (folder / "sepsis" / "wrong.csv").write_text(content)
    with pytest.raises(ValueError, match=rf"wrong\.csv.*{refusal}"):
        read_external_predictions("sepsis", {"wrong": str(folder / "sepsis" / "wrong.csv")})


def test_a_folder_that_cannot_serve_is_named(folder, tmp_path):
    with pytest.raises(ValueError, match="is not a folder"):
        find_predictions(str(tmp_path / "absent"))
    with pytest.raises(ValueError, match=r"has no file <task>/<model>\.csv"):
        find_predictions(str(folder / "sepsis"))
    (folder / "sepsis" / "other.csv").touch()
    with pytest.raises(ValueError, match="give one file of each model"):
        find_predictions(str(folder))


def test_all_models_of_a_task_have_the_same_truth(folder):
    (folder / "sepsis" / "wrong.csv").write_text("truth,score\nill,0.5\nwell,0.1\n")
    with pytest.raises(ValueError, match=r"'sepsis', other\.parquet, ward\.csv, wrong\.csv, have different cases"):
        read_external_predictions("sepsis", find_predictions(str(folder))["sepsis"], POSITIVE)


def read(tmp_path, *contents, **settings):
    files = {f"m{number}": tmp_path / f"{number}.csv" for number in range(len(contents))}
    for path, content in zip(files.values(), contents, strict=True):
        path.write_text(content)
    return read_external_predictions("t", {model: str(path) for model, path in files.items()}, settings)


def test_labels_are_compared_as_numbers_in_all_files(tmp_path):
    made = read(tmp_path, "truth,score\n9,0.2\n10,0.8\n", positive=10)
    assert (made.task.positive, made.predictions["truth"].tolist()) == ("10", [False, True])
    made = read(
        tmp_path,
        "truth,score,prediction\n0,0.2,False\n1,0.8,1.0\n",
        "truth,score\n0.0,0.2\n1.0,0.8\n",
        "truth;score\nfalse;0,2\nTrue;0,8\n",
    )
    assert made.predictions["truth"].tolist() == made.predictions["prediction"].tolist() == [False, True] * 3
    assert made.predictions["score"].tolist() == [0.2, 0.8] * 3


# The confidence in the predicted label, a case of each truth predicted as it is and one not.
CONFIDENT = "truth,prediction,{}\n1,1,0.9\n0,0,0.8\n1,0,0.6\n0,1,0.7\n"


def test_a_confidence_in_the_predicted_label_is_no_score(tmp_path):
    with pytest.raises(
        ValueError, match=r"0\.csv .* confidences in the predicted label; write confidence: .score., prediction: "
    ):
        read(tmp_path, CONFIDENT.format("score"))
    named = read(tmp_path, CONFIDENT.format("score"), confidence="score", prediction="prediction")
    made = read(tmp_path, CONFIDENT.format("confidence"))
    pd.testing.assert_frame_equal(made.predictions, named.predictions)
    np.testing.assert_allclose(made.predictions["score"], [0.9, 0.2, 0.4, 0.7])
    assert made.runs["warnings"].tolist() == [""]


def test_predictions_that_follow_from_no_threshold_are_said_to(tmp_path):
    runs = read(tmp_path, CONFIDENT.format("score").replace("0.8", "0.95").replace("0.6", "0.1")).runs
    assert runs["status"].tolist() == ["ok"]
    assert "no threshold" in runs["warnings"].item()


def test_an_unusual_positive_label_is_asked_for_with_the_line_to_write(tmp_path):
    rows = "truth,score\nill,0.9\nwell,0.2\nwell,0.3\n"
    with pytest.raises(ValueError, match=r'write positive: "ill" under own\.predictions\.$'):
        read(tmp_path, rows)
    assert read(tmp_path, rows, positive="ill").predictions["truth"].tolist() == [True, False, False]
    with pytest.raises(ValueError, match=r"0\.csv: the setting positive is 'x', which column 'truth' of"):
        read(tmp_path, rows, positive="x")


def test_scores_without_a_usual_threshold_have_no_labels_until_one_is_named(tmp_path):
    rows = "truth,score\n1,80\n0,20\n1,30\n"
    made = read(tmp_path, rows)
    assert made.predictions["prediction"].isna().all()
    assert "own.predictions.threshold" in made.runs["warnings"].item()
    assert len(measure_table(made.predictions, made.task)) == 0
    areas = area_table(made.predictions, made.runs, 5)
    assert areas["roc_auc"].item() == 1
    assert np.isnan(areas["prediction_advantage"].item())
    made = read(tmp_path, rows, threshold=50)
    assert made.predictions["prediction"].tolist() == [True, False, False]


def test_the_names_of_files_in_any_form_are_those_of_models(tmp_path):
    (tmp_path / "t").mkdir()
    for name in ("a.xlsx", "b.tsv.gz", "v1.2.csv", "d.ARFF", "notes.txt", ".hidden.csv"):
        (tmp_path / "t" / name).touch()
    assert list(find_predictions(str(tmp_path))["t"]) == ["a", "b", "d", "v1.2"]


def test_cases_are_paired_by_a_column_that_files_share(tmp_path):
    first, second = ("truth,score,who\n1,0.9,a\n0,0.4,b\n0,0.2,c\n", "truth,score,who\n0,0.1,c\n1,0.8,a\n0,0.3,b\n")
    assert read(tmp_path, first, second).predictions["score"].tolist() == [0.9, 0.4, 0.2, 0.8, 0.3, 0.1]


def test_an_order_that_nothing_shows_is_asked_for(tmp_path):
    rows = "truth,score\n" + "1,0.9\n" * 20 + "0,0.1\n" * 20
    with pytest.raises(ValueError, match=r'write id: "COL" under own\.predictions, or write id: "row" under'):
        read(tmp_path, rows, rows)
    assert len(read(tmp_path, rows, rows, id="row").predictions) == 80


def test_rows_of_one_case_over_repeats_have_one_number(tmp_path):
    rows = [f"{case % 2},{0.1 * (case % 7)},{case},{repeat}" for repeat in range(3) for case in range(12)]
    made = read(tmp_path, "truth,score,row_id,repeat\n" + "\n".join(rows))
    assert made.predictions["row"].nunique() == 12
    (visits,) = ("truth,score,patient_id\n1,0.9,7\n1,0.8,7\n0,0.1,8\n",)
    with pytest.raises(ValueError, match=r'write group: "patient_id" under own\.predictions'):
        read(tmp_path, visits)
    assert read(tmp_path, visits, group="patient_id").predictions["row"].nunique() == 2


def test_numbers_and_several_classes_are_read_whole(tmp_path):
    made = read(tmp_path, "truth,prediction\n1.5,1\n2.5,2\n3.5,4\n")
    assert (made.task.target, made.predictions["prediction"].tolist()) == ("numbers", [1, 2, 4])
    made = read(tmp_path, "truth,p_a,p_b,p_c\na,0.5,0.3,0.2\nb,0.5,0.3,0.2\nc,0.1,0.2,0.7\n")
    assert (made.task.target, made.predictions["prediction"].tolist()) == ("classes", [0, 0, 2])
    assert made.predictions["scores"].iloc[2].tolist() == [0.1, 0.2, 0.7]
    with pytest.raises(ValueError, match="have classes and others have numbers"):
        read(tmp_path, "truth,prediction\n1.5,1\n2.5,2\n3.5,4\n", "truth,prediction\na,a\nb,b\nc,c\n")
