"""Erases the data of tasks that have ended, for good: one task, or all matching tasks, in batches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncIterator, Coroutine, Iterator, Sequence, overload
from uuid import UUID

from .calls import _is_async, _moment, _request, _row, finish
from .client import AsyncClient, Client
from .jsontext import decode

if TYPE_CHECKING:
    import psycopg

    from .calls import On

# The answers have the form of POST /v1/tasks/{task_uuid}/erase and POST /v1/tasks/erase.
ERASE_TASK = "select json_build_object('items', coalesce(json_agg(e), '[]'))::text from tasker.erase_task(%s, %s, coalesce(%s, false), %s) as e"
ERASE_TASKS = """select json_build_object('items', coalesce(json_agg(e order by e.ordinality), '[]'),
           'next_cursor', case when count(*) >= %s then (array_agg(e.root_uuid order by e.ordinality desc))[1] end)::text
  from tasker.erase_tasks(%s, p_tags => %s, p_key => %s, p_namespace => %s, p_name => %s, p_version => %s, p_requested_after => %s::timestamptz,
         p_requested_before => %s::timestamptz, p_children => %s, p_actor => %s, p_dry_run => %s, p_limit => %s, p_after => %s) with ordinality as e"""
FIELDS = ("limit", "reason", "tags", "key", "namespace", "name", "version", "requested_after", "requested_before", "children", "actor", "dry_run", "limit", "cursor")


@dataclass(frozen=True)
class Erased:
    """A task and the outcome of its erasure. outcome is erased, already if an earlier call erased the task, or matched
    in a dry run. An erasure of many tasks leaves some out: open, noted, acted_on and locked say why. root_uuid is the
    task that the caller named or the filter found."""

    task_uuid: UUID
    root_uuid: UUID
    namespace: str
    name: str
    version: str
    state: str
    outcome: str


def _erased(row: Any) -> Erased:
    return Erased(UUID(row["task_uuid"]), UUID(row["root_uuid"]), row["namespace"], row["name"], row["version"], row["state"], row["outcome"])


@overload
def erase_task(
    on: psycopg.AsyncConnection[object] | AsyncClient, task: UUID | str, reason: str, *, actor: str | None = None, with_children: bool = False
) -> Coroutine[Any, Any, list[Erased]]: ...
@overload
def erase_task(on: psycopg.Connection[object] | Client, task: UUID | str, reason: str, *, actor: str | None = None, with_children: bool = False) -> list[Erased]: ...
def erase_task(on: On, task: Any, reason: str, *, actor: str | None = None, with_children: bool = False) -> Any:
    """Erases the data of a task that has ended: context, results, errors, signals and the like. States, times and
    counts stay. with_children also erases the tasks that its steps started, all tasks or none. An open task is refused:
    cancel it first. The reason is kept, so it should name a request and no person. The call may be repeated."""

    async def go() -> list[Erased]:
        if isinstance(on, (Client, AsyncClient)):
            body = {"reason": reason, "children": with_children, "actor": actor}
            answer = await _request(on, "POST", f"/v1/tasks/{task}/erase", {k: v for k, v in body.items() if v is not None})
        else:
            answer = decode((await _row(on, ERASE_TASK, (str(task), reason, with_children, actor)))[0].encode())
        return [_erased(row) for row in answer["items"]]

    return go() if _is_async(on) else finish(go())


@overload
def erase_tasks(
    on: psycopg.AsyncConnection[object] | AsyncClient, reason: str, *, tags: Sequence[str] | None = None, key: str | None = None, namespace: str | None = None,
    name: str | None = None, version: str | None = None, requested_after: datetime | None = None, requested_before: datetime | None = None,
    actor: str | None = None, with_children: bool = False, dry_run: bool = False, batch: int = 100,
) -> AsyncIterator[list[Erased]]: ...
@overload
def erase_tasks(
    on: psycopg.Connection[object] | Client, reason: str, *, tags: Sequence[str] | None = None, key: str | None = None, namespace: str | None = None,
    name: str | None = None, version: str | None = None, requested_after: datetime | None = None, requested_before: datetime | None = None,
    actor: str | None = None, with_children: bool = False, dry_run: bool = False, batch: int = 100,
) -> Iterator[list[Erased]]: ...
def erase_tasks(
    on: On, reason: str, *, tags: Sequence[str] | None = None, key: str | None = None, namespace: str | None = None,
    name: str | None = None, version: str | None = None, requested_after: datetime | None = None, requested_before: datetime | None = None,
    actor: str | None = None, with_children: bool = False, dry_run: bool = False, batch: int = 100,
) -> Any:  # fmt: skip
    """Erases the tasks that match every given filter as erase_task does, the oldest first. Each turn of the iterator is
    one batch and one transaction, so a stopped program may begin again. Open and busy tasks are left out, and their
    outcome says why."""
    labels = None if tags is None else list(tags)
    body: dict[str, Any] = {"reason": reason, "tags": labels, "key": key, "namespace": namespace, "name": name, "version": version, "actor": actor}
    body.update(requested_after=_moment("requested_after", requested_after), requested_before=_moment("requested_before", requested_before))
    body.update(children=with_children, dry_run=dry_run, limit=batch, cursor=None)

    async def go() -> list[Erased]:
        if isinstance(on, (Client, AsyncClient)):
            answer = await _request(on, "POST", "/v1/tasks/erase", {k: v for k, v in body.items() if v is not None})
        else:
            answer = decode((await _row(on, ERASE_TASKS, tuple(body[field] for field in FIELDS)))[0].encode())
        body["cursor"] = answer["next_cursor"]
        return [_erased(row) for row in answer["items"]]

    def each() -> Iterator[list[Erased]]:
        while found := finish(go()):
            yield found
            if body["cursor"] is None:
                return

    async def each_async() -> AsyncIterator[list[Erased]]:
        while found := await go():
            yield found
            if body["cursor"] is None:
                return

    return each_async() if _is_async(on) else each()
