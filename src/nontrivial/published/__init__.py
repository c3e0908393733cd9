"""The command for published numbers: read them, judge them, and say what they are worth."""
