"""A child process that does not outlive the block that started it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# To cancel statements takes a round trip; a process that needs longer is stuck.
_PATIENCE_SECONDS = 5


@contextmanager
def ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """
    Whatever ends the block early ends the process: it is asked to cancel what runs, and given a
    moment.
    """
    with process:
        try:
            yield
        finally:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PATIENCE_SECONDS)
                process.kill()
