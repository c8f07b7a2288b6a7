"""Stderr of a command without progress lines."""


def messages(stderr: str) -> list[str]:
    """The other lines: how many of those there are depends on how fast the machine is."""
    return [line for line in stderr.splitlines() if not line.startswith("… ")]
