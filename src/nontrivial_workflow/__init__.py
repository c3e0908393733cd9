"""What the rule files share: configuration, what a script depends on, and all that touches the engine."""
