"""Workflows as Python functions, typed from step to step. gen/workflow.py writes this file: edit gen/head.py.in."""
from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Callable, Coroutine, Generic, Literal, Mapping, ParamSpec, Sequence, TypeVar, Union, overload

from . import values
from .asyncjob import AsyncJob, Awaited, Event, Signal, TimedOut, Value
from .client import AsyncClient, Client
from .errors import Permanent
from .job import Job
from .record import Recorder, condition, path, recorded
from .waits import answer_of, awaited

if typing.TYPE_CHECKING:
    from uuid import UUID

    import psycopg

    from .calls import On


In = TypeVar("In")
CI = TypeVar("CI")
O = TypeVar("O")
R = TypeVar("R", bound=Value)
X_co = TypeVar("X_co", covariant=True)
S = TypeVar("S", bound=Value)
W1 = TypeVar("W1", bound=Value); W2 = TypeVar("W2", bound=Value); W3 = TypeVar("W3", bound=Value)
A = TypeVar("A"); B = TypeVar("B"); C = TypeVar("C"); D = TypeVar("D"); E = TypeVar("E"); F = TypeVar("F")
P = ParamSpec("P")
Ret = TypeVar("Ret")
Seconds = Union[float, timedelta]


@dataclass(frozen=True)
class Retries:
    """How often a step is tried, and how long it waits between attempts, in seconds."""

    attempts: int | None = None
    base: float | None = None
    factor: float | None = None
    max: int | None = None
    constant: bool = False


@dataclass(frozen=True)
class Policy:
    """Which requests make a task. Times are in seconds, or timedelta. debounce is the time between the last request of
    a key and the start of its task, debounce_longest the longest time after the first request. At most throttle tasks
    of each throttle_key may be started in each throttle_period. scope is how long an equal request finds the task:
    forever, while it is open, or for a period."""

    debounce: Seconds | None = None
    debounce_longest: Seconds | None = None
    throttle: int | None = None
    throttle_period: Seconds | None = None
    throttle_key: str | None = None
    scope: Literal["forever", "open", "period"] | None = None
    period: Seconds | None = None

    def fields(self) -> dict[str, Any]:
        """The policy in the form of a request."""
        spans = {"debounce_seconds": self.debounce, "debounce_longest_seconds": self.debounce_longest, "throttle_seconds": self.throttle_period, "identity_ttl_seconds": self.period}
        whole = {name: None if span is None else int(_seconds(span)) for name, span in spans.items()}
        return _prune({**whole, "throttle_limit": self.throttle, "throttle_key": self.throttle_key, "identity_scope": self.scope})


@dataclass(frozen=True)
class Failure:
    """A step that failed for good, in the form that a failure branch gets. error is the error of its last attempt."""

    step: str
    error: str
    attempts: int
    failed_at: datetime


@dataclass(frozen=True)
class Limit(Generic[In]):
    """A limit that a step waits for: the method limit of a workflow makes it."""

    name: str
    key: Callable[[In], str | int | bool] | None = None
    units: int | None = None
    whole_run: bool = False
    bound: Callable[[In], int | None] | None = None
    bound_max: int | None = None

    def fields(self) -> dict[str, Any]:
        """The limit in the form of a template."""
        return _prune({
            "limit": self.name, "limit_key": None if self.key is None else path(recorded(self.key)), "limit_units": self.units,
            "limit_bound": None if self.bound is None else path(recorded(self.bound)), "limit_bound_max": self.bound_max,
        })


@dataclass(frozen=True)
class Trigger:
    """An event that starts or cancels tasks."""

    event: Event[Any]
    context: Any = None
    identity: Any = None

    def fields(self) -> dict[str, Any]:
        """The trigger in the form of a template."""
        key, when, context = self.event.key, self.event.condition, None if self.context is None else values.paths(recorded(self.context))
        return _prune({"event": self.event.name, "key": key if isinstance(key, str) else None, "when": None if when is None else condition(when),
                       "context": context, "identity": None if self.identity is None else path(recorded(self.identity))})


@dataclass(frozen=True)
class Known(Generic[A]):
    """The step to undo was done, with this result."""
    result: A


@dataclass(frozen=True)
class Unknown:
    """The step to undo was begun, and may have had its effect."""


Undo = Union[Known[A], Unknown]


@dataclass
class Info:
    """The definition of a step at run time."""
    name: str
    fields: dict[str, Any]
    run: Any = None
    undoing: Any = None
    parents: list[str] = field(default_factory=list)
    conditions: list[Any] = field(default_factory=list)
    join: str = "all"
    on: str | None = None  # of a failure branch: the end of its parents that it waits for
    over: Any = None
    returns: Any = object
    permanent: tuple[type[BaseException], ...] = ()
    retry_after: dict[type[BaseException], Any] = field(default_factory=dict)
    waits: tuple[Any, ...] = ()
    inner: str | None = None  # of a child: the last step whose result is its own

    def own(self, value: Any) -> Any:
        """The result of a child, or of the tasks of a map, from the results of the last steps."""
        if self.inner is not None and self.over is not None and isinstance(value, list):
            return [v.get(self.inner) if isinstance(v, dict) else v for v in value]
        return value.get(self.inner) if self.inner is not None and isinstance(value, dict) else value

    def root(self) -> str | None:
        """The field of a child's stored result that conditions and maps read."""
        if self.inner is not None and self.over is not None:
            raise TypeError(f"step {self.name!r} is a map of tasks: no condition and no map reads its results")
        return self.inner


