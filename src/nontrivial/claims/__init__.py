"""Claims of the documents, the verdicts that a rule gives them, and the means to check both.

`registry` reads the claims, `tests` names what can be computed about them, `verdict` compares what is stated with
what was found, `evidence` writes the outcome. `run`, `crate` and `manifest` record what made the results, and `verify`
goes through all of it again.
"""
