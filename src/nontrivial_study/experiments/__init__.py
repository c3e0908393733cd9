"""The experiments of the study, each in a folder of its own, and the plan of a study."""
