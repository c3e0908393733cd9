#!/usr/bin/env bash
# The study at the papers' scale against a server on this machine: tests/rehearse.sh FOLDER [snakemake arguments]
#
# FOLDER holds data as the server reads them: index.csv, uci/, openml/. Everything goes to build/rehearsal. The same
# command continues from there. With --config 'openml={mode: archive}' the server makes up an archive, which takes the
# place of training, in build/rehearsal-archive. A --configfile of yours goes on top of all. For three in a hundred
# addresses the server's first answer is wrong, in every way that another request mends; the address decides which.
set -euo pipefail

if [[ $# -eq 0 || ! -f $1/index.csv ]]; then
    echo "The first argument must be a folder with index.csv, uci/ and openml/." >&2
    exit 2
fi
folder=$(realpath -- "$1")
shift
cd "$(dirname "$0")/.."
python=python
[[ -x .venv/bin/python ]] && python=.venv/bin/python
place=build/rehearsal
archive=()
if [[ $* == *"mode: archive"* ]]; then
    place=build/rehearsal-archive
    archive=(--archive-tasks 60 --quirky 0.1)
fi
# Of two lists of configuration files the engine takes the second alone, so there is to be one.
arguments=()
configurations=()
while [[ $# -gt 0 ]]; do
    if [[ $1 != --configfile && $1 != --configfiles ]]; then
        arguments+=("$1")
        shift
        continue
    fi
    shift
    while [[ $# -gt 0 && $1 != -* ]]; do
        configurations+=("$1")
        shift
    done
done
mkdir -p "$place"
started=$SECONDS

# The server lives until its input is closed, so it cannot outlive this script. What was downloaded is known by its
# address, so the port stays the same from one rehearsal to the next.
port=$(cat "$place/port" 2>/dev/null || echo 0)
coproc SERVER { PYTHONPATH=tests exec "$python" -m servers "$folder" --port "$port" --flaky 0.03 "${archive[@]}"; }
exec {server_input}>&"${SERVER[1]}" {server_output}<&"${SERVER[0]}"
if ! read -r offer <&"$server_output"; then
    echo "The server does not start on port $port: if another program has it, remove $place/port." >&2
    exit 1
fi

"$python" - "$offer" "$place" <<'PYTHON'
import json, sys, yaml

offer, place = json.loads(sys.argv[1]), sys.argv[2]
with open(f"{place}/port", "w", encoding="ascii") as stream:
    stream.write(offer["address"].rpartition(":")[2])
suitable = [entry["task"] for entry in offer["tasks"] if entry["classes"] == 2 and entry["rows"] < 6000]
override = {
    "results": f"{place}/results",
    "downloads": {"folder": f"{place}/downloads", "rate": 500, "timeout": 5, "patience": 60},
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
PYTHONPATH=src "$python" -m snakemake --cores 2 "${arguments[@]}" \
    --configfile config/paper.yaml "$place/rehearsal.yaml" "${configurations[@]}" || status=$?

echo "== Rehearsal: $((SECONDS - started)) s"
"$python" - "$place/results" "$offer" <<'PYTHON'
import csv, json, re, sys
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

results = Path(sys.argv[1])
sets = [json.loads(path.read_text("utf-8")) for path in sorted(results.glob("data/*.json"))]
batches = [json.loads(path.read_text("utf-8")) for path in sorted(results.glob("openml/archive-*.json"))]
archived = [task for batch in batches for task in batch["tasks"]]
print(f"{len(sets + archived)} data sets with {sum(one['rows'] for one in sets + archived)} rows")
if batches:
    taken, replaced = (sum(len(task[key]) for task in archived) for key in ("taken", "replaced"))
    unusable = sum(len(batch["unusable"]) for batch in batches)
    print(f"{len(archived)} archived tasks ({unusable} more cannot serve), {taken} runs taken, {replaced} replaced")
logs = [path.read_text("utf-8") for path in sorted(results.glob("logs/**/*.log"))]
line = re.compile(r"; (\d+) requests, (\d+) retries, (\d+) taken from earlier runs")
found = [match for log in logs for match in line.findall(log)[-1:]]
requests, retries, kept = (sum(int(last[i]) for last in found) for i in (0, 1, 2))
print(f"{requests} requests, {retries} retries, {kept} documents kept from earlier runs")
retry = re.compile(r"^.*?: https?://\S+ (.+); trying again in", re.MULTILINE)
number = re.compile(r"\b[0-9a-f]{32}\b|(?<!status )(?<!code )\b\d+(?:\.\d+)?\b")
said = [re.sub(r"https?://\S+", "a file", problem) for log in logs for problem in retry.findall(log)]
problems = Counter(re.split(r" ?[:(]", number.sub("...", problem))[0] for problem in said)
for problem, count in problems.most_common():
    print(f"  {problem}: {count}")
with urlopen(json.loads(sys.argv[2])["address"] + "/_server") as answer:
    met = Counter(json.load(answer)["met"])
print(f"{met.total()} answers of the server were wrong: " + ", ".join(f"{kind} {met[kind]}" for kind in sorted(met)))
areas = results / "tables" / "curve_areas.csv"
if areas.exists():
    rows = list(csv.DictReader(areas.open(encoding="utf-8")))
    failed = Counter(row["model"] for row in rows if row["status"] != "ok")
    print(f"{len({row['task'] for row in rows})} tasks, {len(rows)} models on them, {failed.total()} of these failed")
    for model, count in failed.most_common():
        print(f"  {model}: {count}")
PYTHON
exec {server_input}>&-
exit "$status"
