"""One reader of files and tables: their cells, the numbers and labels in them, and the positive label."""
