"""Requests over a connection that is kept."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from typing import Any
from urllib.parse import urlsplit

from .errors import ApiError, Unauthorized, Unavailable

# Statuses that do not judge the request.
_LATER = (429, 502, 503, 504)


def encode(value: Any) -> bytes:
    """JSON as PostgreSQL takes it: neither NaN nor infinity."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


class Connection:
    """One connection, opened again when it was closed. Only abort may be called by another thread."""

    def __init__(self, url: str, token: str, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not the address of a server: http://127.0.0.1:8480")
        self._base = parts.path.rstrip("/")
        self._headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        self._http: http.client.HTTPConnection
        if parts.scheme == "https":
            self._http = http.client.HTTPSConnection(
                parts.hostname, parts.port, context=context or ssl.create_default_context()
            )
        else:
            self._http = http.client.HTTPConnection(parts.hostname, parts.port)

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        """The decoded answer. Raises ApiError, Unauthorized or Unavailable."""
        self._http.timeout = timeout
        if self._http.sock is not None:
            self._http.sock.settimeout(timeout)
        try:
            self._http.request(method, self._base + path, data, self._headers)
            if self._http.sock is not None:
                self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            response = self._http.getresponse()
            status, text = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            raise Unavailable(f"{type(error).__name__}: {error}") from error
        try:
            answer = json.loads(text)
        except ValueError as error:
            raise Unavailable(f"status {status}, and no JSON") from error
        if status == 200:
            return answer
        if status in _LATER:
            raise Unavailable(f"status {status}: {answer.get('detail')}")
        problem = Unauthorized if status == 401 else ApiError
        raise problem(status, str(answer.get("code")), str(answer.get("detail")), str(answer.get("hint") or ""))

    def abort(self) -> None:
        """Ends a request that is under way, in another thread."""
        sock = self._http.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already.

    def close(self) -> None:
        self._http.close()
