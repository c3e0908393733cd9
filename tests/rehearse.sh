#!/usr/bin/env bash
# The study at the papers' scale against a server on this machine: tests/rehearse.sh [FOLDER] [snakemake arguments]
#
# FOLDER holds data as the server reads them: index.csv, uci/, openml/. Everything goes to build/rehearsal.
# With --config 'openml={mode: archive}' the archive that the server makes up takes the place of training.
set -euo pipefail

folder=../shared/mirror
if [[ $# -gt 0 && $1 != -* ]]; then
    folder=$(realpath -m -- "$1")
    shift
fi
cd "$(dirname "$0")/.."
if [[ ! -f $folder/index.csv ]]; then
    echo "There is no $folder/index.csv: give a folder with index.csv, uci/ and openml/." >&2
    exit 1
fi
python=python
[[ -x .venv/bin/python ]] && python=.venv/bin/python
place=build/rehearsal
mkdir -p "$place"
started=$SECONDS

# The server lives until its input is closed, so it cannot outlive this script.
coproc SERVER { PYTHONPATH=tests exec "$python" -m servers "$folder" --archive-tasks 60 --quirky 0.1; }
exec {server_input}>&"${SERVER[1]}"
read -r offer <&"${SERVER[0]}"

"$python" - "$offer" "$place" <<'PYTHON'
import json, sys, yaml

offer, place = json.loads(sys.argv[1]), sys.argv[2]
suitable = [entry["task"] for entry in offer["tasks"] if entry["classes"] == 2 and entry["rows"] < 6000]
override = {
    "results": f"{place}/results",
    "downloads": {"folder": f"{place}/downloads", "rate": 500, "timeout": 10, "patience": 60},
    "uci": {"base_url": offer["address"]},
    "openml": {
        "api_url": offer["address"] + "/api/v1/xml",
        "data_url": offer["address"],
        "tasks": suitable,
        "archive": {"task_count": min(60, len(suitable))},
    },
}
with open(f"{place}/rehearsal.yaml", "w", encoding="utf-8") as stream:
    yaml.safe_dump(override, stream)
print(f"The server at {offer['address']} offers {len(offer['tasks'])} tasks, {len(suitable)} of them suitable.")
PYTHON

status=0
PYTHONPATH=src "$python" -m snakemake --cores 2 "$@" --configfile config/paper.yaml "$place/rehearsal.yaml" || status=$?
exec {server_input}>&-

echo "== Rehearsal: $((SECONDS - started)) s"
"$python" - "$place/results" <<'PYTHON'
import json, re, sys
from pathlib import Path

results = Path(sys.argv[1])
records = [json.loads(path.read_text("utf-8")) for path in sorted(results.glob("data/*.json"))]
batches = [json.loads(path.read_text("utf-8")) for path in sorted(results.glob("openml/archive-*.json"))]
archived = [task for batch in batches for task in batch["tasks"]]
line = re.compile(r"; (\d+) requests, (\d+) retries, (\d+) taken from earlier runs")
found = [line.search(path.read_text("utf-8")) for path in results.glob("logs/**/*.log")]
requests, retries, kept = (sum(int(match[i]) for match in found if match) for i in (1, 2, 3))
print(f"{len(records)} data sets with {sum(record['rows'] for record in records)} rows")
if archived:
    taken, replaced = (sum(len(task[key]) for task in archived) for key in ("taken", "replaced"))
    print(f"{len(archived)} archived tasks, {taken} runs taken, {replaced} replaced")
print(f"{requests} requests, {retries} retries, {kept} documents kept from earlier runs")
PYTHON
exit "$status"