class Dep(Generic[In, X_co]):
    info: Info
    condition: Callable[[Any], bool] | None = None

    def _phantom(self, i: In) -> In:
        return i


class Source(Generic[In, E]):
    def __init__(self, step: Info | None, f: Callable[[Any], Any]) -> None:
        self.step, self.f = step, f

    def _phantom(self, i: In, e: E) -> tuple[In, E]:
        return i, e


class Step(Dep[In, R], Generic[In, R, P, Ret]):
    """A step, which can be called like its function."""
    def __init__(self, info: Info) -> None:
        self.info = info
        self.__name__ = info.name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Ret:
        return self.info.run(*args, **kwargs)  # type: ignore[no-any-return]

    def when(self, f: Callable[[R], bool]) -> Dep[In, R]:
        """The step as a dependency that is satisfied only if a condition holds for its result."""
        dep: Dep[In, R] = Dep()
        dep.info, dep.condition = self.info, f
        return dep

    def each(self, f: Callable[[R], Sequence[E]]) -> Source[In, E]:
        """The elements of an array in the step's result, for a map."""
        return Source(self.info, f)

    @overload
    def undo(self, f: Callable[[AsyncJob[In], Undo[R]], Coroutine[Any, Any, None]]) -> Callable[[AsyncJob[In], Undo[R]], Coroutine[Any, Any, None]]: ...
    @overload
    def undo(self, f: Callable[[Job[In], Undo[R]], None]) -> Callable[[Job[In], Undo[R]], None]: ...
    def undo(self, f: Any) -> Any:
        self.info.undoing, self.info.fields["compensate"] = f, self.info.fields["handler"] + ".undo"
        return f


class MapStep(Step[In, R, P, Ret], Generic[In, R, P, Ret, E, S]):
    @overload
    def undo_each(self, f: Callable[[AsyncJob[In], Undo[S], E], Coroutine[Any, Any, None]]) -> Callable[[AsyncJob[In], Undo[S], E], Coroutine[Any, Any, None]]: ...
    @overload
    def undo_each(self, f: Callable[[Job[In], Undo[S], E], None]) -> Callable[[Job[In], Undo[S], E], None]: ...
    def undo_each(self, f: Any) -> Any:
        return Step.undo(self, f)


class _Join:
    def __init__(self, join: str, deps: tuple[Dep[Any, Any], ...]) -> None:
        self.join, self.deps = join, deps


class _Ends(_Join, Generic[In]):
    """The end of steps that a failure branch waits for."""

    def __init__(self, on: str, join: str, deps: tuple[Dep[Any, Any], ...]) -> None:
        if not deps:
            raise ValueError(f"a branch waits for the end of no step: {on}")
        if any(d.condition is not None for d in deps):
            raise ValueError("a failure has no result for a condition")
        super().__init__(join, deps)
        self.on = on

    def _phantom(self, i: In) -> In:
        return i


def failed(*steps: Dep[In, Any]) -> _Ends[In]:
    """For a step that runs because another step failed for good. It runs once all given steps have ended, if one of
    them failed or could not run because an earlier step failed. Its function gets the failures, the first failure
    first."""
    return _Ends("failed", "any", steps)


def ended(*steps: Dep[In, Any]) -> _Ends[In]:
    """For a step that runs once all given steps have ended in any way. Its function gets the failures, or none if no
    step failed."""
    return _Ends("ended", "settled", steps)


class _Maybe1(_Join, Generic[In, A]):
    pass


def _seconds(s: Seconds) -> float:
    return s.total_seconds() if isinstance(s, timedelta) else s


def _prune(d: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in d.items() if v is not None}


def _options(o: dict[str, Any], handler: str) -> dict[str, Any]:
    """A step's options in the form of its template."""
    retry, timeout, start_within = o.get("retry"), o.get("timeout"), o.get("start_within")
    if o.get("limit") is None and o.get("limit_key") is not None:
        raise ValueError("limit_key is of a limit: name it")
    limits: list[Limit[Any]] = list(o.get("limits") or ())
    if o.get("limit") is not None:
        limits.insert(0, Limit(o["limit"], o.get("limit_key")))
    wanted = [limit.fields() for limit in limits]
    return {
        "handler": handler, "description": o.get("description"),
        "timeout_seconds": None if timeout is None else int(_seconds(timeout)), "priority": o.get("priority") or None,
        **(wanted[0] if wanted else {}), "limits": wanted[1:] or None, "limit_hold": "run" if any(limit.whole_run for limit in limits) else None,
        "retry": None if retry is None else _prune({"max_attempts": retry.attempts, "base_seconds": retry.base, "multiplier": retry.factor,
                                                    "max_seconds": retry.max, "backoff": "constant" if retry.constant else None}),
        "max_parallel": o.get("max_parallel"), "allow_failures": o.get("allow_failures"),
        "start_within": None if start_within is None else int(_seconds(start_within)),
    }


