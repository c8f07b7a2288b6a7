"""
Prints the baselines that need a language model, one per line: `python -m benchmarks.baselines`.
"""

import sys
from importlib.metadata import distribution

from linker.strategies import GROUP, open_strategy


def main() -> None:
    names = [
        entry.name
        for entry in distribution("dbt-linker-benchmarks").entry_points
        if entry.group == GROUP
    ]
    asking = [name for name in sorted(names) if getattr(open_strategy(name), "needs_model", False)]
    sys.stdout.write("\n".join(asking) + "\n")


if __name__ == "__main__":
    main()
