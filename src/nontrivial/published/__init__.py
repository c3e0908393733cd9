"""The command `published`: what published numbers are worth."""
