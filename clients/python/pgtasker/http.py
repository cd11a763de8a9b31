"""Requests over a kept connection."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
from typing import Any, Callable
from urllib.parse import urlsplit

from .errors import ApiError, Unauthorized, Unavailable
from .jsontext import decode


def passes(status: int, code: str) -> bool:
    """Whether an answer does not judge the request, by the table of docs/http-workers.md. The answer of a task
    throttle, TK429, judges the request."""
    return status in (408, 429) and code != "TK429" or status >= 500 and status != 507


class Connection:
    """One connection, opened again when it was closed. Only abort and cut may be called by another thread."""

    def __init__(self, url: str, token: str | Callable[[], str], context: ssl.SSLContext | None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not the address of a server: http://127.0.0.1:8480")
        self._base = parts.path.rstrip("/")
        self._token = token
        self._http: http.client.HTTPConnection
        if parts.scheme == "https":
            self._http = http.client.HTTPSConnection(
                parts.hostname, parts.port, context=context or ssl.create_default_context()
            )
        else:
            self._http = http.client.HTTPConnection(parts.hostname, parts.port)

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        """The decoded answer. Raises ApiError, Unauthorized or Unavailable."""
        token = self._token if isinstance(self._token, str) else self._token()
        headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        self._http.timeout = timeout
        sock = self._http.sock
        if sock is not None and select.select([sock], [], [], 0)[0]:
            self._http.close()  # The server has closed it meanwhile.
        elif sock is not None:
            sock.settimeout(timeout)
        try:
            self._http.request(method, self._base + path, data, headers)
            if self._http.sock is not None:
                self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            response = self._http.getresponse()
            status, text = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            raise Unavailable(f"{type(error).__name__}: {error}") from error
        try:
            answer = decode(text)
        except ValueError as error:
            raise Unavailable(f"status {status}, and no JSON", status) from error
        if status == 200:
            return answer
        if not isinstance(answer, dict):
            answer = {}
        if passes(status, str(answer.get("code"))):
            raise Unavailable(f"status {status}: {answer.get('detail')}", status)
        problem = Unauthorized if status == 401 else ApiError
        raise problem(status, str(answer.get("code")), str(answer.get("detail")), str(answer.get("hint") or ""))

    def abort(self) -> None:
        """Abandons a running request of another thread. An answer that the server has already written is still read."""
        sock = self._http.sock
        if sock is not None:
            try:
                socket.socket.shutdown(sock, socket.SHUT_WR)  # That of a TLS socket would end its reading, too.
            except OSError:
                pass  # It is closed already.

    def stir(self) -> None:
        """The server itself wakes a request that waits for steps."""

    def cut(self) -> None:
        """Ends a running request of another thread that waits in vain, because an outage has swallowed it."""
        sock = self._http.sock
        if sock is not None:
            try:
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already.

    def close(self) -> None:
        self._http.close()
