"""JSON as the database stores it: with numbers of any length and up to 1,000 levels."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import re
import uuid
from decimal import Decimal
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

_SCALAR = re.compile(r"(-?\d+)(\.\d+)?([eE][+-]?\d+)?|true|false|null")
_WORDS = {"true": True, "false": False, "null": None}
_LONGEST = 8_000_000


def encode(value: Any) -> bytes:
    """JSON that PostgreSQL takes: neither NaN nor infinity. Dataclasses are objects."""
    try:
        text = _dumps(value)
    except RecursionError:
        text = _deep_dumps(value)
    except ValueError as error:
        if "digits" not in str(error):
            raise
        text = _deep_dumps(value)  # An integer has more digits than str() writes.
    return text.encode()


def decode(text: bytes) -> Any:
    """The value of a JSON text of any depth, with integers of any length."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError):  # An integer has more digits than int() reads.
        return _deep_loads(text.decode())


def plain(value: Any) -> Any:
    """A value in the types that JSON returns: dataclasses become dictionaries."""
    return decode(encode(value))


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_fields)


def _fields(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):  # a model of pydantic 2
        return value.model_dump(mode="json")
    if hasattr(value, "__fields__") and hasattr(value, "json"):  # of pydantic 1
        return json.loads(value.json())
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, (uuid.UUID, Decimal)):
        return str(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


class _Raw(str):
    """Text that is JSON already."""


def _deep_dumps(value: Any) -> str:
    """_dumps with its own stack."""
    written: list[str] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _Raw):
            written.append(item)
        elif isinstance(item, dict):
            parts: list[Any] = [_Raw("{")]
            for key, member in item.items():
                parts += [_Raw(("," if len(parts) > 1 else "") + _dumps({key: 0})[1:-2]), member]
            stack += reversed([*parts, _Raw("}")])
        elif isinstance(item, (list, tuple)):
            parts = [_Raw("[")]
            for member in item:
                parts += [_Raw(","), member] if len(parts) > 1 else [member]
            stack += reversed([*parts, _Raw("]")])
        elif isinstance(item, int) and not isinstance(item, bool):
            written.append(str(Decimal(item)))
        elif item is None or isinstance(item, (str, bool, float)):
            written.append(_dumps(item))
        else:
            stack.append(_fields(item))
        if len(written) > _LONGEST:
            raise ValueError("it is too long, or holds itself")
    return "".join(written)


def _deep_loads(text: str) -> Any:
    """json.loads with its own stack. json.loads has already read part of the text, so this function does not search for
    mistakes."""
    root: list[Any] = []
    stack: list[Any] = [root]
    key: str | None = None
    at = 0
    while at < len(text):
        sign = text[at]
        value: Any
        if sign in " \t\n\r,:":
            at += 1
            continue
        if sign in "}]":
            stack.pop()
            at += 1
            continue
        if sign in "{[":
            value = {} if sign == "{" else []
            at += 1
        elif sign == '"':
            value, at = scanstring(text, at + 1, True)
            if isinstance(stack[-1], dict) and key is None:
                key = value
                continue
        else:
            found = _SCALAR.match(text, at)
            if found is None:
                raise json.JSONDecodeError("no value", text, at)
            at = found.end()
            if found[0] in _WORDS:
                value = _WORDS[found[0]]
            else:
                value = float(found[0]) if found[2] or found[3] else int(Decimal(found[1]))
        if isinstance(stack[-1], dict):
            stack[-1][key], key = value, None
        else:
            stack[-1].append(value)
        if sign in "{[":
            stack.append(value)
    return root[0]