class _Decorator:
    def __init__(self, flow: Any, after: Any, options: dict[str, Any]) -> None:
        self.flow, self.after, self.options = flow, after, options

    def make(self, f: Any) -> Any:
        o: dict[str, Any] = {**self.options, "description": self.options.get("description") or inspect.getdoc(f)}
        over = o.get("over")
        name = o.get("name") or f.__name__
        info = self.flow._add(name, self.after, _options(o, handler=f"{self.flow.prefix}.{name}"), over)
        hints = typing.get_type_hints(f)
        given = [hints.get(p) for p in inspect.signature(f).parameters]
        kind = typing.get_origin(given[0]) or given[0] if given else None
        if kind is not None and kind is not (AsyncJob if inspect.iscoroutinefunction(f) else Job):
            raise TypeError(f"step {name!r}: an async def function takes an AsyncJob, a plain one takes a Job")
        info.run, info.returns = f, hints.get("return", object)
        info.permanent, info.retry_after = tuple(o.get("permanent") or ()), dict(o.get("retry_after") or {})
        return (MapStep if over else Step)(info)


class _Flow(Generic[In]):
    def __init__(self, namespace: str, name: str, input: type[In], *, version: str, identity: Literal["input", "key", "new"] = "input",
                 on_failure: Literal["continue", "halt", "fail"] = "continue", description: str | None = None,
                 check_input: bool | dict[str, Any] = False, on_undo: Literal["cancel", "drain"] = "cancel") -> None:
        self.namespace, self.name, self.version, self.input = namespace, name, version, input
        self.identity, self.on_failure, self.description, self.check_input = identity, on_failure, description, check_input
        self.on_undo = on_undo
        self.steps: dict[str, Info] = {}
        self.schedules: dict[str, dict[str, Any]] = {}
        self.starters: list[Trigger] = []
        self.cancellers: list[Trigger] = []
        self.prefix = f"{namespace}.{name}:{version}"

    def each(self, f: Callable[[In], Sequence[E]]) -> Source[In, E]:
        """The elements of an array of the context, for a map."""
        return Source(None, f)

    def schedule(self, name: str, input: In, *, cron: str | None = None, every: Seconds | None = None, timezone: str = "UTC",
                 overlap: Literal["allow", "skip", "queue_one"] = "allow") -> None:
        self.schedules[name] = {"input": values.encode(input), "cron": cron, "every": None if every is None else int(_seconds(every)), "timezone": timezone, "overlap": overlap}

    def limit(self, name: str, key: Callable[[In], str | int | bool] | None = None, *, units: int | None = None, whole_run: bool = False,
              bound: Callable[[In], int | None] | None = None, bound_max: int | None = None) -> Limit[In]:
        """One of several limits of a step. Each value of the field to which key leads has a separate limit. units is
        how many units the step takes. With whole_run the step keeps its units of all limits until its run ends, over
        retries, sleeps and waits. bound leads to the field with the number of the key's steps that may run at once: the
        creation of a task sets this number, at most bound_max."""
        return Limit(name, key, units, whole_run, bound, bound_max)

    @overload
    def start_on(self, event: Event[In], /, *, identity: Callable[[In], str | int | bool] | None = None) -> None: ...
    @overload
    def start_on(self, event: Event[A], context: Callable[[A], In], /, *, identity: Callable[[A], str | int | bool] | None = None) -> None: ...
    def start_on(self, event: Any, context: Any = None, /, *, identity: Any = None) -> None:
        """Starts a task when the event is emitted, in the transaction that emits the event. The input of the task is
        the payload, or is made from the payload: each field is a value, or a field of the payload. For a workflow whose
        identity is "key", identity leads to the key of the task. Without identity the key of the event is the key of
        the task. If the event has a text as its key, another key starts no task."""
        self.starters.append(Trigger(event, context, identity))

    def cancel_on(self, event: Event[A], /, *, identity: Callable[[A], str | int | bool] | None = None) -> None:
        """Cancels the open task of a key when the event is emitted, in the transaction that emits the event. The key is
        the key of the event, or identity leads to it."""
        self.cancellers.append(Trigger(event, None, identity))

    @overload
    def returns(self, a: Dep[In, A], /) -> Returning[In, A]: ...
    @overload
    def returns(self, a: Dep[In, A], b: Dep[In, B], /) -> Returning[In, tuple[A, B]]: ...
    @overload
    def returns(self, a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], /) -> Returning[In, tuple[A, B, C]]: ...
    def returns(self, *steps: Any) -> Any:
        return Returning(self, steps)

    def handlers(self) -> list[tuple[str, Bound]]:
        """The functions of a worker: each step's handler, and its undo."""
        found = []
        for info in self.steps.values():
            if info.run is not None:
                found.append((info.fields["handler"], Bound(self, info, info.run, False)))
            if info.undoing is not None:
                found.append((info.fields["compensate"], Bound(self, info, info.undoing, True)))
        return found

    def template(self) -> dict[str, Any]:
        return _prune({"namespace": self.namespace, "name": self.name, "version": self.version, "description": self.description,
                       "identity_strategy": {"input": None, "key": "caller_provided", "new": "always_unique"}[self.identity],
                       "on_failure": None if self.on_failure == "continue" else self.on_failure,
                       "on_undo": None if self.on_undo == "cancel" else self.on_undo,
                       "input_schema": self._input_schema(),
                       "start_on": [t.fields() for t in self.starters] or None, "cancel_on": [t.fields() for t in self.cancellers] or None,
                       "steps": [{"name": s.name, **s.fields} for s in self.steps.values()]})

    def _input_schema(self) -> dict[str, Any] | None:
        """The schema by which the database checks the input: the given JSON Schema, or the schema of the type."""
        if isinstance(self.check_input, dict) or not self.check_input:
            return self.check_input or None
        if made := values.schema(self.input):
            return made
        raise TypeError(f"workflow {self.prefix} checks its input, whose type {self.input} says nothing that the database can check")

    def _add(self, name: str, after: Any, fields: dict[str, Any], over: Source[Any, Any] | None = None) -> Info:
        join, deps = ("all", after) if not isinstance(after, _Join) else (after.join, after.deps)
        deps = [] if deps is None else list(deps) if isinstance(deps, (tuple, list)) else [deps]
        on = after.on if isinstance(after, _Ends) else None
        if name in self.steps:
            raise ValueError(f"workflow {self.prefix} has two steps {name!r}")
        infos = [d.info for d in deps]
        names = [i.name for i in infos]
        wire: list[Any] = [i.name if d.condition is None else {"step": i.name, "when": condition(d.condition, i.root())} for i, d in zip(infos, deps)]
        if on is not None:
            wire = [{"step": i.name, "on": on} for i in infos]
        if over is not None:
            where = path(recorded(over.f, None if over.step is None else over.step.root()))
            fields["for_each"] = where if over.step is None else _prune({"step": over.step.name, "path": None if where == "$" else where})
            if over.step is not None and over.step.name not in names:
                infos.append(over.step)
                wire.append(over.step.name)
        for i in infos:
            if self.steps.get(i.name) is not i:
                raise ValueError(f"step {i.name!r} is not of workflow {self.prefix}")
        info = Info(name, _prune({**fields, "dependencies": wire or None, "join": None if join == "all" else join}),
                    parents=names, conditions=[d.condition for d in deps], join=join, on=on, over=over)
        self.steps[name] = info
        return info

    def _declare(self, name: str, result: Any, handler: str, after: Any, o: dict[str, Any]) -> Any:
        info = self._add(name, after, _options(o, handler=handler))
        info.returns = result
        return Step(info)

    def _wait(self, name: str, on: tuple[Awaited[Any], ...], after: Any, o: dict[str, Any]) -> Any:
        alternatives = [awaited(a) for a in on]
        timeout = o.get("timeout")
        info = self._add(name, after, {"await": alternatives[0] if len(on) == 1 else alternatives, "timeout": None if timeout is None else int(_seconds(timeout)),
                                       "on_timeout": o.get("on_timeout"), "assignee": o.get("assignee"), "description": o.get("description")})
        info.waits, info.returns = on, answer_of(on)
        return Step(info)

    def _child(self, name: str, of: Returning[Any, Any], context: Any, after: Any, abandon: bool, timeout: Seconds | None, on_timeout: str | None) -> Any:
        deps = [] if after is None else list(after) if isinstance(after, tuple) else [after]
        made = context(Recorder("$"), *(Recorder("$", d.info.name) for d in deps))
        info = self._add(name, after, {"task": _prune({"namespace": of.flow.namespace, "name": of.flow.name, "version": of.flow.version,
                                                       "context": values.paths(made), "abandon": abandon or None}),
                                       "timeout": None if timeout is None else int(_seconds(timeout)), "on_timeout": on_timeout})
        info.returns, info.inner = of.flow.steps[of.steps[0].info.name].returns, of.steps[0].info.name
        return Step(info)

    @overload
    def each_child(self, name: str, over: Source[In, CI], of: Returning[CI, R], /, *, after: Dep[In, Any] | tuple[Dep[In, Any], ...] | None = None,
                   max_parallel: int | None = None, abandon: bool = False, timeout: Seconds | None = None,
                   on_timeout: Literal["fail", "skip"] | None = None) -> Step[In, list[R], [], None]: ...
    @overload
    def each_child(self, name: str, over: Source[In, CI], of: Returning[CI, R], /, *, after: Dep[In, Any] | tuple[Dep[In, Any], ...] | None = None,
                   allow_failures: int, max_parallel: int | None = None, abandon: bool = False, timeout: Seconds | None = None,
                   on_timeout: Literal["fail", "skip"] | None = None) -> Step[In, list[R | None], [], None]: ...
    def each_child(self, name: str, over: Any, of: Any, /, *, after: Any = None, allow_failures: int | None = None, max_parallel: int | None = None,
                   abandon: bool = False, timeout: Seconds | None = None, on_timeout: Any = None) -> Any:
        """A step that starts a task of another workflow for each element, whose input is the element. The results are
        in the order of the elements. With allow_failures the result of a task that failed is None."""
        info = self._add(name, after, {
            "task": _prune({"namespace": of.flow.namespace, "name": of.flow.name, "version": of.flow.version,
                            "context": {"path": "$inputs.element"}, "abandon": abandon or None}),
            "max_parallel": max_parallel, "allow_failures": allow_failures,
            "timeout": None if timeout is None else int(_seconds(timeout)), "on_timeout": on_timeout}, over)
        info.returns, info.inner = of.flow.steps[of.steps[0].info.name].returns, of.steps[0].info.name
        return Step(info)


