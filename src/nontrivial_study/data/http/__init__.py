"""The client of everything that is downloaded."""
