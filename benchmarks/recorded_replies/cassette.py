"""A cassette: recorded replies of a chat model by request."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

# What of a request makes the prompt; the name of the model and its settings do not.
_PROMPT = ("messages", "tools")


def digest_of(request: Mapping[str, Any]) -> str:
    """The digest of a prompt."""
    prompt = json.dumps([request.get(name) for name in _PROMPT], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(prompt.encode()).hexdigest()[:32]


class Cassette:
    """
    A file of JSON lines, each with the digest of a prompt and the reply to it; several threads may
    share it.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._used: set[str] = set()
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self._replies: dict[str, str] = {
            line["prompt"]: line["reply"] for line in map(json.loads, lines)
        }

    def __len__(self) -> int:
        return len(self._replies)

    def reply(self, request: Mapping[str, Any]) -> str | None:
        """The reply to the same prompt, where one was recorded."""
        digest = digest_of(request)
        self._used.add(digest)
        return self._replies.get(digest)

    def record(self, request: Mapping[str, Any], reply: str) -> None:
        """Keep a reply."""
        with self._lock:
            digest = digest_of(request)
            self._replies[digest] = reply
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_line(digest, reply))

    def keep_used(self) -> None:
        """
        Keep the replies that were asked for since it was opened, in the order of their digests.
        """
        with self._lock:
            self._replies = {
                digest: self._replies[digest]
                for digest in sorted(self._used & self._replies.keys())
            }
            self._path.write_text("".join(_line(*kept) for kept in self._replies.items()), "utf-8")


def _line(digest: str, reply: str) -> str:
    return json.dumps({"prompt": digest, "reply": reply}, ensure_ascii=False) + "\n"
