"""``python -m motebench``."""

from motebench.cli import main

if __name__ == "__main__":
    main()
