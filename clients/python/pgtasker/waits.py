"""The waits of steps in the form of a template, and the end of a wait as a value."""

from __future__ import annotations

from typing import Any

from .asyncjob import Awaited, Event, Happened, Pause, Paused, Received, Signal, TimedOut
from .durable import sent_at
from .fit import fit
from .record import condition, path, recorded
from .values import AnswerOf, schema


def awaited(on: Awaited[Any]) -> dict[str, Any]:
    """One alternative of a wait."""
    if isinstance(on, Pause):
        return {"for": on.duration}
    if isinstance(on, Event):
        key = path(recorded(on.key)) if callable(on.key) else on.key
        given: dict[str, Any] = {"event": on.name, "key": key, "when": _condition(on), "look_back": on.look_back}
    elif isinstance(on, Signal):
        given = {"signal": on.name, "when": _condition(on), "schema": schema(on.to) or None}
    else:
        raise TypeError(f"{on!r} is no Signal, Event or Pause")
    return {name: value for name, value in given.items() if value is not None}


def _condition(on: Any) -> str | None:
    return None if on.condition is None else condition(on.condition)


def answer_of(on: tuple[Awaited[Any], ...]) -> AnswerOf:
    """The reading of the answer of a wait."""
    types = {("event" if isinstance(o, Event) else "signal", o.name): o.to for o in on if isinstance(o, (Event, Signal))}

    def read(what: str, v: Any) -> Any:
        if v["by"] == "timeout":
            return TimedOut()
        if v["by"] == "for":
            return Paused()
        payload = fit(f"{what}.payload", v["payload"], types[v["by"], v["name"]])
        if v["by"] == "signal":
            return Received(payload, v["name"], sent_at=sent_at(v))
        return Happened(payload, v["name"], v.get("key", ""), sent_at=sent_at(v))

    return AnswerOf(read)
