"""
Serves an agent over stdio from the folder that it is given: where linker.yml and the index lie.
"""

import os
import sys
from pathlib import Path

from linker.cli import main

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    os.chdir(folder)
    # The file was named by who installed the bundle.
    named = ["--config", "linker.yml"] if Path("linker.yml").exists() else []
    main(["mcp", *named])
