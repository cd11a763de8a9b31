"""The calls of programs with typed workflows, on a client or on a connection of psycopg, blocking or not."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, Coroutine, Mapping, Optional, Sequence, Union
from urllib.parse import quote
from uuid import UUID, uuid4

from . import values
from .client import AsyncClient, Client
from .errors import TaskFailed, Unavailable
from .jsontext import decode, encode

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

    # A connection may make rows of any type: the calls here read their own rows as tuples.
    Database = Union[psycopg.Connection[object], psycopg.AsyncConnection[object]]
    On = Union[Database, Client, AsyncClient]

_WITHIN = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
_REGISTER = "select created from tasker.register_task_template(%s::jsonb)"
_SCHEDULE = (
    "select 1 from tasker.set_schedule(%s, %s, %s, p_cron => %s, p_every_seconds => %s, p_timezone => %s, p_task_version => %s, "
    "p_context => %s::jsonb, p_overlap => %s)"
)
_CREATE = (
    "select task_uuid, created from tasker.create_task(%s, %s, %s::jsonb, p_version => %s, p_identity_key => %s, p_task_uuid => %s, "
    "p_start_at => %s::timestamptz, p_deadline => %s::timestamptz, p_priority => %s, p_tags => %s, p_headers => %s::jsonb{})"
)
_POLICY = {
    "identity_ttl_seconds": "p_identity_ttl => make_interval(secs => %s)", "identity_scope": "p_identity_scope => %s",
    "debounce_seconds": "p_debounce_seconds => %s", "debounce_longest_seconds": "p_debounce_longest_seconds => %s",
    "throttle_limit": "p_throttle_limit => %s", "throttle_seconds": "p_throttle_seconds => %s", "throttle_key": "p_throttle_key => %s",
}  # fmt: skip
_BY_KEY = (
    "select answer from tasker.send_signal_by_key(%s, %s, %s, %s, %s::jsonb, %s, p_start => %s, p_context => coalesce(%s::jsonb, '{}'), p_version => %s)"
)
_EMIT = "select repeated from tasker.emit_event(%s, %s, %s, %s::jsonb, %s)"
_RESULT = "select tasker.get_task_result(%s, %s)::text"
_CANCEL = "select tasker.cancel_task(%s, %s)"
_PAUSE = "select tasker.pause_task(%s, %s)"
_RESUME = "select tasker.resume_task(%s, %s)"
CHANGE = (
    "change_task(%s, p_priority => %s, p_start_at => %s::timestamptz, p_deadline => %s::timestamptz, "
    "p_context => %s::jsonb, p_reason => %s)"
)
_SIGNAL = "select answer from tasker.send_signal(%s, %s, %s::jsonb, %s)"


def task_uuid() -> str:
    """A new UUID for a task, of version 7 with four zeros at its end, so that a repeated request finds its task."""
    value = (time.time_ns() // 1_000_000) << 80 | 7 << 76 | (int.from_bytes(os.urandom(2), "big") & 0xFFF) << 64
    return str(UUID(int=value | 2 << 62 | (int.from_bytes(os.urandom(8), "big") >> 2) & ~0xFFFF))


def finish(call: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine that never waits for an event loop, such as the coroutines of this file on a blocking client."""
    try:
        call.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("a blocking call has waited")


def _is_async(on: On) -> bool:
    return isinstance(on, AsyncClient) or inspect.iscoroutinefunction(getattr(on, "execute", None))


