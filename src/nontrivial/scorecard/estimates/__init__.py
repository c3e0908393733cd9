"""Every number of a scorecard with its interval, and the verdicts on the questions."""
