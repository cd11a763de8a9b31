"""Payloads that the server cannot read: the envelope of docs/howto/encrypted.md, and a client that writes and reads it.

    keys = Keys.read(Path("keys.json"))
    client = Encrypted(Client(url, token), keys)
    Worker(client, …)

AES-GCM needs the package cryptography. Another codec has the methods encode and decode, and perhaps hash.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from pathlib import Path
from typing import Any, Mapping, Protocol
from urllib.parse import quote, unquote

from .client import Client
from .jsontext import decode as parse
from .jsontext import encode as text_of_json

HASH_KEY = "hash"
"""The ID of the key that hashes and encrypts nothing. This key stays when the other keys rotate."""
_OWN = "pgtasker: "
_ALGORITHM = "AES-GCM"
_KNOWN_FOR = 5.0
_LONGEST_ERROR = 40_000
_VARYING = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|\S*[0-9]\S*")
_STEP = re.compile(r"/v1/tasks/[^/]+/workflow_steps/([^/?]+)(?:/([a-z-]+))?")
_SCHEDULE = re.compile(r"/v1/schedules/([^/]+)/[^/]+")
_SIGNAL = re.compile(r"/v1/tasks/([^/]+)/signals")


class KeyUnknown(Exception):
    """A payload cannot be decrypted: its key is unknown, or the payload was changed or moved."""


class Codec(Protocol):
    """Encrypts and decrypts. Any thread may call a codec. It may have a method hash(data), a keyed hash that stays the
    same when keys change. With hash the database recognises equal contexts and errors."""

    def encode(self, plain: bytes, bound: bytes) -> tuple[str, str, bytes]:
        """Algorithm, id of the key, and ciphertext. decode must fail for another bound."""

    def decode(self, alg: str, kid: str, data: bytes, bound: bytes) -> bytes:
        """The payload. Raises KeyUnknown."""


class Keys:
    """Keys by id, each of 16, 24 or 32 bytes. The current key encrypts, and all keys decrypt. The key "hash" only
    hashes."""

    def __init__(self, current: str, keys: Mapping[str, bytes]) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if current not in keys or current == HASH_KEY:
            raise ValueError(f"the current key {current!r} is not among the keys")
        self._current = current
        self._sealers = {kid: AESGCM(key) for kid, key in keys.items() if kid != HASH_KEY}
        self._hash = hmac.digest(keys.get(HASH_KEY) or keys[min(keys)], b"pgtasker hash", "sha256")

    @classmethod
    def read(cls, path: Path) -> Keys:
        """Keys of a file: {"current": id, "keys": {id: base64}}."""
        try:
            file = json.loads(path.read_text())
            current, keys = file["current"], {kid: base64.b64decode(key, validate=True) for kid, key in file["keys"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError('the file of keys is not {"current": id, "keys": {id: base64}}') from None
        return cls(current, keys)

    def __repr__(self) -> str:
        return f"pgtasker.codec.Keys({self._current})"

    def encode(self, plain: bytes, bound: bytes) -> tuple[str, str, bytes]:
        nonce = os.urandom(12)
        return _ALGORITHM, self._current, nonce + self._sealers[self._current].encrypt(nonce, plain, bound)

    def decode(self, alg: str, kid: str, data: bytes, bound: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag

        if alg != _ALGORITHM:
            raise KeyUnknown(f"the algorithm {alg!r} is unknown")
        if kid not in self._sealers:
            raise KeyUnknown(f'key "{kid}" is unknown')
        try:
            return bytes(self._sealers[kid].decrypt(data[:12], data[12:], bound))
        except (InvalidTag, ValueError):
            raise KeyUnknown(f'it was changed or moved, or encrypted with another key than "{kid}"') from None

    def hash(self, data: bytes) -> bytes:
        return hmac.digest(self._hash, data, hashlib.sha256)


def _hash(codec: Any, data: str) -> bytes:
    return bytes(codec.hash(data.encode())) if hasattr(codec, "hash") else b""


def _bound(place: str, hashed: str) -> bytes:
    return f"pgtasker\n{place}\n{hashed}".encode()


def is_sealed(value: Any) -> bool:
    """Whether a value is an encrypted payload."""
    e = value.get("pgtasker") if isinstance(value, dict) else None
    return isinstance(e, dict) and all(isinstance(e.get(name), str) and e[name] != "" for name in ("alg", "kid", "for")) and isinstance(e.get("ct"), str)


def seal(codec: Codec, place: str, value: Any, hashed: str = "") -> Any:
    """A value, encrypted for its place. None and encrypted payloads stay unchanged."""
    if value is None or is_sealed(value):
        return value
    alg, kid, data = codec.encode(text_of_json(value), _bound(place, hashed))
    envelope = {"alg": alg, "kid": kid, "for": place, "ct": base64.b64encode(data).decode()}
    return {"pgtasker": {**envelope, "hash": hashed} if hashed else envelope}


def seal_context(codec: Codec, namespace: str, name: str, context: dict[str, Any], clear: list[str]) -> Any:
    """A context, encrypted, with its fields in the clear beside it."""
    if is_sealed(context):
        return context
    place = f"context {namespace}/{name}"
    one = json.dumps(context, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    hashed = base64.urlsafe_b64encode(_hash(codec, f"{place}\n{one}")).decode().rstrip("=")
    return {**{field: context[field] for field in clear if field in context}, **seal(codec, place, context, hashed)}


def seal_error(codec: Codec, place: str, kind: str, text: str) -> str:
    """The text of an error, encrypted, with its class and a keyed hash of its first line."""
    if text.startswith(_OWN) or text.startswith("encrypted ") and "\nDETAIL: {" in text:
        return text
    if len(text.encode()) > _LONGEST_ERROR:
        text = text.encode()[:_LONGEST_ERROR].decode(errors="ignore") + "\n… (shortened)"
    alg, kid, data = codec.encode(text.encode(), _bound(place, ""))
    kind = re.sub(r"[^!-~]", "_", kind)[:100] or "error"
    marked = _hash(codec, f"error\n{kind}\n" + _VARYING.sub("#", text.partition("\n")[0]))[:8]
    letters = "".join(chr(97 + (b >> 4)) + chr(97 + (b & 15)) for b in marked)
    envelope = {"pgtasker": {"alg": alg, "kid": kid, "for": place, "ct": base64.b64encode(data).decode()}}
    return f"encrypted {kind}{' ' + letters if letters else ''}\nDETAIL: {json.dumps(envelope)}"


def _decode(codec: Codec, envelope: Mapping[str, Any], check: Any) -> bytes:
    place, kid = envelope["for"], envelope["kid"]
    if check is not None and not check(place):
        raise KeyUnknown(f'{_OWN}the payload cannot be decrypted: it belongs to another place ("{place}"; key "{kid}")')
    try:
        data = base64.b64decode(envelope["ct"], validate=True)
        return codec.decode(envelope["alg"], kid, data, _bound(place, envelope.get("hash") or ""))
    except ValueError:
        raise KeyUnknown(f'{_OWN}the payload cannot be decrypted: it is no base64 (key "{kid}")') from None
    except KeyUnknown as error:
        raise KeyUnknown(f"{_OWN}the payload cannot be decrypted: {error}") from None


def open_sealed(codec: Codec, value: Any, check: Any = None, depth: int = 0) -> Any:
    """A value with every envelope in it decrypted. check refuses a place. Raises KeyUnknown."""
    if depth > 32:
        return value
    if isinstance(value, dict):
        if is_sealed(value):
            plain = _decode(codec, value["pgtasker"], check)
            try:
                return parse(plain)
            except ValueError:
                raise KeyUnknown(f"{_OWN}the payload cannot be decrypted: it is no JSON") from None
        return {name: open_sealed(codec, one, check, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [open_sealed(codec, one, check, depth + 1) for one in value]
    if isinstance(value, str):
        return open_error(codec, value, check)
    return value


def open_error(codec: Codec, text: str, check: Any = None) -> str:
    """The text of an error, decrypted if it is encrypted."""
    _, found, raw = text.partition("\nDETAIL: ")
    if not found or not text.startswith("encrypted ") or '"pgtasker"' not in raw:
        return text
    try:
        value = json.loads(raw)
    except ValueError:
        return text
    return _decode(codec, value["pgtasker"], check).decode(errors="replace") if is_sealed(value) else text


def _readable(codec: Codec, value: Any) -> Any:
    """A value for a reader: a payload with an unknown key stays encrypted."""
    try:
        return open_sealed(codec, value)
    except KeyUnknown:
        if isinstance(value, dict) and not is_sealed(value):
            return {name: _readable(codec, one) for name, one in value.items()}
        if isinstance(value, list):
            return [_readable(codec, one) for one in value]
        return value


class _Wire:
    """Changes requests and answers of an encrypted client. It remembers the steps that were claimed through it."""

    def __init__(self, inner: Client, codec: Codec) -> None:
        self.inner, self.codec = inner, codec
        self._steps: dict[str, tuple[str, str, bool]] = {}
        self._templates: dict[str, tuple[float, list[str] | None]] = {}
        self._lock = threading.Lock()

    def clear_of(self, namespace: str, name: str, version: str | None) -> list[str] | None:
        """The fields in the clear of a template, None if it encrypts nothing."""
        path = f"/v1/templates/{quote(namespace)}/{quote(name)}" + (f"?version={quote(version)}" if version else "")
        with self._lock:
            at, clear = self._templates.get(path, (-_KNOWN_FOR, None))
        if time.monotonic() - at < _KNOWN_FOR:
            return clear
        says = self.inner.request("GET", path)["template"].get("encrypted")
        clear = None if says is None else list(says.get("clear") or [])
        with self._lock:
            self._templates[path] = (time.monotonic(), clear)
        return clear

    def sealed(self, method: str, path: str, body: Any) -> Any:
        if method not in ("POST", "PUT") or not isinstance(body, dict):
            return body
        if (at := _SCHEDULE.fullmatch(path)) is not None and method == "PUT":
            namespace = unquote(at[1])
            clear = self.clear_of(namespace, body["task_name"], body.get("task_version"))
            if clear is not None:
                body["context"] = seal_context(self.codec, namespace, body["task_name"], body.get("context") or {}, clear)
        elif path == "/v1/tasks":
            clear = self.clear_of(body["namespace"], body["name"], body.get("version"))
            if clear is not None:
                body["context"] = seal_context(self.codec, body["namespace"], body["name"], body.get("context") or {}, clear)
        elif path == "/v1/signals":
            clear = self.clear_of(body["namespace"], body["task_name"], body.get("version"))
            if clear is not None:
                if body.get("context") is not None:
                    body["context"] = seal_context(self.codec, body["namespace"], body["task_name"], body["context"], clear)
                if body.get("payload") not in (None, {}):
                    body["payload"] = seal(self.codec, f"signal {body['namespace']}/{body['task_name']} {body['name']}", body["payload"])
        elif path == "/v1/exchange":
            for result in body.get("results") or []:
                self._seal_outcome(result)
        elif (at := _SIGNAL.fullmatch(path)) is not None and body.get("payload") not in (None, {}):
            task = self.inner.request("GET", f"/v1/tasks/{at[1]}")
            if self.clear_of(task["namespace"], task["name"], task["version"]) is not None:
                body["payload"] = seal(self.codec, f"signal {unquote(at[1])} {body['name']}", body["payload"])
        elif (at := _STEP.fullmatch(path)) is not None:
            self._seal_call(unquote(at[1]), at[2], body)
        return body

    def _place(self, step: str) -> tuple[str, str] | None:
        task, name, encrypted = self._steps.get(step, ("", "", False))
        return (task, name) if encrypted else None

    def _seal_outcome(self, result: dict[str, Any]) -> None:
        place = self._place(result["step_uuid"])
        if place is None:
            return
        if result.get("error") is not None:
            own = result["error"].partition("\n")[0].find(_OWN)
            if own >= 0:
                result["error"] = result["error"][own:]  # It holds no payload.
            first = result["error"].partition(":")[0]
            kind = first if re.fullmatch(r"[A-Za-z_][\w.]*", first) else "error"
            result["error"] = seal_error(self.codec, f"error {place[0]} {place[1]}", kind, result["error"])
        elif "result" in result:
            result["result"] = seal(self.codec, f"result {place[0]} {place[1]}", result["result"])

    def _seal_call(self, step: str, verb: str | None, body: dict[str, Any]) -> None:
        place = self._place(step)
        if place is None:
            return
        call = f"kept {place[0]} {place[1]} {body.get('name')}/{body.get('occurrence')}"
        for field, where in (("checkpoint", f"checkpoint {place[0]} {place[1]}"), ("state", f"state {place[0]} {place[1]}"), ("value", call)):
            if field in body:
                body[field] = seal(self.codec, where, body[field])
        if isinstance(body.get("error"), str):
            body["error"] = seal_error(self.codec, call, "kept", body["error"])
        if verb == "snooze" and body["reason"]:
            body["reason"] = seal_error(self.codec, f"error {place[0]} {place[1]}", "Snooze", body["reason"])

    def opened(self, path: str, answer: Any) -> Any:
        if not isinstance(answer, dict):
            return answer
        for step in answer.get("claimed") or []:
            self._claimed(step, answer.get("contexts") or {})
        contexts, claimed = answer.get("contexts"), answer.get("claimed")
        opened = {name: one if name in ("claimed", "contexts") else _readable(self.codec, one) for name, one in answer.items()}
        if contexts is not None:
            opened["contexts"] = {task: _readable(self.codec, context) for task, context in contexts.items()}
        if claimed is not None:
            opened["claimed"] = claimed
        return opened

    def _claimed(self, step: dict[str, Any], contexts: dict[str, Any]) -> None:
        """Decrypts the payloads of a claim. If that fails, the step fails for good when it begins."""
        task, name = step["task_uuid"], step["name"]
        context = step["context"]
        if context is None:
            context = contexts.get(task)
        if context is None:
            context = self.inner.request("GET", "/v1/tasks/" + quote(task))["context"]
        with self._lock:
            self._steps[step["step_uuid"]] = (task, name, is_sealed(context))
            while len(self._steps) > 100_000:
                del self._steps[next(iter(self._steps))]
        try:
            step["context"] = open_sealed(self.codec, context, lambda place: self._is_context(step, place))
            step["inputs"] = open_sealed(self.codec, step["inputs"])
            step["checkpoint"] = open_sealed(self.codec, step["checkpoint"], lambda place: place == f"checkpoint {task} {name}")
            if step["parent_results"] is not None:
                step["parent_results"] = {
                    above: open_sealed(self.codec, result, self._result_of(above) if is_sealed(result) else None)
                    for above, result in step["parent_results"].items()
                }
            kept = step["kept"] or {}
            for one in kept.get("results") or []:
                call = f"kept {task} {name} {one['name']}/{one['occurrence']}"
                one["value"] = open_sealed(self.codec, one.get("value"), lambda place, call=call: place == call or place.startswith("signal "))
                if one.get("error") is not None:
                    one["error"] = open_error(self.codec, one["error"], lambda place, call=call: place == call)
            if kept.get("state") is not None:
                kept["state"] = open_sealed(self.codec, kept["state"], lambda place: place == f"state {task} {name}")
        except KeyUnknown as error:
            step["undecodable"] = str(error)
        step["last_error"] = _readable(self.codec, step["last_error"])

    def _is_context(self, step: dict[str, Any], place: str) -> bool:
        """Whether a payload may be in the context of a step's task: a payload of its template, or of the task that has
        started it."""
        if place == f"context {step['namespace']}/{step['task_name']}":
            return True
        return self.inner.request("GET", "/v1/tasks/" + quote(step["task_uuid"]))["parent_step_uuid"] is not None

    @staticmethod
    def _result_of(above: str) -> Any:
        return lambda place: place.startswith("result ") and place.split(" ", 2)[2].partition("[")[0] == above.partition("[")[0]


class _Connection:
    """A connection of an encrypted client."""

    def __init__(self, inner: Any, wire: _Wire) -> None:
        self._inner, self._wire = inner, wire

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        return _send(self._inner, self._wire, method, path, data, timeout)


def _send(on: Any, wire: _Wire, method: str, path: str, data: bytes | None, timeout: float) -> Any:
    if data is not None:
        data = text_of_json(wire.sealed(method, path, parse(data)))
    return wire.opened(path, on.send(method, path, data, timeout))


class Encrypted(Client):
    """A Client, or a Postgres, whose payloads are encrypted if their templates ask for it. Programs and workers take it
    in place of the client."""

    def __init__(self, inner: Client, codec: Codec) -> None:
        self._inner = inner
        self._wire = _Wire(inner, codec)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        return _send(self._inner, self._wire, method, path, data, timeout)

    def connection(self) -> Any:
        return _Connection(self._inner.connection(), self._wire)

    def close(self) -> None:
        self._inner.close()

    def complete(self, connection: Any, step: str, claim_no: int, result: bytes) -> None:
        """Records a result in a handler's transaction."""
        inner: Any = self._inner
        inner.complete(connection, step, claim_no, self._result(step, result))

    async def complete_async(self, connection: Any, step: str, claim_no: int, result: bytes) -> None:
        inner: Any = self._inner
        await inner.complete_async(connection, step, claim_no, self._result(step, result))

    def _result(self, step: str, result: bytes) -> bytes:
        outcome = {"step_uuid": step, "result": parse(result)}
        self._wire._seal_outcome(outcome)
        return text_of_json(outcome["result"])
