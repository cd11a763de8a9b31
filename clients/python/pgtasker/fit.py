"""Conversion of JSON values to the types that handlers name."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import types
import typing
import uuid
from typing import Any, TypeVar, cast

T = TypeVar("T")

# Types that are written as text, or as a number.
_WRITTEN = (datetime.date, uuid.UUID, decimal.Decimal, enum.Enum)


class Misfit(Exception):
    """A JSON value does not fit a type. Another attempt would find the same value, so a step that raises a Misfit fails
    for good. If the value is the result of a step above, step names that step. Another worker may have a build that
    fits, so the step that raises the Misfit, or an exception from it, then waits."""

    def __init__(self, message: str, step: str | None = None) -> None:
        super().__init__(message)
        self.step = step


def misfit_in(error: BaseException | None) -> Misfit | None:
    """The Misfit of a step above in an exception: the exception itself, its cause, or a member of its group."""
    seen: set[int] = set()
    left = [error]
    while left:
        error = left.pop(0)
        if error is None or id(error) in seen:
            continue
        if isinstance(error, Misfit) and error.step is not None:
            return error
        seen.add(id(error))
        left += [error.__cause__, *getattr(error, "exceptions", ())]
    return None


def fit_result(step: str, value: Any, to: Any) -> Any:
    """The result of a step above as a type."""
    try:
        return _fit(f"the result of {step!r}", value, to)
    except Misfit as error:
        raise Misfit(str(error), step) from error


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
    if isinstance(to, TypeVar):
        return value
    if origin is typing.Literal:
        if value not in arguments:
            raise Misfit(f"{what} is not one of {list(arguments)}, but {_shown(value)}")
        return value
    if dataclasses.is_dataclass(origin or to):
        return _fit_dataclass(what, value, origin or to, dict(zip(getattr(origin, "__parameters__", ()), arguments)))
    if hasattr(to, "model_validate") or hasattr(to, "parse_obj"):  # a model of pydantic, 2 or 1
        try:
            return to.model_validate(value) if hasattr(to, "model_validate") else to.parse_obj(value)
        except ValueError as error:
            raise Misfit(f"{what} does not fit {to.__name__}: {error}") from error
    if origin is tuple and isinstance(value, list):
        each = [arguments[0]] * len(value) if len(arguments) == 2 and arguments[1] is ... else arguments
        if len(each) != len(value):
            raise Misfit(f"{what} has {len(value)} elements, not {len(each)}")
        return tuple(_fit(f"{what}[{i}]", item, t) for i, (item, t) in enumerate(zip(value, each)))
    if typing.is_typeddict(to) and isinstance(value, dict):
        hints = typing.get_type_hints(to)
        for key in to.__required_keys__:
            if key not in value:
                raise Misfit(f"{what} has no {key}, which {to.__name__} needs")
        return {key: _fit(f"{what}.{key}", item, hints[key]) if key in hints else item for key, item in value.items()}
    if isinstance(to, type) and isinstance(value, (str, int)) and not isinstance(value, to) and issubclass(to, _WRITTEN):
        try:
            made: Any = to
            return made.fromisoformat(value) if issubclass(to, datetime.date) else made(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise Misfit(f"{what} is not {to.__name__}, but {_shown(value)}") from error
    if origin in (list, collections.abc.Sequence) and isinstance(value, list):
        return [_fit(f"{what}[{i}]", item, arguments[0]) for i, item in enumerate(value)]
    if origin is dict and isinstance(value, dict):
        return {key: _fit(f"{what}.{key}", item, arguments[1]) for key, item in value.items()}
    kind = types.NoneType if to is None else origin or to
    if typing.is_typeddict(to):
        kind = dict
    if kind is float and type(value) is int:
        return float(value)
    if kind is types.NoneType and value is None:
        return None
    if not isinstance(kind, type) or not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Misfit(f"{what} is not {getattr(to, '__name__', to)}, but {_shown(value)}")
    return value


def _fit_dataclass(what: str, value: Any, to: Any, bound: dict[Any, Any]) -> Any:
    if not isinstance(value, dict):
        raise Misfit(f"{what} is not an object for {to.__name__}, but {_shown(value)}")
    hints = typing.get_type_hints(to)
    given = {}
    for field in dataclasses.fields(to):
        if field.name in value:
            given[field.name] = _fit(f"{what}.{field.name}", value[field.name], bound.get(hints[field.name], hints[field.name]))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Misfit(f"{what} has no {field.name}, which {to.__name__} needs")
    return to(**given)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
