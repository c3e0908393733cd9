"""The rows of curves and areas once more, where NumPy has AVX-512, without it.

NumPy's sort by AVX-512 is several times slower than that by AVX2 on AMD's Zen 4
(https://github.com/numpy/x86-simd-sort/issues/6), and a curve is little more than a sort.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.curves import SIZES, beside_others
from benchmarks.turns import Row, simd_features


def rows(sizes: Sequence[int] = SIZES, rounds: int = 3) -> Iterator[Row]:
    disabled = [name for name in simd_features() if name == "X86_V4" or name.startswith("AVX512")]
    already = os.environ.get("NPY_DISABLE_CPU_FEATURES", "")
    if disabled:
        yield from json.loads(
            subprocess.run(
                [sys.executable, "-m", "benchmarks.curves_without_avx512", json.dumps([*sizes]), str(rounds)],
                env=os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join([already, *disabled])},
                cwd=Path(__file__).parents[1],
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )


if __name__ == "__main__":
    json.dump([*beside_others(json.loads(sys.argv[1]), int(sys.argv[2]))], sys.stdout)
