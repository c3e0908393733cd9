"""Compute the tables of an experiment, and the numbers in its figures, by the function that the rule names."""

import sys
from importlib import import_module
from pathlib import Path

sys.stderr = open(snakemake.log[0], "w", buffering=1)

from nontrivial_study.tables import write_result

# The named inputs and the other parameters of the rule are the arguments.
params = dict(snakemake.params.items())
del params["code"]  # only Snakemake uses this parameter, to run the rule again after a change of its code
module, function = params.pop("function").rsplit(".", 1)
compute = getattr(import_module(f"nontrivial_study.experiments.{module}"), function)
paths = {Path(path).stem: path for path in snakemake.output}
for name, table in compute(**dict(snakemake.input.items()), **params).items():
    write_result(paths.pop(name), table)
if paths:
    raise ValueError(f"{function} has not returned {', '.join(paths)}.")
