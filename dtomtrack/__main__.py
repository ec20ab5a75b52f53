"""``python -m dtomtrack``."""

from dtomtrack.cli import main

if __name__ == "__main__":
    main()
