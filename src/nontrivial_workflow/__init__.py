"""What the rule files share: the checked configuration, digests of code, and what a run says last."""