class Bound:
    """A step's function as a handler: it gets its parents' results by their types, and its result is checked."""

    def __init__(self, flow: _Flow[Any], info: Info, f: Any, undo: bool) -> None:
        hints = typing.get_type_hints(f)
        self.flow, self.info, self.f, self.undo = flow, info, f, undo
        self.on_loop = inspect.iscoroutinefunction(f)
        self.hints = [hints.get(name, object) for name in inspect.signature(f).parameters][1:]
        self.permanent, self.retry_after = info.permanent, info.retry_after

    def run(self, job: Any) -> Any:
        arguments = self._undone(job) if self.undo else self._given(job)
        if self.on_loop:
            return self._awaited(AsyncJob(job), arguments)
        return self._checked(self.f(job, *arguments))

    async def _awaited(self, job: Any, arguments: list[Any]) -> Any:
        return self._checked(await self.f(job, *arguments))

    def _checked(self, value: Any) -> Any:
        if self.undo or self.info.returns is object:
            return value
        encoded = values.encode(value)
        values.decode(f"the result of {self.info.name!r}", encoded, self.info.returns)
        return encoded

    def _given(self, job: Any) -> list[Any]:
        info = self.info
        arguments = []
        if info.over is not None:
            arguments.append(values.decode("the element", job.inputs["element"], self.hints[0]))
        if info.on is not None:
            return [*arguments, *(values.decode("the failures", job.inputs["failures"], to) for to in self.hints)]
        found = job.results() if info.parents else {}
        for name, to in zip(info.parents, self.hints[len(arguments):]):
            parent = self.flow.steps[name]
            there, value = name in found, found.get(name)
            if not there and parent.over is not None:
                value = [v for n, v in found.items() if n.startswith(name + "[")]  # An array that is too large for a claim.
                there = value != []
            if not there and info.join == "all" and to is not type(None):
                raise Permanent(f"step {name!r} has no result: it was resolved without one")
            if there:
                value = parent.own(value)
            if value is None and info.join != "all":
                arguments.append(None)
            else:
                arguments.append(values.result(name, value, parent.returns if isinstance(parent.returns, values.AnswerOf) else to))
        return arguments

    def _undone(self, job: Any) -> list[Any]:
        given = job.inputs
        kind = typing.get_args(typing.get_args(self.hints[0])[0])[0] if typing.get_args(self.hints[0]) else object
        arguments: list[Any] = [Unknown() if given.get("result_unknown") else Known(values.decode("the result to undo", given.get("result"), kind))]
        if self.info.over is not None:
            arguments.append(values.decode("the element", given["initialization"]["element"], self.hints[1]))
        return arguments


