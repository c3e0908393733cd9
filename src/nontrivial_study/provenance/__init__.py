"""What made the results, and going through all of it again.

`run`, `crate`, `manifest` and `bag` record it, `verify` compares it with what is there.
"""
