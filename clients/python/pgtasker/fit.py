"""JSON values as the types that handlers name."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Misfit(Exception):
    """A JSON value does not fit a type. Another attempt would find the same, so a step that raises it fails for good."""


def fit(what: str, value: Any, to: type[T]) -> T:
    """The value as a dataclass, a list, dict or union of such, or a type of JSON. Fields that a dataclass does not have are
    ignored."""
    return cast(T, _fit(what, value, to))


def _fit(what: str, value: Any, to: Any) -> Any:
    origin, arguments = typing.get_origin(to), typing.get_args(to)
    if to is Any or to is object:
        return value
    if origin in (typing.Union, types.UnionType):
        for member in arguments:
            try:
                return _fit(what, value, member)
            except Misfit as error:
                misfit = error
        raise misfit
    if dataclasses.is_dataclass(to):
        return _fit_dataclass(what, value, to)
    if origin is list and isinstance(value, list):
        return [_fit(f"{what}[{i}]", item, arguments[0]) for i, item in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        return {key: _fit(f"{what}.{key}", item, arguments[1]) for key, item in value.items()}
    kind = origin or to
    if typing.is_typeddict(to):
        kind = dict
    if kind is float and type(value) is int:
        return float(value)
    if kind is types.NoneType and value is None:
        return None
    if not isinstance(kind, type) or not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Misfit(f"{what} is not {getattr(to, '__name__', to)}, but {_shown(value)}")
    return value


def _fit_dataclass(what: str, value: Any, to: Any) -> Any:
    if not isinstance(value, dict):
        raise Misfit(f"{what} is not an object for {to.__name__}, but {_shown(value)}")
    hints = typing.get_type_hints(to)
    given = {}
    for field in dataclasses.fields(to):
        if field.name in value:
            given[field.name] = _fit(f"{what}.{field.name}", value[field.name], hints[field.name])
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Misfit(f"{what} has no {field.name}, which {to.__name__} needs")
    return to(**given)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
