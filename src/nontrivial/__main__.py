"""``python -m nontrivial`` is the command ``nontrivial``."""

from nontrivial.cli import main

if __name__ == "__main__":
    main(prog_name="nontrivial")
