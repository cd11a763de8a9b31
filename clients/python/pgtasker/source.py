"""What a running step asks of the server: its calls last until the server has answered."""

from __future__ import annotations

import logging
import random
import threading
import time
from typing import Any, Callable, Iterator

from .client import Client
from .errors import Unavailable
from .http import encode

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0
_WITHIN = 30.0


class Abandoned(Exception):
    """The worker has given up."""


class Source:
    """Calls that are repeated while the server is away."""

    def __init__(self, client: Client, lease: int, log: logging.Logger) -> None:
        self.lease = lease
        self.abandoned = threading.Event()
        self._client = client
        self._log = log

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self.send(method, path, None if body is None else encode(body))

    def send(self, method: str, path: str, data: bytes | None) -> Any:
        return self.persist(lambda: self._client.send(method, path, data, _WITHIN), path)

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        cursor: str | None = ""
        while cursor is not None:
            page = self.call("GET", f"{path}?limit=100&cursor={cursor}")
            yield from page["items"]
            cursor = page["next_cursor"]

    def persist(self, call: Callable[[], Any], what: str, until: Callable[[], bool] = lambda: False) -> Any:
        """Makes a call until the server has answered it. Raises Abandoned if the worker, or until, gives up before."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return call()
            except Unavailable as error:
                if self.abandoned.is_set() or until():
                    raise Abandoned(str(error)) from error
                self._log.warning("%s failed; trying again: %s", what, error)
            over = time.monotonic() + pause * random.uniform(0.9, 1.1)
            while not until() and time.monotonic() < over:
                if self.abandoned.wait(min(0.05, pause)):
                    break
            pause = min(2 * pause, _LONGEST_PAUSE)
