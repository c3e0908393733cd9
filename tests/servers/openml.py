"""OpenML's protocol: XML under ``/api/v1/xml``, files under the host root, errors as 412 with a code."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import numpy as np

from .archive import FIRST_FILE, Archive, Run
from .sets import FOLDS, FolderSet, MadeUpSet, fold_of, md5

# What the documents inside the XML call the server: a host that is gone, as in the real archive.
RETIRED = "http://retired.invalid"
_NAMESPACE = 'xmlns:oml="http://openml.org/openml"'


class Refusal(Exception):
    """An answer of status 412."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.document = (
            f"<oml:error {_NAMESPACE}><oml:code>{code}</oml:code><oml:message>{message}</oml:message></oml:error>"
        ).encode()


def _document(name: str, body: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<oml:{name} {_NAMESPACE}>{body}</oml:{name}>'.encode()


def _tags(**values: object) -> str:
    return "".join(f"<oml:{key}>{escape(str(value))}</oml:{key}>" for key, value in values.items())


class OpenML:
    """Answers for a list of data sets, one task each, and an archive of runs."""

    def __init__(self, sets: list[FolderSet | MadeUpSet], archive: Archive) -> None:
        self.data = {member.data_id: member for member in sets}
        self.tasks = {member.task_id: member for member in sets}
        self.archive = archive

    def answer(self, path: str) -> bytes | None:
        """Return the document at a path, None where there is nothing.

        Raises
        ------
        Refusal
            Where OpenML would answer 412.
        """
        for pattern, method in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match:
                return method(self, *match.groups())
        return None

    def task_list(self, filters: str) -> bytes:
        wanted = dict(zip(*[iter(filters.strip("/").split("/"))] * 2, strict=True))
        limit, offset = int(wanted.get("limit", 10_000)), int(wanted.get("offset", 0))
        if limit > 10_000:
            raise Refusal(516, "Limit above 10000")
        members = sorted(self.tasks.items())
        if "number_classes" in wanted:
            classes = int(wanted["number_classes"])
            members = [(key, member) for key, member in members if len(member.counts) == classes]
        page = members[offset : offset + limit]
        if not page:
            raise Refusal(482, "No results")
        return _document("tasks", "".join(self._task_entry(*pair) for pair in page))

    def _task_entry(self, task_id: int, member: FolderSet | MadeUpSet) -> str:
        inputs = {"source_data": member.data_id, "target_feature": member.target, "estimation_procedure": 1}
        tags = _tags(task_id=task_id, task_type_id=1, did=member.data_id, name=member.name, status="active")
        tags += "".join(f'<oml:input name="{k}">{escape(str(v))}</oml:input>' for k, v in inputs.items())
        qualities = {"NumberOfInstances": member.rows, "NumberOfClasses": len(member.counts)}
        tags += "".join(f'<oml:quality name="{k}">{v}</oml:quality>' for k, v in qualities.items())
        return f"<oml:task>{tags}</oml:task>"

    def task(self, task_id: str) -> bytes:
        member = self._known(self.tasks, task_id, 151, "Unknown task")
        parameters = {
            "number_repeats": 1,
            "number_folds": FOLDS,
            "percentage": "",
            "stratified_sampling": "true",
        }
        source = _tags(data_set_id=member.data_id, target_feature=member.target)
        procedure = _tags(
            id=1,
            type="crossvalidation",
            data_splits_url=f"{RETIRED}/api_splits/get/{task_id}/Task_{task_id}_splits.arff",
        ) + "".join(
            f'<oml:parameter name="{key}">{value}</oml:parameter>' for key, value in parameters.items()
        )
        return _document(
            "task",
            _tags(task_id=task_id, task_type_id=1, task_type="Supervised Classification")
            + f'<oml:input name="source_data"><oml:data_set>{source}</oml:data_set></oml:input>'
            + '<oml:input name="estimation_procedure"><oml:estimation_procedure>'
            + f"{procedure}</oml:estimation_procedure></oml:input>"
            + '<oml:input name="cost_matrix"><oml:cost_matrix></oml:cost_matrix></oml:input>'
            + '<oml:input name="evaluation_measures"><oml:evaluation_measures>'
            + "<oml:evaluation_measure>predictive_accuracy</oml:evaluation_measure>"
            + "</oml:evaluation_measures></oml:input>",
        )

    def splits(self, task_id: str) -> bytes:
        member = self._known(self.tasks, task_id, 151, "Unknown task")
        fold = fold_of(member.truth, int(task_id))
        lines = ["@relation splits", "@attribute type {TRAIN,TEST}"]
        lines += [f"@attribute {name} numeric" for name in ("rowid", "repeat", "fold")]
        lines.append("@data")
        for number in range(FOLDS):
            lines += [f"TRAIN,{row},0,{number}" for row in np.flatnonzero(fold != number)]
            lines += [f"TEST,{row},0,{number}" for row in np.flatnonzero(fold == number)]
        return ("\n".join(lines) + "\n").encode()

    def description(self, data_id: str) -> bytes:
        member = self._known(self.data, data_id, 111, "Unknown dataset")
        return _document(
            "data_set_description",
            _tags(
                id=data_id,
                name=member.name,
                version=1,
                description=f"Author and source of {member.name}",
                format=member.format,
                upload_date="2014-04-06T23:19:24",
                licence=member.licence,
                url=f"{RETIRED}/data/v1/download/{data_id}/{member.name}.arff",
                parquet_url=f"{RETIRED}/datasets/{data_id}/dataset_{data_id}.pq",
                minio_url=f"{RETIRED}/datasets/{data_id}/dataset_{data_id}.pq",
                file_id=data_id,
                default_target_attribute=member.target,
                visibility="public",
                status="active",
                md5_checksum=md5(member.arff),
            ),
        )

    def dataset(self, data_id: str) -> bytes:
        return self._known(self.data, data_id, 111, "Unknown dataset").arff

    def features(self, data_id: str) -> bytes:
        member = self._known(self.data, data_id, 271, "Unknown dataset")
        body = ""
        for index, (name, kind) in enumerate(member.attributes):
            nominal = isinstance(kind, list)
            body += "<oml:feature>" + _tags(
                index=index,
                name=name,
                data_type="nominal" if nominal else "string" if kind == "STRING" else "numeric",
            )
            body += "".join(_tags(nominal_value=value) for value in (kind if nominal else []))
            body += _tags(
                is_target=str(name == member.target).lower(),
                is_ignore="false",
                is_row_identifier="false",
                number_of_missing_values=0,
            )
            body += "</oml:feature>"
        return _document("data_features", body)

    def qualities(self, data_id: str) -> bytes:
        member = self._known(self.data, data_id, 361, "Unknown dataset")
        values = {"NumberOfInstances": f"{member.rows}.0", "NumberOfClasses": f"{len(member.counts)}.0"}
        body = "".join(f"<oml:quality>{_tags(name=k, value=v)}</oml:quality>" for k, v in values.items())
        return _document("data_qualities", body)

    def evaluations(self, run_ids: str) -> bytes:
        runs = [self.archive.run(int(run_id)) for run_id in run_ids.split(",")]
        found = [run for run in runs if run]
        if not found:
            raise Refusal(542, "No results")
        return _document("evaluations", "".join(self._evaluation(run) for run in found))

    def _evaluation(self, run: Run) -> str:
        area = f"{self.archive.area(run):.6f}"
        return (
            "<oml:evaluation>"
            + _tags(
                run_id=run.run_id,
                task_id=run.task,
                setup_id=run.flow,
                flow_id=run.flow,
                flow_name=f"made.up.Flow{run.flow:02}(1)",
                data_name=self.archive.tasks[run.task].name,
                function="area_under_roc_curve",
                upload_time="2014-08-01 12:00:00",
                uploader=1,
                value=area,
                array_data=f"[{area},{area}]",
            )
            + "</oml:evaluation>"
        )

    def run(self, run_id: str) -> bytes:
        run = self.archive.run(int(run_id))
        if run is None:
            raise Refusal(236, "Run not found")
        file_id = FIRST_FILE + run.run_id
        files = "<oml:file>" + _tags(
            did=-1, file_id=1, name="description", url=f"{RETIRED}/data/download/1/d.xml"
        )
        files += "</oml:file><oml:file>" + _tags(
            did=-1,
            file_id=file_id,
            name="predictions",
            url=f"{RETIRED}/data/download/{file_id}/predictions.arff",
        )
        area = f"{self.archive.area(run):.6f}"
        evaluation = _tags(name="area_under_roc_curve", value=area, array_data=f"[{area},{area}]")
        return _document(
            "run",
            _tags(
                run_id=run_id,
                uploader=1,
                task_id=run.task,
                flow_id=run.flow,
                flow_name=f"made.up.Flow{run.flow:02}(1)",
                setup_id=run.flow,
                error="",
            )
            + f"<oml:output_data>{files}</oml:file>"
            + f"<oml:evaluation>{evaluation}</oml:evaluation></oml:output_data>",
        )

    def predictions(self, file_id: str) -> bytes | None:
        run = self.archive.run(int(file_id) - FIRST_FILE)
        return self.archive.predictions(run) if run else None

    def _known(self, members: dict, key: str, code: int, message: str) -> FolderSet | MadeUpSet:
        if int(key) not in members:
            raise Refusal(code, message)
        return members[int(key)]


_API = "/api/v1/xml"
_ROUTES = [
    (rf"{_API}/task/list/(.+)", OpenML.task_list),
    (rf"{_API}/task/(\d+)", OpenML.task),
    (rf"{_API}/data/(\d+)", OpenML.description),
    (rf"{_API}/data/features/(\d+)", OpenML.features),
    (rf"{_API}/data/qualities/(\d+)", OpenML.qualities),
    (
        rf"{_API}/evaluation/list/function/area_under_roc_curve/run/([\d,]+)(?:/limit/10000)?",
        OpenML.evaluations,
    ),
    (rf"{_API}/run/(\d+)", OpenML.run),
    (r"/api_splits/get/(\d+)/[^/]+", OpenML.splits),
    (r"/data/v1/download/(\d+)/[^/]+", OpenML.dataset),
    (r"/data/download/(\d+)/[^/]+", OpenML.predictions),
]
