"""Claims of documents, the verdicts that a rule gives them, and what they rest on.

`registry` reads the claims, `language` evaluates their formulas, `domains` says what they are about. `search` decides
them, with the `solver` for cases of any size. `verdict` is the rule, `judge` makes the records, and `sentences` and
`rendering` say them.
"""