class Returning(Generic[In, O]):
    """A workflow with the result of its tasks."""

    def __init__(self, flow: _Flow[In], steps: tuple[Any, ...]) -> None:
        self.flow, self.steps = flow, steps

    @overload
    async def start(
        self, on: psycopg.AsyncConnection[object] | AsyncClient, input: In, *, key: str | None = None, start_at: datetime | None = None, deadline: datetime | None = None,
        priority: int | None = None, tags: Sequence[str] | None = None, headers: Mapping[str, Any] | None = None, policy: Policy | None = None,
    ) -> AsyncTask[In, O]: ...
    @overload
    def start(
        self, on: psycopg.Connection[object] | Client, input: In, *, key: str | None = None, start_at: datetime | None = None, deadline: datetime | None = None,
        priority: int | None = None, tags: Sequence[str] | None = None, headers: Mapping[str, Any] | None = None, policy: Policy | None = None,
    ) -> Task[In, O]: ...
    def start(self, on: On, input: Any, **options: Any) -> Any:
        """Creates a task: over a client, repeated until an answer comes, or on a connection in the caller's own
        transaction. key identifies the task of a workflow whose identity is "key": an equal call finds the existing
        task. start_at is the time at which its steps may begin, and deadline the time at which it fails if it has not
        ended. policy says which requests make a task."""
        from . import calls

        return calls.start(self, on, input, **options)

    @overload
    async def send_by_key(
        self, on: psycopg.AsyncConnection[object] | AsyncClient, key: str, signal: Signal[A], payload: A, *, idempotency_key: str | None = None, start: In | None = None,
    ) -> str: ...
    @overload
    def send_by_key(
        self, on: psycopg.Connection[object] | Client, key: str, signal: Signal[A], payload: A, *, idempotency_key: str | None = None, start: In | None = None,
    ) -> str: ...
    def send_by_key(self, on: On, key: str, signal: Any, payload: Any, **options: Any) -> Any:
        """Sends a signal to the task with this key, and creates the task with the input start if there is none.
        idempotency_key recognises a repeated signal, such as the number of a webhook. Returns delivered, kept, repeated
        or ended."""
        from . import calls

        return calls.send_by_key(self.flow, on, key, signal, payload, **options)

    @overload
    async def emit(
        self, on: psycopg.AsyncConnection[object] | AsyncClient, event: Event[A], payload: A, *, key: str = "", idempotency_key: str | None = None,
    ) -> bool: ...
    @overload
    def emit(
        self, on: psycopg.Connection[object] | Client, event: Event[A], payload: A, *, key: str = "", idempotency_key: str | None = None,
    ) -> bool: ...
    def emit(self, on: On, event: Any, payload: Any, **options: Any) -> Any:
        """Emits an event to all steps of the workflow's namespace that wait for it. Returns False if the idempotency key is known, and
        nothing changed."""
        from . import calls

        return calls.emit(self.flow, on, event, payload, **options)

    @overload
    async def register(self, on: psycopg.AsyncConnection[object] | AsyncClient) -> None: ...
    @overload
    def register(self, on: psycopg.Connection[object] | Client) -> None: ...
    def register(self, on: On) -> Any:
        """Registers the template and the schedules. A template with other content under this version is refused."""
        from . import calls

        return calls.register(self.flow, on)


