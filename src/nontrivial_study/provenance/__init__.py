"""What a study says of itself, and the command that checks it."""
