"""What programs ask of a server, workers or not."""

from __future__ import annotations

import ssl
import threading
from dataclasses import dataclass
from typing import Any, Callable
from urllib.parse import quote

from .errors import Blocked
from .http import Connection
from .jsontext import encode

# How long a request may take that does not wait for anything.
_WITHIN = 30.0


@dataclass(frozen=True)
class CreatedTask:
    """A task, and whether this request created it."""

    task_uuid: str
    created: bool


class Client:
    """A server and the token for it: a text, or what returns one, which is called before each request, so that a token can be
    replaced while the program runs. Any thread may use the client. It keeps connections, which close closes."""

    def __init__(self, url: str, token: str | Callable[[], str], *, ssl_context: ssl.SSLContext | None = None) -> None:
        self._made = (url, token, ssl_context)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that are not in use. The client may still be used."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        """A request with a body that is encoded."""
        with self._lock:
            connection = self._idle.pop() if self._idle else self.connection()
        try:
            return connection.send(method, path, data, timeout)
        finally:
            with self._lock:
                self._idle.append(connection)

    def connection(self) -> Connection:
        """A connection of its own."""
        return Connection(*self._made)

    def request(self, method: str, path: str, body: Any = None, timeout: float = _WITHIN) -> Any:
        """Any request under /v1, for what has no method here. Raises ApiError or Unavailable."""
        return self.send(method, path, None if body is None else encode(body), timeout)

    def register_template(self, template: dict[str, Any]) -> None:
        """Registers a template; one that is known already changes nothing."""
        self.request("POST", "/v1/templates", template)

    def create_task(
        self,
        namespace: str,
        name: str,
        context: Any = None,
        *,
        identity_key: str | None = None,
        version: str | None = None,
        priority: int | None = None,
        tags: list[str] | None = None,
    ) -> CreatedTask:
        """Creates a task, or finds the one that has this identity."""
        given = {"identity_key": identity_key, "version": version, "priority": priority, "tags": tags}
        body: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        answer = self.request("POST", "/v1/tasks", {"namespace": namespace, "name": name, "context": context or {}, **body})
        return CreatedTask(answer["task_uuid"], answer["created"])

    def get_task(self, task_uuid: str) -> dict[str, Any]:
        """The task: state, complete, context and the rest of GET /v1/tasks/{task_uuid}."""
        answer: dict[str, Any] = self.request("GET", "/v1/tasks/" + quote(task_uuid))
        return answer

    def wait_for_task(self, task_uuid: str, seconds: int = 30) -> dict[str, Any]:
        """The task when it has ended, or as it is when the seconds are over; complete says which. Raises Blocked at once if a
        step of it has failed for good and the task waits for an operator."""
        path = f"/v1/tasks/{quote(task_uuid)}/wait?timeout_seconds={seconds}&or_blocked=true"
        answer: dict[str, Any] = self.request("GET", path, timeout=seconds + _WITHIN)
        if answer["state"] == "blocked_by_failures":
            raise Blocked(answer)
        return answer

    def send_signal(self, task_uuid: str, name: str, payload: Any = None, *, idempotency_key: str | None = None) -> str:
        """Sends a signal: delivered, kept or repeated."""
        body = {"name": name, "payload": {} if payload is None else payload, "idempotency_key": idempotency_key}
        if idempotency_key is None:
            del body["idempotency_key"]
        return str(self.request("POST", f"/v1/tasks/{quote(task_uuid)}/signals", body)["answer"])