class AsyncTask(Generic[In, O]):
    """A task for a coroutine to wait for."""

    def __init__(self, uuid: UUID, of: Returning[In, O], on: On, created: bool = True) -> None:
        self.uuid, self.of, self._on, self.created = uuid, of, on, created

    @overload
    async def result(self, on: psycopg.AsyncConnection[object] | AsyncClient | None = None, *, within: float = 3600.0) -> O: ...
    @overload
    async def result(self, on: psycopg.AsyncConnection[object] | AsyncClient | None, step: Dep[In, A], *, within: float = 3600.0) -> A: ...
    async def result(self, on: On | None = None, step: Any = None, *, within: float = 3600.0) -> Any:
        """The result of the task, as soon as it has ended. Raises TaskFailed with the error of the step that failed, at
        once if the task is blocked, and TimeoutError after the given seconds."""
        from . import calls

        return await calls.result(self, on or self._on, step, within)

    async def send(self, signal: Signal[A], payload: A, *, on: psycopg.AsyncConnection[object] | AsyncClient | None = None) -> None:
        """Sends a signal to the task, once, even if the request is repeated."""
        from . import calls

        await calls.send(self, on or self._on, signal, payload)

    async def cancel(self, reason: str | None = None, *, on: psycopg.AsyncConnection[object] | AsyncClient | None = None) -> bool:
        """Cancels the task. Returns whether this call did it."""
        from . import calls

        return await calls.act(self, on or self._on, "cancel", reason)

    async def pause(self, reason: str | None = None, *, on: psycopg.AsyncConnection[object] | AsyncClient | None = None) -> bool:
        """Keeps the steps of the task from starting. Running steps end. Returns whether this call did it."""
        from . import calls

        return await calls.act(self, on or self._on, "pause", reason)

    async def resume(self, reason: str | None = None, *, on: psycopg.AsyncConnection[object] | AsyncClient | None = None) -> bool:
        """Ends the pause of the task. Returns whether this call did it."""
        from . import calls

        return await calls.act(self, on or self._on, "resume", reason)

    async def change(
        self, *, priority: int | None = None, start_at: datetime | None = None, deadline: datetime | None = None, input: In | None = None,
        reason: str | None = None, on: psycopg.AsyncConnection[object] | AsyncClient | None = None,
    ) -> bool:  # fmt: skip
        """Changes what is given: the priority, the start, the deadline or the input of the task. A new input needs a reason. Returns
        whether this call changed the task."""
        from . import calls

        return await calls.change(self, on or self._on, priority, start_at, deadline, input, reason)


class Task(Generic[In, O]):
    """A task for a thread to wait for."""

    def __init__(self, uuid: UUID, of: Returning[In, O], on: On, created: bool = True) -> None:
        self.uuid, self.of, self._on, self.created = uuid, of, on, created

    @overload
    def result(self, on: psycopg.Connection[object] | Client | None = None, *, within: float = 3600.0) -> O: ...
    @overload
    def result(self, on: psycopg.Connection[object] | Client | None, step: Dep[In, A], *, within: float = 3600.0) -> A: ...
    def result(self, on: On | None = None, step: Any = None, *, within: float = 3600.0) -> Any:
        """As AsyncTask.result, blocking."""
        from . import calls

        return calls.finish(calls.result(self, on or self._on, step, within))

    def send(self, signal: Signal[A], payload: A, *, on: psycopg.Connection[object] | Client | None = None) -> None:
        """As AsyncTask.send, blocking."""
        from . import calls

        calls.finish(calls.send(self, on or self._on, signal, payload))

    def cancel(self, reason: str | None = None, *, on: psycopg.Connection[object] | Client | None = None) -> bool:
        """As AsyncTask.cancel, blocking."""
        from . import calls

        return bool(calls.finish(calls.act(self, on or self._on, "cancel", reason)))

    def pause(self, reason: str | None = None, *, on: psycopg.Connection[object] | Client | None = None) -> bool:
        """As AsyncTask.pause, blocking."""
        from . import calls

        return bool(calls.finish(calls.act(self, on or self._on, "pause", reason)))

    def resume(self, reason: str | None = None, *, on: psycopg.Connection[object] | Client | None = None) -> bool:
        """As AsyncTask.resume, blocking."""
        from . import calls

        return bool(calls.finish(calls.act(self, on or self._on, "resume", reason)))

    def change(
        self, *, priority: int | None = None, start_at: datetime | None = None, deadline: datetime | None = None, input: In | None = None,
        reason: str | None = None, on: psycopg.Connection[object] | Client | None = None,
    ) -> bool:  # fmt: skip
        """As AsyncTask.change, blocking."""
        from . import calls

        return bool(calls.finish(calls.change(self, on or self._on, priority, start_at, deadline, input, reason)))


