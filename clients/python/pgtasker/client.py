"""The requests of programs to a server, workers or not."""

from __future__ import annotations

import asyncio
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable
from urllib.parse import quote

from .errors import Blocked, Unavailable
from .http import Connection
from .jsontext import encode

# How long a request without a wait may take.
_WITHIN = 30.0


@dataclass(frozen=True)
class CreatedTask:
    """A task, and whether this request created it."""

    task_uuid: str
    created: bool


class TokenFile:
    """The token in a file, read again when the file has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int], str] | None = None

    def __call__(self) -> str:
        try:
            stat = self._path.stat()
            mark = (stat.st_mtime_ns, stat.st_ino)
            if self._read is None or self._read[0] != mark:
                text = self._path.read_text().strip()
                if text:
                    self._read = (mark, text)
        except OSError:
            if self._read is None:
                raise
        if self._read is None:
            raise ValueError(f"{self._path} has no token")
        return self._read[1]


class Client:
    """A server and the token for it: a text, the path of a file with the token, or a function that returns the token.
    The file is read, or the function called, before each request, so that the token can be replaced while the program
    runs. Any thread may use the client. The client keeps connections, which the method close closes."""

    def __init__(self, url: str, token: str | Path | Callable[[], str], *, ssl_context: ssl.SSLContext | None = None) -> None:
        self._made = (url, TokenFile(token) if isinstance(token, Path) else token, ssl_context)
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
        """A request with an encoded body."""
        with self._lock:
            connection = self._idle.pop() if self._idle else self.connection()
        try:
            return connection.send(method, path, data, timeout)
        except Unavailable as error:
            if error.status == 0:
                self.close()  # The idle connections may be dead in the same way.
            raise
        finally:
            with self._lock:
                self._idle.append(connection)

    def connection(self) -> Connection:
        """A separate connection."""
        return Connection(*self._made)

    def request(self, method: str, path: str, body: Any = None, timeout: float = _WITHIN) -> Any:
        """Any request under /v1, for operations without a method here. Raises ApiError or Unavailable."""
        return self.send(method, path, None if body is None else encode(body), timeout)

    def register_template(self, template: dict[str, Any]) -> None:
        """Registers a template. A template that is already registered changes nothing."""
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
        """Creates a task, or finds the task that has this identity."""
        given = {"identity_key": identity_key, "version": version, "priority": priority, "tags": tags}
        body: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        answer = self.request("POST", "/v1/tasks", {"namespace": namespace, "name": name, "context": context or {}, **body})
        return CreatedTask(answer["task_uuid"], answer["created"])

    def get_task(self, task_uuid: str) -> dict[str, Any]:
        """The task: state, complete, context and the rest of GET /v1/tasks/{task_uuid}."""
        answer: dict[str, Any] = self.request("GET", "/v1/tasks/" + quote(task_uuid))
        return answer

    def wait_for_task(self, task_uuid: str, seconds: int = 30) -> dict[str, Any]:
        """The task when it has ended, or in its present state when the seconds are over. complete says whether it has
        ended. Raises Blocked at once if a step of the task has failed for good and the task waits for an operator."""
        path = f"/v1/tasks/{quote(task_uuid)}/wait?timeout_seconds={seconds}&or_blocked=true"
        return self._blocked(self.request("GET", path, timeout=seconds + _WITHIN))

    def _blocked(self, answer: dict[str, Any]) -> dict[str, Any]:
        if answer["blocked"]:
            raise Blocked(answer)
        return answer

    def get_result(self, task_uuid: str, *steps: str) -> dict[str, Any]:
        """The outcome of a task: state, results by step, failed. Without steps the results come from the last steps."""
        query = "&".join("step=" + quote(step) for step in steps)
        answer: dict[str, Any] = self.request("GET", f"/v1/tasks/{quote(task_uuid)}/result?{query}")
        return answer

    def send_signal(self, task_uuid: str, name: str, payload: Any = None, *, idempotency_key: str | None = None) -> str:
        """Sends a signal: delivered, kept, repeated, or ended if the task has ended and takes no signal."""
        body = {"name": name, "payload": {} if payload is None else payload, "idempotency_key": idempotency_key}
        if idempotency_key is None:
            del body["idempotency_key"]
        return str(self.request("POST", f"/v1/tasks/{quote(task_uuid)}/signals", body)["answer"])


class AsyncClient:
    """The same methods for coroutines, on a Client or a Postgres, whose calls run in threads."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await asyncio.to_thread(self.client.close)

    async def request(self, method: str, path: str, body: Any = None, timeout: float = _WITHIN) -> Any:
        return await asyncio.to_thread(self.client.request, method, path, body, timeout)

    async def register_template(self, template: dict[str, Any]) -> None:
        await asyncio.to_thread(self.client.register_template, template)

    async def create_task(self, namespace: str, name: str, context: Any = None, **options: Any) -> CreatedTask:
        """As Client.create_task, with its options."""
        return await asyncio.to_thread(lambda: self.client.create_task(namespace, name, context, **options))

    async def get_task(self, task_uuid: str) -> dict[str, Any]:
        return await asyncio.to_thread(self.client.get_task, task_uuid)

    async def get_result(self, task_uuid: str, *steps: str) -> dict[str, Any]:
        return await asyncio.to_thread(self.client.get_result, task_uuid, *steps)

    async def wait_for_task(self, task_uuid: str, seconds: int = 30) -> dict[str, Any]:
        return await asyncio.to_thread(self.client.wait_for_task, task_uuid, seconds)

    async def send_signal(self, task_uuid: str, name: str, payload: Any = None, *, idempotency_key: str | None = None) -> str:
        return await asyncio.to_thread(lambda: self.client.send_signal(task_uuid, name, payload, idempotency_key=idempotency_key))
