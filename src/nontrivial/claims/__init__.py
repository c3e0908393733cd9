"""Claims of documents, the verdicts that a rule gives them, and what they rest on."""