class _Step0(_Decorator, Generic[In]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In]], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In]], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In]], R]) -> Step[In, R, [Job[In]], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step1(_Decorator, Generic[In, A]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A], R]) -> Step[In, R, [Job[In], A], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step2(_Decorator, Generic[In, A, B]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A, B], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A, B], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A, B], R]) -> Step[In, R, [Job[In], A, B], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step3(_Decorator, Generic[In, A, B, C]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A, B, C], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A, B, C], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A, B, C], R]) -> Step[In, R, [Job[In], A, B, C], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step4(_Decorator, Generic[In, A, B, C, D]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A, B, C, D], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A, B, C, D], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A, B, C, D], R]) -> Step[In, R, [Job[In], A, B, C, D], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step5(_Decorator, Generic[In, A, B, C, D, E]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A, B, C, D, E], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A, B, C, D, E], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A, B, C, D, E], R]) -> Step[In, R, [Job[In], A, B, C, D, E], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Step6(_Decorator, Generic[In, A, B, C, D, E, F]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], A, B, C, D, E, F], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In], A, B, C, D, E, F], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], A, B, C, D, E, F], R]) -> Step[In, R, [Job[In], A, B, C, D, E, F], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Map0(_Decorator, Generic[In, E]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E], Coroutine[Any, Any, R]]) -> MapStep[In, list[R], [AsyncJob[In], E], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E], R]) -> MapStep[In, list[R], [Job[In], E], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _MapAllowing0(_Decorator, Generic[In, E]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E], Coroutine[Any, Any, R]]) -> MapStep[In, list[R | None], [AsyncJob[In], E], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E], R]) -> MapStep[In, list[R | None], [Job[In], E], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Map1(_Decorator, Generic[In, E, A]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E, A], Coroutine[Any, Any, R]]) -> MapStep[In, list[R], [AsyncJob[In], E, A], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E, A], R]) -> MapStep[In, list[R], [Job[In], E, A], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _MapAllowing1(_Decorator, Generic[In, E, A]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E, A], Coroutine[Any, Any, R]]) -> MapStep[In, list[R | None], [AsyncJob[In], E, A], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E, A], R]) -> MapStep[In, list[R | None], [Job[In], E, A], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Map2(_Decorator, Generic[In, E, A, B]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E, A, B], Coroutine[Any, Any, R]]) -> MapStep[In, list[R], [AsyncJob[In], E, A, B], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E, A, B], R]) -> MapStep[In, list[R], [Job[In], E, A, B], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _MapAllowing2(_Decorator, Generic[In, E, A, B]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E, A, B], Coroutine[Any, Any, R]]) -> MapStep[In, list[R | None], [AsyncJob[In], E, A, B], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E, A, B], R]) -> MapStep[In, list[R | None], [Job[In], E, A, B], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)


class _Maybe2(_Join, Generic[In, A, B]):
    pass


class _Maybe3(_Join, Generic[In, A, B, C]):
    pass


class _Maybe4(_Join, Generic[In, A, B, C, D]):
    pass


class _Maybe5(_Join, Generic[In, A, B, C, D, E]):
    pass


class _Maybe6(_Join, Generic[In, A, B, C, D, E, F]):
    pass


@overload
def any_of(a: Dep[In, A], /) -> _Maybe1[In, A]: ...
@overload
def any_of(a: Dep[In, A], b: Dep[In, B], /) -> _Maybe2[In, A, B]: ...
@overload
def any_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], /) -> _Maybe3[In, A, B, C]: ...
@overload
def any_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], /) -> _Maybe4[In, A, B, C, D]: ...
@overload
def any_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], /) -> _Maybe5[In, A, B, C, D, E]: ...
@overload
def any_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], f: Dep[In, F], /) -> _Maybe6[In, A, B, C, D, E, F]: ...
def any_of(*deps: Any) -> Any:
    return _Join('any', deps)


@overload
def first_of(a: Dep[In, A], /) -> _Maybe1[In, A]: ...
@overload
def first_of(a: Dep[In, A], b: Dep[In, B], /) -> _Maybe2[In, A, B]: ...
@overload
def first_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], /) -> _Maybe3[In, A, B, C]: ...
@overload
def first_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], /) -> _Maybe4[In, A, B, C, D]: ...
@overload
def first_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], /) -> _Maybe5[In, A, B, C, D, E]: ...
@overload
def first_of(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], f: Dep[In, F], /) -> _Maybe6[In, A, B, C, D, E, F]: ...
def first_of(*deps: Any) -> Any:
    return _Join('first', deps)


@overload
def settled(a: Dep[In, A], /) -> _Maybe1[In, A]: ...
@overload
def settled(a: Dep[In, A], b: Dep[In, B], /) -> _Maybe2[In, A, B]: ...
@overload
def settled(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], /) -> _Maybe3[In, A, B, C]: ...
@overload
def settled(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], /) -> _Maybe4[In, A, B, C, D]: ...
@overload
def settled(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], /) -> _Maybe5[In, A, B, C, D, E]: ...
@overload
def settled(a: Dep[In, A], b: Dep[In, B], c: Dep[In, C], d: Dep[In, D], e: Dep[In, E], f: Dep[In, F], /) -> _Maybe6[In, A, B, C, D, E, F]: ...
def settled(*deps: Any) -> Any:
    return _Join('settled', deps)


