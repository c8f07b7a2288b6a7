"""Starts `linker serve` for a test, waits until it answers, and stops it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("linker"))
_PATIENCE_SECONDS = 60


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[str]:
    """Run `linker WORDS --port …` in a folder, which is its home too."""
    port = _free_port()
    command = [COMMAND, *words, "--port", str(port)]
    variables = {**os.environ, "HOME": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=variables, stderr=subprocess.PIPE, text=True
    ) as server:
        until = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < until:
            with closing(socket.socket()) as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, server.stderr and server.stderr.read()
            time.sleep(0.1)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            # A test that fails would else wait for the server for ever.
            server.terminate()


def _free_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
