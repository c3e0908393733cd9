"""OpenML's protocol: XML under ``/api/v1/xml``, files under the host root, errors as 412 with a code."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np
import xmltodict

from .archive import FIRST_FILE, Archive, Run
from .sets import FOLDS, DataSet

# What the documents inside the XML call the server: a host that is gone, as in the real archive.
RETIRED = "http://retired.invalid"


class Refusal(Exception):
    """An answer of status 412."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.document = _document("error", {"code": code, "message": message})


def _document(name: str, content: dict[str, Any]) -> bytes:
    tagged = {"@xmlns:oml": "http://openml.org/openml"} | _tagged(content)
    return xmltodict.unparse({f"oml:{name}": tagged}).encode()


def _tagged(content: Any) -> Any:
    if isinstance(content, list):
        return [_tagged(each) for each in content]
    if not isinstance(content, dict):
        return content
    return {key if key[0] in "@#" else f"oml:{key}": _tagged(value) for key, value in content.items()}


def _inputs(**values: Any) -> list[dict[str, Any]]:
    return [
        {"@name": name, **(value if isinstance(value, dict) else {"#text": str(value)})}
        for name, value in values.items()
    ]


class OpenML:
    """Answers for a list of data sets, one task each, and an archive of runs."""

    def __init__(self, sets: list[DataSet], archive: Archive) -> None:
        self.data = {member.data_id: member for member in sets}
        self.tasks = {member.task_id: member for member in sets}
        self.archive = archive

    def answer(self, path: str) -> bytes | None:
        """Return the document at a path, None where there is nothing; raise Refusal where OpenML would answer 412."""
        for pattern, method, members, code in _ROUTES:
            match = re.fullmatch(pattern, path)
            if not match:
                continue
            if members is None:
                return method(self, match[1])
            member = getattr(self, members).get(int(match[1]))
            if member is None:
                raise Refusal(code, f"Unknown {'task' if members == 'tasks' else 'dataset'}")
            return method(self, member)
        return None

    def task_list(self, filters: str) -> bytes:
        wanted = dict(zip(*[iter(filters.strip("/").split("/"))] * 2, strict=True))
        limit, offset = int(wanted["limit"]), int(wanted["offset"])
        found = [member for _, member in sorted(self.tasks.items())]
        found = [member for member in found if len(member.counts) == int(wanted["number_classes"])]
        page = found[offset : offset + limit]
        if not page:
            raise Refusal(482, "No results")
        return _document("tasks", {"task": [self._task_entry(member) for member in page]})

    def _task_entry(self, member: DataSet) -> dict[str, Any]:
        inputs = _inputs(source_data=member.data_id, target_feature=member.target, estimation_procedure=1)
        entry = {"task_id": member.task_id, "task_type_id": 1, "did": member.data_id, "name": member.name}
        return entry | {"status": "active", "input": inputs}

    def task(self, member: DataSet) -> bytes:
        address = f"{RETIRED}/api_splits/get/{member.task_id}/Task_{member.task_id}_splits.arff"
        procedure = {
            "id": 1,
            "type": "crossvalidation",
            "data_splits_url": address,
            "parameter": _inputs(number_repeats=1, number_folds=FOLDS, percentage="", stratified_sampling="true"),
        }
        inputs = _inputs(
            source_data={"data_set": {"data_set_id": member.data_id, "target_feature": member.target}},
            estimation_procedure={"estimation_procedure": procedure},
            cost_matrix={"cost_matrix": None},
            evaluation_measures={"evaluation_measures": {"evaluation_measure": "predictive_accuracy"}},
        )
        about = {"task_id": member.task_id, "task_type_id": 1, "task_type": "Supervised Classification"}
        return _document("task", about | {"input": inputs})

    def splits(self, member: DataSet) -> bytes:
        lines = ["@relation splits", "@attribute type {TRAIN,TEST}"]
        lines += [f"@attribute {name} numeric" for name in ("rowid", "repeat", "fold")] + ["@data"]
        for number in range(FOLDS):
            lines += [f"TRAIN,{row},0,{number}" for row in np.flatnonzero(member.fold != number)]
            lines += [f"TEST,{row},0,{number}" for row in np.flatnonzero(member.fold == number)]
        return "\n".join([*lines, ""]).encode()

    def description(self, member: DataSet) -> bytes:
        about = {
            "id": member.data_id,
            "name": member.name,
            "version": 1,
            "description": f"Author and source of {member.name}",
            "format": "Sparse_ARFF" if member.is_sparse else "ARFF",
            "upload_date": "2014-04-06T23:19:24",
            "licence": member.licence,
            "url": f"{RETIRED}/data/v1/download/{member.data_id}/{member.name}.arff",
            "parquet_url": f"{RETIRED}/datasets/{member.data_id}/dataset_{member.data_id}.pq",
            "file_id": member.data_id,
            "default_target_attribute": member.target,
            "visibility": "public",
            "status": "active",
            "md5_checksum": hashlib.md5(member.arff, usedforsecurity=False).hexdigest(),
        }
        return _document("data_set_description", about)

    def dataset(self, member: DataSet) -> bytes:
        return member.arff

    def features(self, member: DataSet) -> bytes:
        features = []
        for index, (name, kind) in enumerate(member.attributes):
            nominal = isinstance(kind, list)
            features.append(
                {
                    "index": index,
                    "name": name,
                    "data_type": "nominal" if nominal else "string" if kind == "STRING" else "numeric",
                    "nominal_value": kind if nominal else [],
                    "is_target": str(name == member.target).lower(),
                    "is_ignore": "false",
                    "is_row_identifier": "false",
                    "number_of_missing_values": 0,
                }
            )
        return _document("data_features", {"feature": features})

    def qualities(self, member: DataSet) -> bytes:
        values = {"NumberOfInstances": member.rows, "NumberOfClasses": len(member.counts)}
        qualities = [{"name": name, "value": f"{value}.0"} for name, value in values.items()]
        return _document("data_qualities", {"quality": qualities})

    def evaluations(self, run_ids: str) -> bytes:
        found = [run for run_id in run_ids.split(",") if (run := self.archive.run(int(run_id)))]
        if not found:
            raise Refusal(542, "No results")
        return _document("evaluations", {"evaluation": [self._evaluation(run) for run in found]})

    def _evaluation(self, run: Run) -> dict[str, Any]:
        area = f"{self.archive.area(run):.6f}"
        return {
            "run_id": run.run_id,
            "task_id": run.task,
            "flow_id": run.flow,
            "flow_name": f"made.up.Flow{run.flow:02}(1)",
            "function": "area_under_roc_curve",
            "upload_time": "2014-08-01 12:00:00",
            "value": area,
            "array_data": f"[{area},{area}]",
        }

    def run(self, run_id: str) -> bytes:
        run = self.archive.run(int(run_id))
        if run is None:
            raise Refusal(236, "Run not found")
        files = [{"did": -1, "file_id": 1, "name": "description"}]
        files.append({"did": -1, "file_id": FIRST_FILE + run.run_id, "name": "predictions"})
        for file in files:
            file["url"] = f"{RETIRED}/data/download/{file['file_id']}/{file['name']}.arff"
        about = {"run_id": run_id, "task_id": run.task, "flow_id": run.flow, "error": ""}
        return _document("run", about | {"output_data": {"file": files}})

    def predictions(self, file_id: str) -> bytes | None:
        run = self.archive.run(int(file_id) - FIRST_FILE)
        return self.archive.predictions(run) if run else None


_API, _AREAS = "/api/v1/xml", "area_under_roc_curve"
# What answers for a path, and where to look up its number, or else the code of a refusal.
_ROUTES = [
    (rf"{_API}/task/list/(.+)", OpenML.task_list, None, 0),
    (rf"{_API}/task/(\d+)", OpenML.task, "tasks", 151),
    (rf"{_API}/data/(\d+)", OpenML.description, "data", 111),
    (rf"{_API}/data/features/(\d+)", OpenML.features, "data", 271),
    (rf"{_API}/data/qualities/(\d+)", OpenML.qualities, "data", 361),
    (rf"{_API}/evaluation/list/function/{_AREAS}/run/([\d,]+)/limit/10000", OpenML.evaluations, None, 0),
    (rf"{_API}/run/(\d+)", OpenML.run, None, 0),
    (r"/api_splits/get/(\d+)/[^/]+", OpenML.splits, "tasks", 151),
    (r"/data/v1/download/(\d+)/[^/]+", OpenML.dataset, "data", 111),
    (r"/data/download/(\d+)/[^/]+", OpenML.predictions, None, 0),
]