class Workflow(_Flow[In]):
    @overload
    def step(self, *, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step0[In]: ...
    @overload
    def step(self, *, after: Dep[In, A], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step1[In, A]: ...
    @overload
    def step(self, *, after: tuple[Dep[In, A], Dep[In, B]], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step2[In, A, B]: ...
    @overload
    def step(self, *, after: tuple[Dep[In, A], Dep[In, B], Dep[In, C]], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step3[In, A, B, C]: ...
    @overload
    def step(self, *, after: tuple[Dep[In, A], Dep[In, B], Dep[In, C], Dep[In, D]], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step4[In, A, B, C, D]: ...
    @overload
    def step(self, *, after: tuple[Dep[In, A], Dep[In, B], Dep[In, C], Dep[In, D], Dep[In, E]], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step5[In, A, B, C, D, E]: ...
    @overload
    def step(self, *, after: tuple[Dep[In, A], Dep[In, B], Dep[In, C], Dep[In, D], Dep[In, E], Dep[In, F]], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step6[In, A, B, C, D, E, F]: ...
    @overload
    def step(self, *, after: _Maybe1[In, A], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step1[In, A | None]: ...
    @overload
    def step(self, *, after: _Maybe2[In, A, B], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step2[In, A | None, B | None]: ...
    @overload
    def step(self, *, after: _Maybe3[In, A, B, C], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step3[In, A | None, B | None, C | None]: ...
    @overload
    def step(self, *, after: _Maybe4[In, A, B, C, D], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step4[In, A | None, B | None, C | None, D | None]: ...
    @overload
    def step(self, *, after: _Maybe5[In, A, B, C, D, E], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step5[In, A | None, B | None, C | None, D | None, E | None]: ...
    @overload
    def step(self, *, after: _Maybe6[In, A, B, C, D, E, F], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step6[In, A | None, B | None, C | None, D | None, E | None, F | None]: ...
    @overload
    def step(self, *, after: _Ends[In], name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Step1[In, list[Failure]]: ...
    def step(self, *, after: Any = None, **options: Any) -> Any:
        return _Step0(self, after, options)

    @overload
    def map(self, over: Source[In, E], /, *, max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Map0[In, E]: ...
    @overload
    def map(self, over: Source[In, E], /, *, after: Dep[In, A], max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Map1[In, E, A]: ...
    @overload
    def map(self, over: Source[In, E], /, *, after: tuple[Dep[In, A], Dep[In, B]], max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _Map2[In, E, A, B]: ...
    @overload
    def map(self, over: Source[In, E], /, *, allow_failures: int, max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _MapAllowing0[In, E]: ...
    @overload
    def map(self, over: Source[In, E], /, *, after: Dep[In, A], allow_failures: int, max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _MapAllowing1[In, E, A]: ...
    @overload
    def map(self, over: Source[In, E], /, *, after: tuple[Dep[In, A], Dep[In, B]], allow_failures: int, max_parallel: int | None = None, name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}) -> _MapAllowing2[In, E, A, B]: ...
    def map(self, over: Any, /, *, after: Any = None, **options: Any) -> Any:
        return _Map0(self, after, {**options, 'over': over})

    @overload
    def child(self, name: str, of: Returning[CI, R], context: Callable[[In], CI], /, *, abandon: bool = False, timeout: Seconds | None = None, on_timeout: Literal['fail', 'skip'] | None = None) -> Step[In, R, [], None]: ...
    @overload
    def child(self, name: str, of: Returning[CI, R], context: Callable[[In, A], CI], /, *, after: Dep[In, A], abandon: bool = False, timeout: Seconds | None = None, on_timeout: Literal['fail', 'skip'] | None = None) -> Step[In, R, [], None]: ...
    @overload
    def child(self, name: str, of: Returning[CI, R], context: Callable[[In, A, B], CI], /, *, after: tuple[Dep[In, A], Dep[In, B]], abandon: bool = False, timeout: Seconds | None = None, on_timeout: Literal['fail', 'skip'] | None = None) -> Step[In, R, [], None]: ...
    def child(self, name: str, of: Any, context: Any, /, *, after: Any = None, abandon: bool = False, timeout: Any = None, on_timeout: Any = None) -> Any:
        return self._child(name, of, context, after, abandon, timeout, on_timeout)

    @overload
    def wait(self, name: str, a: Awaited[W1], /, *, on_timeout: Literal['fail', 'skip'] = 'fail', after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1, [], None]: ...
    @overload
    def wait(self, name: str, a: Awaited[W1], /, *, on_timeout: Literal['complete'], after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1 | TimedOut, [], None]: ...
    @overload
    def wait(self, name: str, a: Awaited[W1], b: Awaited[W2], /, *, on_timeout: Literal['fail', 'skip'] = 'fail', after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1 | W2, [], None]: ...
    @overload
    def wait(self, name: str, a: Awaited[W1], b: Awaited[W2], /, *, on_timeout: Literal['complete'], after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1 | W2 | TimedOut, [], None]: ...
    @overload
    def wait(self, name: str, a: Awaited[W1], b: Awaited[W2], c: Awaited[W3], /, *, on_timeout: Literal['fail', 'skip'] = 'fail', after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1 | W2 | W3, [], None]: ...
    @overload
    def wait(self, name: str, a: Awaited[W1], b: Awaited[W2], c: Awaited[W3], /, *, on_timeout: Literal['complete'], after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None) -> Step[In, W1 | W2 | W3 | TimedOut, [], None]: ...
    def wait(self, name: str, /, *on: Any, after: Any = None, **options: Any) -> Any:
        return self._wait(name, on, after, options)

    def declare(self, name: str, result: type[R], /, *, handler: str, after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None) -> Step[In, R, [], None]:
        """A step that another program runs, in any language, by the name of its handler. result is the type of its result."""
        options = dict(retry=retry, timeout=timeout, start_within=start_within, priority=priority, limit=limit, limit_key=limit_key, limits=limits, description=description)
        return self._declare(name, result, handler, after, options)  # type: ignore[no-any-return]
