"""
Size of an installation by package and extra: `make bench-install`.

The wheel is built from a clean clone and installed into an empty environment, then with each extra.
Sizes of extras exclude what Python compiles, which pip does on installation and uv on the first
import.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import Distribution, distributions
from importlib.util import cache_from_source
from pathlib import Path

from benchmarks.progress_line import write_line

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = (
    "openai",
    "anthropic",
    "google",
    "llm",
    "mcp",
    "serve",
    "postgres",
    "snowflake",
    "bigquery",
)
UV = str(Path(sys.executable).with_name("uv"))
_MAX_PACKAGES = 25
_MEGABYTE = 1_000_000


def run(*words: str | Path) -> None:
    """Run a command with system certificates and a clean environment."""
    variables = {**os.environ, "UV_SYSTEM_CERTS": "1"}
    variables.pop("VIRTUAL_ENV", None)
    subprocess.run([str(word) for word in words], env=variables, check=True)  # noqa: S603 - words of this module


def build_wheel(folder: Path) -> Path:
    """The wheel of the committed files."""
    clone = folder / "clone"
    run("git", "clone", "--quiet", ROOT, clone)
    run(UV, "build", "--quiet", "--wheel", "--out-dir", folder / "dist", clone)
    [wheel] = (folder / "dist").glob("*.whl")
    return wheel


def size_of(distribution: Distribution) -> int:
    """The bytes of its files, but for what Python compiled."""
    total = 0
    for file in distribution.files or ():
        path = Path(str(distribution.locate_file(file)))
        if path.suffix != ".pyc" and path.is_file():
            total += path.stat().st_size
    return total


def compiled_size_of(distribution: Distribution) -> int:
    """The bytes of what Python compiled of its modules."""
    total = 0
    for file in distribution.files or ():
        path = Path(str(distribution.locate_file(file)))
        if path.suffix == ".py":
            compiled = Path(cache_from_source(str(path)))
            total += compiled.stat().st_size if compiled.is_file() else 0
    return total


def install(wheel: Path, extra: str, folder: Path) -> list[Distribution]:
    """The packages of a new environment, compiled as pip does."""
    run(UV, "venv", "--quiet", "--python", sys.executable, folder)
    what = f"{wheel}[{extra}]" if extra else str(wheel)
    python = folder / "bin" / "python"
    run(UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", python, what)
    [packages] = folder.glob("lib/*/site-packages")
    return list(distributions(path=[str(packages)]))


def sizes_of(packages: list[Distribution]) -> dict[str, int]:
    return {package.metadata["Name"]: size_of(package) for package in packages}


def by_size(sizes: dict[str, int]) -> list[tuple[str, int]]:
    """The largest first."""
    return sorted(sizes.items(), key=lambda item: -item[1])


def megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", action="append", help="only this one; may be repeated")
    extras = parser.parse_args(arguments).extra or EXTRAS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build_wheel(folder)
        packages = install(wheel, "", folder / "plain")
        plain = sizes_of(packages)
        compiled = {package.metadata["Name"]: compiled_size_of(package) for package in packages}
        total = sum(plain.values())
        write_line(f"{megabytes(total)} MB in {len(plain)} packages")
        write_line(f"{megabytes(total + sum(compiled.values()))} MB compiled\n")
        write_line("| package | MB | MB compiled |\n|---|---|---|")
        for package, size in by_size(plain)[:_MAX_PACKAGES]:
            write_line(f"| {package} | {megabytes(size)} | {megabytes(size + compiled[package])} |")
        write_line("\n| extra | MB more | packages more | the largest |\n|---|---|---|---|")
        for extra in extras:
            sizes = sizes_of(install(wheel, extra, folder / extra))
            more = {package: size for package, size in sizes.items() if package not in plain}
            largest = ", ".join(
                f"{package} {megabytes(size)}" for package, size in by_size(more)[:3]
            )
            added = sum(sizes.values()) - sum(plain.values())
            write_line(f"| `{extra}` | {megabytes(added)} | {len(more)} | {largest} |")


if __name__ == "__main__":
    main()
