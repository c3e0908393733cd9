"""Start the server: ``PYTHONPATH=tests python -m servers FOLDER --port 8080``."""

import argparse
import json
import sys
from pathlib import Path

from .server import Server

parser = argparse.ArgumentParser(prog="servers", description="Serve UCI's and OpenML's protocols on loopback.")
parser.add_argument("folder", nargs="?", type=Path, help="data sets: index.csv, uci/, openml/")
parser.add_argument("--port", type=int, default=0, help="0 for any free one")
parser.add_argument("--archive-tasks", type=int, default=0, help="tasks of the archive, made up beyond the folder's")
parser.add_argument("--quirky", type=float, default=0.0, help="share of runs with an odd predictions file")
parser.add_argument("--flaky", type=float, default=0.0, help="share of addresses that answer wrongly at first")
with Server(**vars(parser.parse_args())) as server:
    # The first line tells whoever started it where it listens and which tasks it has; it serves until its input ends.
    tasks = [
        {"task": number, "name": member.name, "rows": member.rows, "classes": len(member.counts)}
        for number, member in sorted(server.openml.tasks.items())
    ]
    print(json.dumps({"address": server.address, "tasks": tasks}), flush=True)
    sys.stdin.read()
