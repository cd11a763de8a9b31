"""One attempt at a step, in the form that an async handler gets. Its calls are the awaitable calls of a job."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import typing
from datetime import datetime, timedelta
from typing import Any, Callable, ClassVar, Coroutine, Generic, Literal, Mapping, Protocol, Sequence, TypeVar, Union, overload
from uuid import UUID

from .durable import KeptError, stored, text_of
from .errors import Permanent
from .fit import fit, misfit_in

if typing.TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    import psycopg
    from psycopg.rows import TupleRow

    from .job import Job


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


class _Model(Protocol):  # of pydantic 1
    __fields__: ClassVar[dict[str, Any]]


class _Model2(Protocol):  # of pydantic 2
    model_fields: ClassVar[dict[str, Any]]


# The result of a step: a value that can be written as JSON and read back by its type. A coroutine, a set or a file is
# no such value.
Value = Union[
    None, bool, int, float, str, "Sequence[Any]", "Mapping[str, object]", _Dataclass, _Model, _Model2, "date", UUID, "Decimal"
]  # fmt: skip
In = TypeVar("In")
A = TypeVar("A")
R = TypeVar("R", bound=Value)
X_co = TypeVar("X_co", bound=Value, covariant=True)
K = TypeVar("K", None, bool, int, float, str, "list[Any]", "dict[str, Any]")
Seconds = Union[float, timedelta]


def seconds(given: Seconds) -> float:
    return given.total_seconds() if isinstance(given, timedelta) else given


@dataclasses.dataclass(frozen=True)
class Received(Generic[A]):
    """A signal that ended a wait. sent_at is when the signal was sent, and takes no part in a comparison, None if a person completed the
    step by hand."""

    payload: A
    name: str
    by: Literal["signal"] = "signal"
    sent_at: datetime | None = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True)
class TimedOut:
    """The timeout of a wait."""

    by: Literal["timeout"] = "timeout"


@dataclasses.dataclass(frozen=True)
class Happened(Generic[A]):
    """An event that ended a wait. sent_at is when the event was emitted, and takes no part in a comparison, None if a person completed
    the step by hand."""

    payload: A
    name: str
    key: str = ""
    by: Literal["event"] = "event"
    sent_at: datetime | None = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True)
class Paused:
    """A time that has passed, and ended a wait."""

    by: Literal["for"] = "for"


class Awaited(Generic[X_co]):
    """The object of a wait: a Signal, an Event or a Pause. X_co is the type that the wait returns."""

    def _phantom(self) -> X_co:
        raise NotImplementedError


class Pause(Awaited[Paused]):
    """Some time to pass."""

    def __init__(self, duration: Seconds) -> None:
        self.duration = seconds(duration)


class Event(Awaited["Happened[A]"], Generic[A]):
    """An event and the type of its payload: the event goes to each step of a namespace that waits for it. A step waits
    for one key: a text, or a field of the workflow's input. look_back is how long before the wait the event may have
    been emitted."""

    def __init__(
        self, name: str, to: type[A], *, key: str | Callable[[Any], Any] | None = None, when: Callable[[A], bool] | None = None,
        look_back: Seconds | None = None,
    ) -> None:  # fmt: skip
        self.name, self.to, self.condition, self.key = name, to, when, key
        self.look_back = None if look_back is None else seconds(look_back)

    def when(self, f: Callable[[A], bool]) -> Event[A]:
        """The event, if a condition holds for its payload."""
        return Event(self.name, self.to, key=self.key, when=f, look_back=self.look_back)


class Signal(Awaited["Received[A]"], Generic[A]):
    """A signal and the type of its payload."""

    def __init__(self, name: str, to: type[A], *, when: Callable[[A], bool] | None = None) -> None:
        self.name, self.to, self.condition = name, to, when

    def when(self, f: Callable[[A], bool]) -> Signal[A]:
        """The signal, if a condition holds for its payload."""
        return Signal(self.name, self.to, when=f)


class AsyncJob(Generic[In]):
    """The job of an async def handler. The handler is cancelled (CancelledError) when the step no longer belongs to
    this worker or its time is over."""

    input: In

    def __init__(self, job: Job[In]) -> None:
        self._job = job
        self.step_uuid, self.task_uuid = UUID(job.step_uuid), UUID(job.task_uuid)
        self.attempt, self.last_error, self.index = job.attempt, job.last_error, job.index
        job._home = None

    def __getattr__(self, name: str) -> Any:
        if name == "input":
            return self._job.input
        raise AttributeError(name)

    async def tx(self) -> psycopg.AsyncConnection[TupleRow]:
        """A connection whose transaction the worker commits together with the result of the step. Available only over
        PostgreSQL."""
        if self._job._atx is None:
            self._job._atx = await self._job.begin_async()
        return typing.cast("psycopg.AsyncConnection[TupleRow]", self._job._atx)

    @overload
    async def once(
        self, name: str, f: Callable[[UUID], Coroutine[Any, Any, K]], *, tries: int | None = None, pause: float = 0.0
    ) -> K: ...
    @overload
    async def once(
        self, name: str, f: Callable[[UUID], Coroutine[Any, Any, R]], to: type[R], *, tries: int | None = None, pause: float = 0.0
    ) -> R: ...
    async def once(self, name: str, f: Any, to: Any = None, *, tries: int | None = None, pause: float = 0.0) -> Any:
        """As Job.once: a call that later runs do not make again."""
        job = self._job
        with await asyncio.to_thread(job._entered, f"once({name!r})"):
            job._named(name)
            call = job._call(name)
            kept = await asyncio.to_thread(job._recall, call)
            made = 0
            while kept is None:
                made += 1
                try:
                    value = await f(job._key(call))
                except Exception as error:
                    if job.misuse is not None or job.ended.is_set():
                        job._stop(error)
                    if not isinstance(error, Permanent) and misfit_in(error) is not None:
                        job._stop(error)
                    last = job.attempt_now() >= job.max_attempts if tries is None else made >= tries
                    if isinstance(error, Permanent) or last:
                        kept = await asyncio.to_thread(job._keep, call, None, stored(text_of(error)))
                    elif tries is None:
                        job._stop(error)
                    else:
                        await asyncio.sleep(pause * 2 ** min(made - 1, 20))
                else:
                    if to is None and dataclasses.is_dataclass(value):
                        job._stop(Permanent(f"the result of {name!r} is a {type(value).__name__}: say so to once with to"))
                    kept = await asyncio.to_thread(job._keep, call, value)
            if kept.get("error") is not None:
                raise KeptError(name, kept["error"])
            return fit(f"what is kept as {name!r}", kept.get("value"), to or object)

    async def sleep(self, duration: Seconds) -> None:
        """Lets time pass. Beyond 5 seconds the step is suspended, and no worker is held."""
        await asyncio.to_thread(self._job.sleep, seconds(duration))

    async def sleep_until(self, at: datetime) -> None:
        await asyncio.to_thread(self._job.sleep_until, at)

    async def now(self) -> datetime:
        """The time, the same in every run of the function."""
        return await asyncio.to_thread(self._job.now)

    @overload
    async def wait(self, on: Awaited[R]) -> R: ...
    @overload
    async def wait(self, on: Awaited[R], *, timeout: Seconds) -> R | TimedOut: ...
    async def wait(self, on: Any, *, timeout: Any = None) -> Any:
        """Waits for a signal to the task, an event, or some time. The step is suspended meanwhile."""
        return await asyncio.to_thread(self._job.wait, on, timeout=timeout)

    async def checkpoint(self, value: Any) -> None:
        """Keeps the step's progress for the next attempt, and renews the lease."""
        await asyncio.to_thread(self._job.checkpoint, value)

    async def set_value(self, name: str, value: Any) -> None:
        """Sets a value of the step: the last value wins, and readers see it at once."""
        await asyncio.to_thread(self._job.set_value, name, value)

    async def progress(self, done: float, text: str = "") -> None:
        """Sets the step's progress, from 0 to 1, and its present work."""
        await asyncio.to_thread(self._job.progress, done, text)

    async def append(self, stream: str, items: list[Any]) -> None:
        """Appends items to a stream of the step, at most 1,000."""
        await asyncio.to_thread(self._job.append, stream, items)

    def log_handler(self) -> logging.Handler:
        """A handler of the module logging that writes its lines to the stream log of the step."""
        return self._job.log_handler()

    def last_checkpoint(self) -> Any:
        """The checkpoint of an earlier attempt, None without one."""
        return self._job.last_checkpoint()

    def once_key(self, name: str = "once") -> UUID:
        """A key that is the same in every attempt at this step."""
        return self._job.once_key(name)


