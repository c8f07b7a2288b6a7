"""A cassette: enters a request to a chat model, leaves the reply that was recorded for the same prompt."""

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
    """A file of JSON lines, each with the digest of a prompt and the reply to it; several threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self._replies: dict[str, str] = {line["prompt"]: line["reply"] for line in map(json.loads, lines)}

    def __len__(self) -> int:
        return len(self._replies)

    def reply(self, request: Mapping[str, Any]) -> str | None:
        """The reply to the same prompt, where one was recorded."""
        return self._replies.get(digest_of(request))

    def record(self, request: Mapping[str, Any], reply: str) -> None:
        """Keep a reply."""
        with self._lock:
            digest = digest_of(request)
            self._replies[digest] = reply
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"prompt": digest, "reply": reply}, ensure_ascii=False) + "\n")
