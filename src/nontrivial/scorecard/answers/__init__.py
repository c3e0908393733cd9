"""From files, tables and options to the answers of models, with the same cases in the same order."""
