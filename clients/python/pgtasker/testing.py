"""Tests of workflows without a server: of a step with typed inputs, of a whole workflow in the memory of the test, and
of a function that loses its worker at each call. A scratch database has a clock that the test moves."""

from __future__ import annotations

import asyncio
import inspect
import logging
import typing
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Generic, Iterator, Literal, TypeVar

from . import values
from .asyncjob import AsyncJob, Event, Happened, Pause, Paused, Received, Seconds, Signal, TimedOut, seconds
from .branches import Branches
from .durable import text_of
from .errors import Permanent
from .job import Job
from .workflow import Bound, Dep, Failure, Known, Returning, Undo, Unknown

In = TypeVar("In")
O = TypeVar("O")
A = TypeVar("A")

_STEP = uuid.UUID("01980000-0000-7000-8000-000000000001")


class Crash(BaseException):
    """The worker is lost here."""


class Calls:
    """The kept results of a durable function, over its attempts, and the place where its worker is lost."""

    def __init__(self, crash_at: int = 0, signals: dict[str, Any] | None = None) -> None:
        self.kept: list[tuple[str, Any]] = []
        self.crash_at, self.passed = crash_at, 0
        self.signals = signals or {}
        self.sent_at = datetime.now(timezone.utc)
        self.checkpoint: Any = None

    def crash(self) -> None:
        self.passed += 1
        if self.passed == self.crash_at:
            raise Crash


class _Kept:
    """One run of a durable function."""

    def __init__(self, calls: Calls) -> None:
        self.calls, self.at, self.seen = calls, 0, typing.cast("dict[str, int]", {})

    def found(self, name: str) -> tuple[bool, Any]:
        self.at += 1
        self.seen[name] = self.seen.get(name, 0) + 1
        if self.at > len(self.calls.kept):
            return False, None
        kept, value = self.calls.kept[self.at - 1]
        if kept != name:
            raise Permanent(f"the function asks for {name!r}, where an earlier run has kept {kept!r}")
        return True, value

    def key(self, name: str) -> uuid.UUID:
        return uuid.uuid5(_STEP, f"{name}/{self.seen[name]}")

    def keep(self, name: str, value: Any) -> Any:
        value = values.encode(value)
        self.calls.crash()  # the call was made, and nothing was kept
        self.calls.kept.append((name, value))
        self.calls.crash()
        return value

    def wait(self, on: Any, timeout: Any) -> Any:
        if isinstance(on, Pause):
            if not self.found("$sleep")[0]:
                self.keep("$sleep", None)
            return TimedOut() if timeout is not None and seconds(timeout) < on.duration else Paused()
        there, value = self.found("$await." + on.name)
        if not there:
            if on.name not in self.calls.signals and timeout is None:
                raise Permanent(f"nothing came for {on.name!r}: give it in signals")
            value = self.keep("$await." + on.name, self.calls.signals.get(on.name))
        if on.name not in self.calls.signals:
            return TimedOut()
        return (Happened if isinstance(on, Event) else Received)(values.decode("the payload", value, on.to), on.name, sent_at=self.calls.sent_at)


