"""What the rule files of the workflow share: configuration, what a script depends on, and all that touches the engine."""
