"""Rankings of a few cases, all of them: their curves, areas and hulls in exact integer arithmetic.

`enumeration` lists the rankings of so many positives and negatives, ties included; the other modules compute what
documents state something about, for all of them at once; `quantities` gives these their names. Nothing here uses
`nontrivial.curves`: that the two agree is tested.
"""
