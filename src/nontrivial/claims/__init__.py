"""Claims of the documents, the verdicts that a rule gives them, and what they rest on.

`registry` reads the claims, `syntax` says what language they are written in, `over` says what they are about.
`formulas` evaluates them in the exact arithmetic of `values` or in the terms of the `solver`. `decide` proves, refutes
or searches claims about cases of any size, `points` judges those about printed or measured numbers. `verdict` is the
rule, `judge` makes the records, `sentences` says them, `evidence` writes them.
"""