def came_of(waits: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The end of a wait in memory: the first of its signals and events that the test has given, otherwise its pause,
    None if it has no pause."""
    for on in waits:
        if isinstance(on, (Signal, Event)) and on.name in given and (on.condition is None or on.condition(given[on.name])):
            return (Happened if isinstance(on, Event) else Received)(given[on.name], on.name, sent_at=datetime.now(timezone.utc))
    return Paused() if any(isinstance(on, Pause) for on in waits) else None


class _AsyncFake(AsyncJob[Any]):
    def __init__(self, input: Any, index: int, tx: Any, calls: Calls) -> None:
        self.input, self.index, self.attempt, self.last_error = input, index, 1, None
        self.step_uuid = self.task_uuid = _STEP
        self._fake_tx, self._kept = tx, _Kept(calls)

    async def tx(self) -> Any:
        if self._fake_tx is None:
            raise ValueError("the step asks for a transaction: give one with tx")
        return self._fake_tx

    async def once(self, name: str, f: Any, to: Any = None, *, tries: int | None = None, pause: float = 0.0) -> Any:
        there, value = self._kept.found(name)
        if not there:
            self._kept.calls.crash()
            value = self._kept.keep(name, await f(self._kept.key(name)))
        return values.decode(f"what is kept as {name!r}", value, to or object)

    async def sleep(self, duration: Seconds) -> None:
        if not self._kept.found("$sleep")[0]:
            self._kept.keep("$sleep", None)

    async def sleep_until(self, at: datetime) -> None:
        await self.sleep(0)

    async def now(self) -> datetime:
        there, value = self._kept.found("$now")
        return datetime.fromisoformat(value if there else self._kept.keep("$now", datetime.now(timezone.utc)))

    async def wait(self, on: Any, *, timeout: Any = None) -> Any:
        return self._kept.wait(on, timeout)

    async def append(self, stream: str, items: list[Any]) -> None:
        pass

    async def set_value(self, name: str, value: Any) -> None:
        pass

    def log_handler(self) -> logging.Handler:
        return logging.NullHandler()

    async def checkpoint(self, value: Any) -> None:
        self._kept.calls.checkpoint = values.encode(value)

    def last_checkpoint(self) -> Any:
        return self._kept.calls.checkpoint

    def once_key(self, name: str = "once") -> uuid.UUID:
        return uuid.uuid5(_STEP, name)


class _Fake(Job[Any]):
    def __init__(self, input: Any, index: int, tx: Any, calls: Calls) -> None:
        self._input, self.index, self.attempt, self.last_error = input, index, 1, None
        self.step_uuid = self.task_uuid = str(_STEP)
        self._fake_tx, self._run = tx, _Kept(calls)

    def tx(self) -> Any:
        if self._fake_tx is None:
            raise ValueError("the step asks for a transaction: give one with tx")
        return self._fake_tx

    def once(self, name: str, f: Any, to: Any = None, *, tries: int | None = None, pause: float = 0.0) -> Any:
        there, value = self._run.found(name)
        if not there:
            self._run.calls.crash()
            value = self._run.keep(name, f(self._run.key(name)))
        return values.decode(f"what is kept as {name!r}", value, to or object)

    def sleep(self, duration: float) -> None:
        if not self._run.found("$sleep")[0]:
            self._run.keep("$sleep", None)

    def wait(self, on: Any, *, timeout: Any = None) -> Any:
        return self._run.wait(on, timeout)

    def now(self) -> datetime:
        there, value = self._run.found("$now")
        return datetime.fromisoformat(value if there else self._run.keep("$now", datetime.now(timezone.utc)))

    def changed(self, name: str) -> bool:
        run, call = self._run, "$changed." + name
        if run.at < len(run.calls.kept) and run.calls.kept[run.at][0] != call:
            return False
        return bool(run.found(call)[0] or run.keep(call, True))

    def append(self, stream: str, items: list[Any]) -> None:
        pass

    def set_value(self, name: str, value: Any) -> None:
        pass

    def _repeats(self) -> bool:
        return True  # A test's job has no log to write.

    def checkpoint(self, value: Any) -> None:
        self._run.calls.checkpoint = values.encode(value)

    def last_checkpoint(self) -> Any:
        return self._run.calls.checkpoint

    def state(self) -> Any:
        return None

    def check(self) -> None:
        pass


def job(input: In, *, index: int = 0, tx: Any = None, calls: Calls | None = None) -> Job[In]:
    """A job for a plain step: total(testing.job(order), [1, 2])."""
    return _Fake(input, index, tx, calls or Calls())


def async_job(input: In, *, index: int = 0, tx: Any = None, calls: Calls | None = None) -> AsyncJob[In]:
    """A job for an async step: await charge(testing.async_job(order), total)."""
    return _AsyncFake(input, index, tx, calls or Calls())


@dataclass
class Run(Generic[In, O]):
    """The outcome of a workflow in memory."""

    of: Returning[In, O]
    input: In
    results: dict[str, Any] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    undone: list[str] = field(default_factory=list)
    cancelled: set[str] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    state: Literal["complete", "blocked_by_failures", "error"] = "complete"
    failed: str | None = None
    error: BaseException | None = None

    def result(self, step: Any = None) -> O:
        """The result of the task. Raises the error of the step that failed first, if the task is not complete."""
        if self.error is not None:
            raise self.error
        got = tuple(self.results.get(s.info.name) for s in self.of.steps)
        return typing.cast(O, got[0] if len(got) == 1 else got)

    def of_step(self, step: Dep[In, A]) -> A:
        """The result of a step."""
        return typing.cast(A, self.results[step.info.name])


async def run(of: Returning[In, O], input: In, *, signals: dict[str, Any] | None = None, tx: Any = None) -> Run[In, O]:
    """Runs a workflow in memory, in the order of its steps: each step once, without retries. Inputs and results pass
    through JSON as in a worker. Conditions run on the values. A wait takes its signal or event from signals by name.
    Without one, its pause or its timeout ends it. The result of a child or a declared step is given in signals under
    the name of the step. Steps fail as in the engine: a step that waits for a failure gets it, and other steps continue
    unless on_failure is "halt". With "fail" the finished steps are undone in the end. cancelled has the steps that lost
    a race, or had not begun when the task was undone."""
    flow, given = of.flow, signals or {}
    r = Run(of, values.decode("the input", values.encode(input), flow.input))
    done: list[Any] = []

    async def call(f: Any, *arguments: Any, index: int = 0) -> Any:
        if inspect.iscoroutinefunction(f):
            return await f(async_job(r.input, index=index, tx=tx, calls=Calls(signals=given)), *arguments)
        return await asyncio.to_thread(f, job(r.input, index=index, tx=tx, calls=Calls(signals=given)), *arguments)

    def typed(info: Any, value: Any) -> Any:
        return values.decode(f"the result of {info.name!r}", values.encode(value), info.returns)

    def argument(info: Any, at: int, name: str, value: Any) -> Any:
        """A parent's result in the type that the step's function asks for. A value that is no JSON value, such as the
        answer of a wait, stays unchanged."""
        parent = flow.steps[name]
        if value is None or info.run is None or isinstance(parent.returns, values.AnswerOf):
            return value
        hints = Bound(flow, info, info.run, False).hints[0 if info.over is None else 1 :]
        return values.result(name, values.encode(value), hints[at] if at < len(hints) else object)

    errors: dict[str, BaseException] = {}
    branches = Branches(flow.steps.values(), flow.on_failure == "halt", lambda info, at: info.conditions[at] is None or bool(info.conditions[at](r.results[info.parents[at]])))
    while (info := branches.next()) is not None:
        holds = branches.holds(info)
        arguments = [r.results[n] if n in r.results and (info.join not in ("any", "first") or h) else None for n, h in zip(info.parents, holds)]
        try:
            if "await" in info.fields:
                came = came_of(info.waits, given)
                if came is None and info.fields.get("on_timeout") == "skip":
                    branches.state[info.name] = "timed out"
                    continue
                if came is None and info.fields.get("on_timeout") != "complete":
                    raise Permanent(f"nothing came for step {info.name!r}")
                r.results[info.name] = came or TimedOut()
            elif info.run is None:
                if info.name not in given:
                    raise ValueError(f"step {info.name!r} starts a task, or another program runs it: give its result in signals")
                r.results[info.name] = given[info.name]
            elif info.over is not None:
                source = r.input if info.over.step is None else r.results[info.over.step.name]
                made: list[Any] = []
                for index, e in enumerate(info.over.f(source)):
                    try:
                        found = [argument(info, at, n, a) for at, (n, a) in enumerate(zip(info.parents, arguments))]
                        made.append(typed(info, await call(info.run, e, *found, index=index)))
                    except Exception:
                        if made.count(None) >= (info.fields.get("allow_failures") or 0):
                            raise
                        made.append(None)
                r.results[info.name] = made
            elif info.on is not None:
                known = [values.encode(f) for f in branches.failures_above(info)]
                r.results[info.name] = typed(info, await call(info.run, *(values.decode("the failures", known, to) for to in Bound(flow, info, info.run, False).hints)))
            else:
                found = [argument(info, at, n, a) for at, (n, a) in enumerate(zip(info.parents, arguments))]
                r.results[info.name] = typed(info, await call(info.run, *found))
            done.append(info)
            branches.state[info.name] = "complete"
        except Exception as error:
            errors[info.name] = error
            branches.failed(Failure(info.name, text_of(error), 1, datetime.now(timezone.utc)))
    at = branches.state
    r.skipped, r.cancelled = {n for n in at if at[n] in ("skipped", "timed out")}, {n for n in at if at[n] == "cancelled"}
    r.failures = [f for f in branches.failures if at[f.step] == "failed"]
    decisive = [f.step for f in branches.failures if at[f.step] == "error" or (at[f.step] == "failed" and flow.on_failure == "fail")]
    if not decisive:
        return r
    r.failed, r.error, r.state = decisive[0], errors[decisive[0]], "error" if flow.on_failure == "fail" else "blocked_by_failures"
    for info in reversed(list(flow.steps.values())):
        if flow.on_failure == "fail" and info.undoing is not None and (info in done or info.name in errors):
            undo: Undo[Any] = Known(r.results[info.name]) if info in done else Unknown()
            await call(info.undoing, undo)
            r.undone.append(info.name)
    if r.undone:
        r.cancelled.update(n for n in at if at[n] in ("pending", "ready"))
    return r


def crash_everywhere(f: Callable[..., Any], input: Any, *arguments: Any, signals: dict[str, Any] | None = None) -> Any:
    """Runs a durable step, and loses its worker before, during and after each of its calls in turn. Each run must have
    the same result, which is returned. The test checks the effects of the calls."""

    def attempt(calls: Calls) -> Any:
        if inspect.iscoroutinefunction(f.info.run if hasattr(f, "info") else f):
            return asyncio.run(f(async_job(input, calls=calls), *arguments))
        return f(job(input, calls=calls), *arguments)

    end = attempt(Calls(signals=signals))
    for at in range(1, 10_000):
        calls = Calls(crash_at=at, signals=signals)
        try:
            attempt(calls)
            return end  # It has no more calls.
        except Crash:
            calls.crash_at = 0
            again = attempt(calls)
            if again != end:
                raise AssertionError(f"after a crash at {at} the end is {again!r}, not {end!r}") from None
    raise AssertionError("the function has more than 3,000 calls")


_CLOCK = """create or replace function tasker.{name}() returns timestamptz language sql stable parallel safe
begin atomic select clock_timestamp() + (select c.by from public.pgtasker_test_clock as c); end"""


class Scratch:
    """A database for one test, with a clock that the test moves."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    def move_clock(self, by: Seconds) -> None:
        """Moves the time by which the database judges leases, retries and timers. A worker polls within five seconds."""
        import psycopg

        with psycopg.connect(self.dsn, autocommit=True) as c:
            c.execute("create table if not exists public.pgtasker_test_clock (by interval not null)")
            c.execute("insert into public.pgtasker_test_clock select '0' where not exists (select from public.pgtasker_test_clock)")
            c.execute("grant select on public.pgtasker_test_clock to public")
            c.execute("update public.pgtasker_test_clock set by = by + %s", (timedelta(seconds=seconds(by)),))
            for name in ("clock", "write_clock"):
                c.execute(_CLOCK.format(name=name).encode())


@contextmanager
def scratch(admin: str, template: str) -> Iterator[Scratch]:
    """Copies a migrated database without connections, and drops the copy at the end. admin is a connection of a superuser."""
    import psycopg
    from psycopg import conninfo, sql

    name = f"pgtasker_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(admin, autocommit=True) as c:
        c.execute(sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield Scratch(conninfo.make_conninfo(admin, dbname=name))
        finally:
            c.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


__all__ = ["Calls", "Crash", "Run", "Scratch", "async_job", "crash_everywhere", "job", "run", "scratch"]
