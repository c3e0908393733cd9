"""The command `published`: what numbers that somebody printed are worth."""
