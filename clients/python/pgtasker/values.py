"""Conversion of values at the border of a program: dataclasses, TypedDicts, pydantic models, datetime, Decimal, UUID,
enums and containers of these."""
from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Callable

from .fit import Misfit, fit, fit_result
from .jsontext import plain
from .record import Recorder


class AnswerOf:
    """The return value of a wait. read makes the value from its result."""
    def __init__(self, read: Callable[[str, Any], Any]) -> None:
        self.read = read


def encode(v: Any) -> Any:
    """A value as plain JSON."""
    return plain(v)


def decode(what: str, v: Any, to: Any) -> Any:
    """Converts a JSON value to a type. Raises Misfit."""
    if isinstance(to, AnswerOf):
        return to.read(what, v)
    return fit(what, v, to)


def result(step: str, v: Any, to: Any) -> Any:
    """Converts the result of a step above to a type. Raises a Misfit that names the step."""
    if not isinstance(to, AnswerOf):
        return fit_result(step, v, to)
    try:
        return decode(f"the result of {step!r}", v, to)
    except Misfit as error:
        raise Misfit(str(error), step) from error


def paths(v: Any) -> Any:
    """The context of a child, with recorded paths in the places where the function put them."""
    def one(x: Any) -> Any:
        if isinstance(x, Recorder):
            return x._at if x._step is None else {"step": x._step, "path": x._at}
        if "Recorder object" in repr(x):
            raise TypeError(f"{x!r}: only a whole field of a child's input can be a path")
        return {"value": x} if isinstance(x, str) and x.startswith("$") or isinstance(x, dict) else encode(x)
    if isinstance(v, Recorder):
        return None if v._step is None else {"step": v._step}
    items = v.items() if isinstance(v, dict) else [(f.name, getattr(v, f.name)) for f in dataclasses.fields(v)]
    return {k: one(x) for k, x in items}


def schema(to: Any) -> dict[str, Any]:
    """The part of a type that the database can check."""
    origin, args = typing.get_origin(to), typing.get_args(to)
    simple = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
    if origin in (typing.Union, types.UnionType):
        rest = [a for a in args if a is not types.NoneType]
        s = schema(rest[0]) if len(rest) == 1 else {}
        return {**s, "type": [s["type"], "null"]} if "type" in s else {}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin is list:
        return {"type": "array", "items": schema(args[0])}
    if dataclasses.is_dataclass(to):
        hints = typing.get_type_hints(to)
        return {"type": "object", "properties": {k: schema(t) for k, t in hints.items()},
                "required": [f.name for f in dataclasses.fields(to) if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING]}
    if typing.is_typeddict(to):
        return {"type": "object", "properties": {k: schema(t) for k, t in typing.get_type_hints(to).items()}, "required": sorted(to.__required_keys__)}
    if hasattr(to, "__fields__"):
        whole = to.model_json_schema() if hasattr(to, "model_json_schema") else to.schema()
        return _kept(whole)
    return {"type": simple[to]} if to in simple else {}


_KEPT = {"type", "properties", "required", "enum", "minimum", "maximum", "maxLength", "items", "title", "description", "default", "format", "examples"}


def _kept(j: dict[str, Any]) -> dict[str, Any]:
    """The part of a JSON Schema that the database checks. The rest is checked by the sender and by the step that reads the payload."""
    if "anyOf" in j or "allOf" in j or "$ref" in j:
        return {}
    return {k: {n: _kept(p) for n, p in v.items()} if k == "properties" else _kept(v) if k == "items" else v for k, v in j.items() if k in _KEPT}
