"""The study that reproduces the documents: what the workflow runs. It imports `nontrivial`, never the other way."""
