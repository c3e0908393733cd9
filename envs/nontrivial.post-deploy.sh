#!/usr/bin/env bash
# Runs once in a freshly made conda environment, from the folder the workflow was started in.
set -euo pipefail
python -m pip install --no-deps --editable .