async def _request(on: Client | AsyncClient, method: str, path: str, body: Any = None) -> Any:
    """A request over a client, repeated while the server is away."""
    until, pause = time.monotonic() + _WITHIN, _FIRST_PAUSE
    while True:
        try:
            if isinstance(on, AsyncClient):
                return await on.request(method, path, body)
            return on.request(method, path, body)
        except Unavailable:
            if time.monotonic() + pause > until:
                raise
        await _pause(on, pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _pause(on: On, seconds: float) -> None:
    if _is_async(on):
        await asyncio.sleep(seconds)
    else:
        time.sleep(seconds)


async def _row(on: Database, sql: str, arguments: tuple[Any, ...]) -> TupleRow:
    """The row that a function returns, or an empty tuple for none, whatever the row factory of the connection is."""
    import psycopg
    from psycopg.rows import tuple_row

    row: TupleRow | None
    if isinstance(on, psycopg.AsyncConnection):
        async with on.cursor(row_factory=tuple_row) as reading:
            row = await (await reading.execute(sql.encode(), arguments)).fetchone()
    else:
        with on.cursor(row_factory=tuple_row) as cursor:
            row = cursor.execute(sql.encode(), arguments).fetchone()
    return row or ()


def _moment(name: str, at: datetime | None) -> str | None:
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError(f"{name} has no time zone: {at}")
    return at.isoformat()


def start(
    of: Any, on: On, input: Any, *, key: str | None = None, start_at: datetime | None = None, deadline: datetime | None = None,
    priority: int | None = None, tags: Sequence[str] | None = None, headers: Mapping[str, Any] | None = None, policy: Any = None,
) -> Any:  # fmt: skip
    flow = of.flow
    moments = (_moment("start_at", start_at), _moment("deadline", deadline))
    labels = None if tags is None else list(tags)
    given = values.encode(input)
    values.decode(f"the input of {flow.prefix}", given, flow.input)
    if key is not None and flow.identity != "key":
        raise ValueError(f'workflow {flow.prefix} takes no key: its identity is "{flow.identity}"')
    own = task_uuid() if flow.identity == "new" else None
    rules: dict[str, Any] = {} if policy is None else policy.fields()

    async def go() -> Any:
        from .workflow import AsyncTask, Task

        if isinstance(on, (Client, AsyncClient)):
            body: dict[str, Any] = {"namespace": flow.namespace, "name": flow.name, "context": given, "version": flow.version, "identity_key": key, "task_uuid": own}
            body.update(start_at=moments[0], deadline=moments[1], priority=priority, tags=labels, headers=None if headers is None else dict(headers), **rules)
            made = await _request(on, "POST", "/v1/tasks", {name: value for name, value in body.items() if value is not None})
            task, created = made["task_uuid"], made["created"]
        else:
            arguments: tuple[Any, ...] = (flow.namespace, flow.name, encode(given).decode(), flow.version, key, own)
            arguments += (*moments, priority, labels, None if headers is None else encode(dict(headers)).decode())
            named = "".join(f", {_POLICY[name]}" for name in rules)
            task, created = await _row(on, _CREATE.format(named), (*arguments, *rules.values()))
        return (AsyncTask if _is_async(on) else Task)(UUID(str(task)), of, on, created)

    return go() if _is_async(on) else finish(go())


def register(flow: Any, on: On) -> Any:
    async def go() -> None:
        if isinstance(on, (Client, AsyncClient)):
            await _request(on, "POST", "/v1/templates", flow.template())
        else:
            await _row(on, _REGISTER, (encode(flow.template()).decode(),))
        for name, s in flow.schedules.items():
            if isinstance(on, (Client, AsyncClient)):
                body = {"task_name": flow.name, "task_version": flow.version, "cron": s["cron"], "every_seconds": s["every"], "timezone": s["timezone"]}
                body.update(context=s["input"], overlap=s["overlap"])
                path = f"/v1/schedules/{quote(flow.namespace)}/{quote(name)}"
                await _request(on, "PUT", path, {k: v for k, v in body.items() if v is not None})
            else:
                timing = (s["cron"], s["every"], s["timezone"], flow.version, encode(s["input"]).decode(), s["overlap"])
                await _row(on, _SCHEDULE, (flow.namespace, name, flow.name, *timing))

    return go() if _is_async(on) else finish(go())


async def result(task: Any, on: On, step: Any, within: float) -> Any:
    steps = (step,) if step is not None else task.of.steps
    names = [s.info.name for s in steps]
    until, pause = time.monotonic() + within, _FIRST_PAUSE
    while True:
        if isinstance(on, (Client, AsyncClient)):
            query = "&".join("step=" + quote(name) for name in names)
            found = await _request(on, "GET", f"/v1/tasks/{task.uuid}/result?{query}")
        else:
            found = decode((await _row(on, _RESULT, (task.uuid, names)))[0].encode())
        failed = found["failed"] or {}
        if found["state"] in ("complete", "resolved_manually"):
            missing = [name for name in names if name in found["omitted"]]
            if missing:
                raise ValueError(f"the results of {missing} are too large for one answer: read the steps of task {task.uuid}")
            got = [_typed(s.info, found["results"].get(s.info.name)) for s in steps]
            return got[0] if len(got) == 1 else tuple(got)
        if found["complete"] or found["blocked"]:
            raise TaskFailed(str(task.uuid), found["state"], failed.get("step"), failed.get("error"))
        if time.monotonic() >= until:
            raise TimeoutError(f"task {task.uuid} is {found['state']}")
        await _pause(on, min(pause, max(0.0, until - time.monotonic())))
        pause = min(1.5 * pause, _LONGEST_PAUSE)


def _typed(info: Any, value: Any) -> Any:
    value = info.own(value)
    to = info.returns
    if info.over is not None:
        # The result of a tolerated failure is null.
        to = list[Optional[info.returns]] if info.fields.get("allow_failures") else list[info.returns]
    if value is None and info.over is None:
        return None  # The step was skipped, or returned nothing.
    return values.decode(f"the result of {info.name!r}", value, to)


async def send(task: Any, on: On, signal: Any, payload: Any) -> None:
    given = values.encode(payload)
    values.decode(f"the payload of signal {signal.name!r}", given, signal.to)
    key = str(uuid4())
    if isinstance(on, (Client, AsyncClient)):
        await _request(on, "POST", f"/v1/tasks/{task.uuid}/signals", {"name": signal.name, "payload": given, "idempotency_key": key})
    else:
        await _row(on, _SIGNAL, (task.uuid, signal.name, encode(given).decode(), key))


def send_by_key(flow: Any, on: On, key: str, signal: Any, payload: Any, *, idempotency_key: str | None = None, start: Any = None) -> Any:
    given = values.encode(payload)
    values.decode(f"the payload of signal {signal.name!r}", given, signal.to)
    context = None if start is None else values.encode(start)
    if context is not None:
        values.decode(f"the input of {flow.prefix}", context, flow.input)
    once = idempotency_key or str(uuid4())
    # A signal to an existing task fits any version.
    version = None if context is None else flow.version

    async def go() -> str:
        if isinstance(on, (Client, AsyncClient)):
            body = {"namespace": flow.namespace, "task_name": flow.name, "identity_key": key, "name": signal.name, "payload": given, "idempotency_key": once}
            if context is not None:
                body.update(start=True, context=context, version=version)
            return str((await _request(on, "POST", "/v1/signals", body))["answer"])
        made = None if context is None else encode(context).decode()
        arguments = (flow.namespace, flow.name, key, signal.name, encode(given).decode(), once, context is not None, made, version)
        return str((await _row(on, _BY_KEY, arguments))[0])

    return go() if _is_async(on) else finish(go())


def emit(flow: Any, on: On, event: Any, payload: Any, *, key: str = "", idempotency_key: str | None = None) -> Any:
    given = values.encode(payload)
    values.decode(f"the payload of event {event.name!r}", given, event.to)
    once = idempotency_key or str(uuid4())

    async def go() -> bool:
        if isinstance(on, (Client, AsyncClient)):
            body = {"namespace": flow.namespace, "name": event.name, "key": key, "payload": given, "idempotency_key": once}
            return not (await _request(on, "POST", "/v1/events", body))["repeated"]
        return not (await _row(on, _EMIT, (flow.namespace, event.name, key, encode(given).decode(), once)))[0]

    return go() if _is_async(on) else finish(go())


_ACTS = {"cancel": _CANCEL, "pause": _PAUSE, "resume": _RESUME}


async def act(task: Any, on: On, what: str, reason: str | None) -> bool:
    if isinstance(on, (Client, AsyncClient)):
        body = {} if reason is None else {"reason": reason}
        return bool((await _request(on, "POST", f"/v1/tasks/{task.uuid}/{what}", body))["changed"])
    return bool((await _row(on, _ACTS[what], (task.uuid, reason)))[0])


async def change(task: Any, on: On, priority: int | None, start_at: Any, deadline: Any, input: Any, reason: str | None) -> bool:
    moments = (_moment("start_at", start_at), _moment("deadline", deadline))
    given = None if input is None else values.encode(input)
    if isinstance(on, (Client, AsyncClient)):
        fields = {"priority": priority, "start_at": moments[0], "deadline": moments[1], "context": given, "reason": reason}
        body = {name: value for name, value in fields.items() if value is not None}
        return bool((await _request(on, "POST", f"/v1/tasks/{task.uuid}/change", body))["changed"])
    text = None if given is None else encode(given).decode()
    return bool((await _row(on, "select tasker." + CHANGE, (task.uuid, priority, *moments, text, reason)))[0])
