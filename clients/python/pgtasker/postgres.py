"""The way to PostgreSQL without a server in between: the requests of docs/http-workers.md, answered by the database's functions.

Needs psycopg 3 (python3-psycopg, or pip install pgtasker[psycopg])."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import threading
import time
from typing import Any, Callable, Union
from urllib.parse import parse_qs, unquote

import psycopg
from psycopg import conninfo as _conninfo
from psycopg.rows import TupleRow

from .calls import CHANGE
from .client import Client
from .erase import ERASE_TASK, ERASE_TASKS, FIELDS
from .errors import ApiError, Unavailable
from .jsontext import decode, encode

_WITHIN = 30
# How long an exchange may take over the connection that waits for steps.
_EXCHANGE_WITHIN = 10.0
# How long a worker waits for plans before its first exchange.
_WARM_WITHIN = 2.0
_FIRST_LOOK, _LAST_LOOK = 0.05, 1.0
_NOTHING: dict[str, Any] = {"answers": [], "claimed": []}
_PASSING = re.compile(r"08|40|53|57|58|0A000|25006|55006|55P03")
_JUDGED = re.compile(r"21|22|23|54|P0")
_STEP = r"/v1/tasks/(?P<task>[^/]+)/workflow_steps/(?P<step>[^/]+)"
_CREATE = {
    "namespace": "text", "name": "text", "context": "jsonb", "version": "text", "identity_key": "text", "task_uuid": "uuid",
    "priority": "integer", "tags": "text[]", "headers": "jsonb", "reason": "text", "initiator": "text", "start_at": "timestamptz",
    "deadline": "timestamptz", "identity_ttl_seconds": "seconds", "identity_scope": "text", "debounce_seconds": "integer",
    "debounce_longest_seconds": "integer", "throttle_limit": "integer", "throttle_seconds": "integer", "throttle_key": "text",
}
_BY_KEY = {
    "namespace": "text", "task_name": "text", "identity_key": "text", "name": "text", "payload": "jsonb", "idempotency_key": "text",
    "start": "boolean", "context": "jsonb", "version": "text",
}
_EVENT = {"namespace": "text", "name": "text", "key": "text", "payload": "jsonb", "idempotency_key": "text"}  # fmt: skip
_SCHEDULE = {
    "namespace": "text", "schedule": "text", "task_name": "text", "cron": "text", "every_seconds": "integer", "timezone": "text",
    "task_version": "text", "context": "jsonb", "overlap": "text",
}  # fmt: skip


def judged(error: psycopg.Error) -> ApiError | Unavailable:
    """Converts an error of the database by the table of docs/http-workers.md."""
    code = error.sqlstate
    diag = error.diag
    text = diag.message_primary or str(error).strip() or type(error).__name__
    if code is None or _PASSING.match(code):
        if code is None and isinstance(error, (psycopg.DataError, psycopg.ProgrammingError, psycopg.NotSupportedError)):
            return ApiError(422, "22000", text)  # The driver cannot send it.
        return Unavailable(f"{code}: {text}" if code else text, 503 if code else 0)
    detail = f"{text}: {diag.message_detail}" if diag.message_detail else text
    if code.startswith("TK"):
        return ApiError(int(code[2:]), code, detail, diag.message_hint or "")
    status = 422 if _JUDGED.match(code) else 403 if code == "42501" else 507
    return ApiError(status, code, detail, diag.message_hint or "")


_Any = Union[psycopg.Connection[TupleRow], psycopg.AsyncConnection[TupleRow]]


class _Bounds:
    """Ends calls that take too long: a server that has vanished never answers, and the driver waits forever. The
    connection of such a call is given up. A thread watches the calls, from the first call on."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: dict[int, tuple[float, _Any]] = {}
        self._late: set[int] = set()
        self._next = float("inf")  # when the thread looks again
        self._thread: threading.Thread | None = None

    def begin(self, c: _Any, within: float) -> None:
        until = time.monotonic() + within
        with self._changed:
            self._calls[id(c)] = (until, c)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="pgtasker-bounds", daemon=True)
                self._thread.start()
            elif until < self._next:
                self._changed.notify()

    def end(self, c: _Any) -> bool:
        """Whether the call was ended because it took too long."""
        with self._changed:
            self._calls.pop(id(c), None)
            late = id(c) in self._late
            self._late.discard(id(c))
            return late

    def sever(self, c: psycopg.Connection[TupleRow] | None) -> None:
        """Ends the running call of a connection, if there is one."""
        with self._changed:
            if c is not None and id(c) in self._calls:
                shut(c)

    def _look(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for key, (until, c) in list(self._calls.items()):
                    if until <= now:
                        del self._calls[key]
                        self._late.add(key)
                        shut(c)
                self._next = min((until for until, _ in self._calls.values()), default=float("inf"))
                self._changed.wait(min(self._next - now, _WITHIN))


def shut(c: _Any) -> None:
    """Shuts a connection's socket down: its readers end with an error."""
    try:
        with socket.socket(fileno=os.dup(c.fileno())) as s:
            s.shutdown(socket.SHUT_RDWR)
    except (OSError, psycopg.Error):
        pass  # It is closed already.


class Postgres(Client):
    """A database and how to connect to it. It has the methods of Client, and a worker takes it in place of a client.
    Any thread may use it. pooled says that the connection goes through a pooler in transaction mode: then no statement
    is prepared, and idle workers poll."""

    def __init__(self, conninfo: str = "", *, pooled: bool = False, connect: Callable[[], psycopg.Connection[TupleRow]] | None = None) -> None:
        self.conninfo = conninfo
        self.pooled = pooled
        self._connect = connect
        self._free: list[psycopg.Connection[TupleRow]] = []
        self._free_tx: list[psycopg.Connection[TupleRow]] = []
        self._free_atx: list[psycopg.AsyncConnection[TupleRow]] = []
        self._lock = threading.Lock()
        self._bounds = _Bounds()
        self._call = threading.local()  # until: when the calls of this thread are given up
        self._ear: Ear | None = None

    def open(self) -> psycopg.Connection[TupleRow]:
        """A separate connection, in autocommit mode. Raises Unavailable."""
        try:
            if self._connect is not None:
                c = self._connect()
                c.autocommit = True
            else:
                within = max(1, min(10, int(self._left())))
                c = psycopg.connect(self.parameters(within), autocommit=True, prepare_threshold=None if self.pooled else 5)
        except psycopg.Error as error:
            self.close()  # If the login has no place left, what is idle gives its own up.
            raise Unavailable(f"no connection: {str(error).strip()}") from error
        return c

    def parameters(self, within: int = 10) -> str:
        """The connection string, with the settings that detect a dead server."""
        given = _conninfo.conninfo_to_dict(self.conninfo)
        defaults = {"connect_timeout": str(within), "keepalives_idle": "15", "tcp_user_timeout": "30000", "application_name": "pgtasker"}
        return _conninfo.make_conninfo(**{**defaults, **given})

    def close(self) -> None:
        with self._lock:
            idle, self._free, self._free_tx = self._free + self._free_tx, [], []
        for c in idle:
            c.close()

    def execute(self, sql: str, arguments: Any = ()) -> list[Any]:
        """Runs a statement in a separate transaction, over a kept connection. If the login has reached its connection
        limit, it uses the connection over which a worker waits for steps. Raises ApiError or Unavailable."""
        with self._lock:
            c = self._free.pop() if self._free else None
        try:
            c = c or self.open_for_calls()
        except Unavailable as error:
            # The server has refused the connection, and the driver does not report the code.
            if self._ear is None or "FATAL" not in str(error) or not self._ear.connected:
                raise
            return self._ear.lend(sql, arguments)
        try:
            rows = self.run(c, sql, arguments)
        except Unavailable:
            if c.closed or c.broken:
                self.close()  # The idle connections may be dead in the same way.
            raise
        finally:
            if not c.closed and not c.broken:
                with self._lock:
                    self._free.append(c)
        return rows

    def open_for_calls(self) -> psycopg.Connection[TupleRow]:
        c = self.open()
        if not self.pooled:
            self.run(c, f"select set_config('statement_timeout', '{_WITHIN * 1000}', false), set_config('default_transaction_isolation', 'read committed', false)")
        return c

    def run(self, c: psycopg.Connection[TupleRow], sql: str, arguments: Any = (), within: float | None = None) -> list[Any]:
        """Runs a statement, and gives the connection up if the statement takes too long. Raises ApiError or
        Unavailable."""
        within = self._left() if within is None else within
        late = False
        self._bounds.begin(c, within)
        try:
            return run(c, sql, arguments)
        except Unavailable as error:
            late = self._bounds.end(c)
            if late:
                c.close()
                raise Unavailable(f"PostgreSQL has not answered in {within:.0f} s") from error
            raise
        finally:
            self._bounds.end(c)

    def _left(self) -> float:
        """The time that a call of this thread has left."""
        until: float | None = getattr(self._call, "until", None)
        return _WITHIN if until is None else max(0.05, until - time.monotonic())

    def one(self, sql: str, arguments: Any = ()) -> Any:
        """The JSON value of the first row, or None."""
        rows = self.execute(sql, arguments)
        return decode(rows[0][0].encode()) if rows and rows[0][0] is not None else None

    def items(self, sql: str, arguments: Any = ()) -> list[Any]:
        return [decode(row[0].encode()) for row in self.execute(sql, arguments)]

    # The calls of a worker.

    def connection(self) -> Any:
        self._ear = Ear(self)
        return self._ear

    def hearing(self) -> Any:
        return Cancellations(self)

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        before: float | None = getattr(self._call, "until", None)
        self._call.until = time.monotonic() + timeout
        try:
            return self._send(method, path, data)
        finally:
            self._call.until = before

    def _send(self, method: str, path: str, data: bytes | None) -> Any:
        path, _, query = path.partition("?")
        if path == "/v1/exchange" and data is not None:
            return self.one("select tasker.exchange(%s::jsonb)::text", (data.decode(),))
        body: Any = None if data is None else json.loads(data) if len(data) < 1000 else decode(data)
        given = {key: values for key, values in parse_qs(query).items()}
        for verb, pattern, answer in _ROUTES:
            found = re.fullmatch(pattern, path)
            if found is not None and verb == method:
                return answer(self, {key: unquote(value) for key, value in found.groupdict().items()}, given if body is None else body)
        raise ApiError(404, "TK404", f"there is no {method} {path} over PostgreSQL", "Call the function of the database.")

    def warm(self, exchanges: int, namespaces: list[str] | None, stopping: Callable[[], bool]) -> None:
        """Makes the plans on the connection that waits for steps and on the connections of exchanges, so that the first
        steps do not wait for plans. Errors are left to the first exchanges."""
        ear = self._ear
        warming = [threading.Thread(target=self._warm_one, name="pgtasker-warm", daemon=True) for _ in range(exchanges)]
        if ear is not None:
            warming.append(threading.Thread(target=ear.warm, args=(namespaces,), name="pgtasker-warm", daemon=True))
        for thread in warming:
            thread.start()
        until = time.monotonic() + _WARM_WITHIN
        for thread in warming:
            while thread.is_alive() and not stopping() and (left := until - time.monotonic()) > 0:
                thread.join(min(left, 0.05))

    def _warm_one(self) -> None:
        self._call.until = time.monotonic() + _WARM_WITHIN
        try:
            c = self.open_for_calls()
        except Unavailable:
            return
        try:
            self.run(c, "select tasker.warm_session()")
        except (ApiError, Unavailable):
            c.close()
            return
        with self._lock:
            self._free.append(c)

    def duties(self) -> None:
        """Does the due periodic duties. One session at a time does each duty."""
        while self.execute("select 1 from tasker.do_duties()"):
            pass

    def begin(self) -> psycopg.Connection[TupleRow]:
        """A connection in whose transaction a handler writes."""
        with self._lock:
            c = self._free_tx.pop() if self._free_tx else None
        if c is None or c.closed:
            c = self.open()
        c.autocommit = False
        c.isolation_level = psycopg.IsolationLevel.READ_COMMITTED  # whatever the login's default is
        return c

    def complete(self, c: psycopg.Connection[TupleRow], step: str, claim_no: int, result: bytes) -> None:
        """Records a result in a handler's transaction, and commits it. Raises ApiError or Unavailable."""
        self.run(c, "select tasker.complete_step(%s, %s, %s::jsonb)", (step, claim_no, result.decode()))
        self.run(c, "commit")
        self.give_back(c)

    async def begin_async(self) -> psycopg.AsyncConnection[TupleRow]:
        """The same for an async handler."""
        with self._lock:
            idle = self._free_atx.pop() if self._free_atx else None
        if idle is not None and not idle.closed:
            return idle
        try:
            c = await psycopg.AsyncConnection.connect(self.parameters(), prepare_threshold=None if self.pooled else 5)
            await c.set_isolation_level(psycopg.IsolationLevel.READ_COMMITTED)
            return c
        except psycopg.Error as error:
            raise Unavailable(f"no connection: {str(error).strip()}") from error

    async def complete_async(self, c: psycopg.AsyncConnection[TupleRow], step: str, claim_no: int, result: bytes) -> None:
        try:
            self._bounds.begin(c, _WITHIN)
            await c.execute("select tasker.complete_step(%s, %s, %s::jsonb)", (step, claim_no, result.decode()))
            await c.commit()
        except psycopg.Error as error:
            raise judged(error) from error
        finally:
            self._bounds.end(c)
        with self._lock:
            self._free_atx.append(c)

    async def give_back_async(self, c: psycopg.AsyncConnection[TupleRow]) -> None:
        try:
            self._bounds.begin(c, _WITHIN)
            await c.rollback()
        except psycopg.Error:
            await c.close()
            return
        finally:
            self._bounds.end(c)
        with self._lock:
            self._free_atx.append(c)

    async def close_async(self) -> None:
        """Closes the connections of async handlers, whose event loop ends."""
        with self._lock:
            idle, self._free_atx = self._free_atx, []
        for c in idle:
            await c.close()

    def give_back(self, c: psycopg.Connection[TupleRow]) -> None:
        """Ends a handler's transaction."""
        try:
            self._bounds.begin(c, _WITHIN)
            c.rollback()
            c.autocommit = True
        except psycopg.Error:
            c.close()
            return
        finally:
            self._bounds.end(c)
        with self._lock:
            self._free_tx.append(c)

    def wait_for_task(self, task_uuid: str, seconds: int = 30) -> dict[str, Any]:
        return self._blocked(self._wait(task_uuid, {"timeout_seconds": [str(seconds)], "or_blocked": ["true"]}))

    def _wait(self, task_uuid: str, given: dict[str, list[str]]) -> dict[str, Any]:
        until = time.monotonic() + float(given.get("timeout_seconds", ["30"])[0])
        pause = _FIRST_LOOK
        while True:
            task: dict[str, Any] = self.get_task(task_uuid)
            blocked = task["blocked"] and given.get("or_blocked") == ["true"]
            if task["complete"] or blocked or time.monotonic() >= until:
                return task
            time.sleep(max(0.0, min(pause, until - time.monotonic())))
            pause = min(pause * 1.5, _LAST_LOOK)


def run(c: psycopg.Connection[TupleRow], sql: str, arguments: Any = ()) -> list[Any]:
    """Runs a statement. Raises ApiError or Unavailable."""
    try:
        cursor = c.execute(sql.encode(), arguments or None)
        return cursor.fetchall() if cursor.description is not None else []
    except psycopg.Error as error:
        raise judged(error) from error
    except UnicodeEncodeError as error:
        raise ApiError(422, "22P05", str(error)) from error


class Ear:
    """The connection over which a worker waits for steps: it listens, and sleeps until a notification comes (docs/wakeups.md)."""

    def __init__(self, owner: Postgres) -> None:
        self._owner = owner
        self._c: psycopg.Connection[TupleRow] | None = None
        self._listens: list[str] = []
        self._deaf = owner.pooled
        self._sleep: Any = None
        self._stop, self._stopper = os.pipe()
        self._aborted = False
        self._stirred = False
        self._calling = threading.RLock()  # held by the thread whose call is under way
        os.set_blocking(self._stop, False)
        os.set_blocking(self._stopper, False)

    @property
    def connected(self) -> bool:
        c = self._c
        return c is not None and not c.closed

    def lend(self, sql: str, arguments: Any) -> list[Any]:
        """Runs a statement of another thread. A notification that comes meanwhile is not seen, so the next call looks
        for steps."""
        try:
            with self._calling:
                c = self._c
                if c is None or c.closed:
                    raise Unavailable("the connection that waits for steps was lost")
                return self._owner.run(c, sql, arguments)
        finally:
            self.stir()

    def send(self, method: str, path: str, data: bytes, timeout: float) -> Any:
        body = decode(data)
        until = time.monotonic() + body.pop("wait_seconds", 0)
        try:
            while True:
                with self._calling:
                    answer = self._exchange(body)
                if "sleep" not in answer:
                    self._sleep = None
                    return answer
                left = until - time.monotonic()
                if self._aborted or left <= 0:
                    return _NOTHING
                self._wait(min(left, answer["sleep"]["ms"] / 1000))
                if self._aborted:
                    return _NOTHING
        except (ApiError, Unavailable):
            self.close()
            raise
        finally:
            self._aborted = False
            try:
                os.read(self._stop, 100)
            except BlockingIOError:
                pass

    def _exchange(self, body: dict[str, Any]) -> Any:
        c = self._connected(body["namespaces"])
        if self._deaf:
            answer = self._asked(c, "exchange", body)
            return answer if answer["claimed"] else {**answer, "sleep": {"ms": 1000}}
        if self._sleep is not None:
            body = {**body, "sleep": {**self._sleep, "woken": self._woken()}}
        answer = self._asked(c, "exchange_or_sleep", body)
        self._sleep = answer.get("sleep")
        return answer

    def _asked(self, c: psycopg.Connection[TupleRow], function: str, body: dict[str, Any]) -> Any:
        text = encode(body).decode()
        return decode(self._owner.run(c, f"select tasker.{function}(%s::jsonb)::text", (text,), _EXCHANGE_WITHIN)[0][0].encode())

    def _connected(self, namespaces: list[str] | None) -> psycopg.Connection[TupleRow]:
        if self._c is None or self._c.closed:
            self._sleep = None
            self._c = self._owner.open_for_calls()
            if not self._deaf:
                names = namespaces or [row[0] for row in self._owner.run(self._c, "select name from tasker.list_namespaces()")]
                for name in names:
                    self._owner.run(self._c, f'listen "tasker_steps_ready.{name}"')
                # Behind a pooler in transaction mode another session answers, and the pooler would swallow
                # notifications.
                self._deaf = self._owner.run(self._c, "select pg_backend_pid()")[0][0] != self._c.info.backend_pid
        return self._c

    def warm(self, namespaces: list[str] | None) -> None:
        with self._calling:
            try:
                self._owner.run(self._connected(namespaces), "select tasker.warm_session()", within=_WARM_WITHIN)
            except (ApiError, Unavailable):
                self.close()

    def _woken(self) -> bool:
        c = self._c
        assert c is not None
        woken, self._stirred = self._stirred, False
        try:
            c.pgconn.consume_input()
            while c.pgconn.notifies() is not None:
                woken = True
        except psycopg.Error:
            woken = True  # The next call finds that the connection is gone.
        return woken

    def _wait(self, seconds: float) -> None:
        c = self._c
        if seconds <= 0 or c is None:
            return
        try:
            ready = select.select([c.fileno(), self._stop], [], [], seconds)[0]
        except (psycopg.Error, ValueError):
            return  # A call that it has lent the connection to has closed it.
        if self._stop in ready:
            os.read(self._stop, 100)

    def abort(self) -> None:
        """Ends a wait, in another thread."""
        self._aborted = True
        try:
            os.write(self._stopper, b"x")
        except OSError:
            pass

    def cut(self) -> None:
        """Ends a wait and the call that is under way, in another thread."""
        self.abort()
        self._owner._bounds.sever(self._c)

    def stir(self) -> None:
        """An exchange over another connection has ended. No notification comes for the steps that its results made due: the next call looks for them."""
        self._stirred = True
        try:
            os.write(self._stopper, b"x")
        except OSError:
            pass

    def close(self) -> None:
        if self._c is not None:
            self._c.close()
            self._c = None


class Cancellations:
    """The connection over which a worker learns at once that its steps are cancelled. A renewal waits on it, as a
    renewal over HTTP does."""

    def __init__(self, owner: Postgres) -> None:
        self._owner = owner
        self._c: psycopg.Connection[TupleRow] | None = None
        self._stop, self._stopper = os.pipe()
        os.set_blocking(self._stop, False)

    def send(self, method: str, path: str, data: bytes, timeout: float) -> Any:
        body = decode(data)
        until = time.monotonic() + body.pop("wait_seconds", 0)
        workers = [body.pop("worker_uuid"), *body.pop("other_worker_uuids", [])]
        try:
            if not self._owner.pooled and (self._c is None or self._c.closed):
                self._c = self._owner.open_for_calls()
                self._owner.run(self._c, "listen tasker_cancelled")
            page = self._owner.send(method, path, encode(body), timeout)
            if any(item["answer"] not in ("extended", "busy") for item in page["items"]):
                return page
            self._wait(workers, until)
        except (ApiError, Unavailable):
            self.close()
            raise
        return self._owner.send(method, path, encode(body), timeout)

    def _wait(self, workers: list[str], until: float) -> None:
        sources: list[Any] = [self._stop] if self._c is None else [self._stop, self._c.fileno()]
        while (left := until - time.monotonic()) > 0:
            ready = select.select(sources, [], [], left)[0]
            if self._stop in ready:
                os.read(self._stop, 100)
                self.close()  # After an outage it may be dead.
                return
            c = self._c
            if c is None:
                continue
            try:
                c.pgconn.consume_input()
                heard = []
                while (n := c.pgconn.notifies()) is not None:
                    heard.append(n.extra.decode())
            except psycopg.Error as error:
                raise judged(error) from error
            if not set(workers).isdisjoint(heard):
                return

    def cut(self) -> None:
        """Ends a wait, in another thread."""
        try:
            os.write(self._stopper, b"x")
        except OSError:
            pass

    def close(self) -> None:
        if self._c is not None:
            self._c.close()
            self._c = None


_Route = Callable[[Postgres, "dict[str, str]", Any], Any]


def _row(sql: str, *names: str) -> _Route:
    """Answers with the row of a function. names are fields of the path or of the body. A name that ends with a colon is
    a jsonb field."""

    def answer(p: Postgres, at: dict[str, str], body: Any) -> Any:
        return p.one(f"select to_jsonb(r)::text from tasker.{sql} as r", _arguments(names, at, body))

    return answer


def _arguments(names: tuple[str, ...], at: dict[str, str], body: Any) -> tuple[Any, ...]:
    return tuple(
        at[n] if n in at else _jsonb(body, n[:-1]) if n.endswith(":") else body.get(n) for n in names
    )


def _jsonb(body: Any, name: str) -> str | None:
    return encode(body[name]).decode() if name in body else None


def _answer(sql: str, *names: str) -> _Route:
    def answer(p: Postgres, at: dict[str, str], body: Any) -> Any:
        return {"answer": p.execute(f"select tasker.{sql}", _arguments(names, at, body))[0][0]}

    return answer


def _changed(sql: str, *names: str) -> _Route:
    answer = _answer(sql, *names)
    return lambda p, at, body: {"changed": answer(p, at, body)["answer"]}


def _page(sql: str, key: str, *names: str) -> _Route:
    """A page of rows after the last one's key."""

    def answer(p: Postgres, at: dict[str, str], query: Any) -> Any:
        cursor = (query.get("cursor") or ["0"])[0] or "0"
        items = p.items(f"select to_jsonb(r)::text from tasker.{sql} as r", (*_arguments(names, at, query), int(cursor)))
        return {"items": items, "next_cursor": str(items[-1][key]) if len(items) == 100 else None}

    return answer


def _named(function: str, types: dict[str, str]) -> _Route:
    def answer(p: Postgres, at: dict[str, str], body: Any) -> Any:
        given = {**body, **at}
        unknown = [k for k in given if k not in types]
        if unknown:
            raise ApiError(422, "TK422", f"there is no field {unknown[0]}", "There are: " + ", ".join(types) + ".")
        call = ", ".join(
            f"p_{k[:-8]} => make_interval(secs => %({k})s)" if types[k] == "seconds" else f"p_{k} => %({k})s::{types[k]}" for k in given
        )
        values = {k: encode(v).decode() if types[k] == "jsonb" and v is not None else v for k, v in given.items()}
        return p.one(f"select to_jsonb(r)::text from tasker.{function}({call}) as r", values)

    return answer


def _claims(sql: str) -> _Route:
    def answer(p: Postgres, at: dict[str, str], body: Any) -> Any:
        steps, claims = [c["step_uuid"] for c in body["claims"]], [c["claim_no"] for c in body["claims"]]
        return {"items": p.items(f"select to_jsonb(r)::text from tasker.{sql} as r", (steps, claims, *([body["lease_seconds"]] if "lease_seconds" in body else [])))}

    return answer


def _registered(p: Postgres, at: dict[str, str], body: Any) -> Any:
    return {**body, **p.one("select tasker.attend(%s::jsonb)::text", (encode(body).decode(),))}


def _result(p: Postgres, at: dict[str, str], query: Any) -> Any:
    return p.one("select tasker.get_task_result(%s, %s)::text", (at["task"], query.get("step")))


_ROUTES: list[tuple[str, str, _Route]] = [
    ("POST", "/v1/workers", _registered),
    ("POST", "/v1/leases", _claims("extend_leases(%s::uuid[], %s::integer[], %s)")),
    ("POST", "/v1/releases", _claims("release_steps(%s::uuid[], %s::integer[])")),
    ("POST", _STEP + "/checkpoint", _answer("checkpoint_step(%s, %s, %s::jsonb, %s)", "step", "claim_no", "checkpoint:", "lease_seconds")),
    ("POST", _STEP + "/streams/(?P<stream>[^/]+)", _row("append_items(%s, %s, %s, %s::jsonb, %s)", "step", "claim_no", "stream", "items:", "batch_no")),
    ("POST", _STEP + "/values/(?P<name>[^/]+)", _row("set_value(%s, %s, %s, %s::jsonb)", "step", "claim_no", "name", "value:")),
    ("POST", _STEP + "/kept", _row("keep_step_result(%s, %s, %s, %s, %s, %s::jsonb, %s)", "step", "claim_no", "position", "name", "occurrence", "value:", "error")),
    ("POST", _STEP + "/suspend", _row("suspend_step(%s, %s, %s, %s, %s, %s::jsonb)", "step", "claim_no", "position", "name", "occurrence", "wait:")),
    ("POST", _STEP + "/diverge", _row("diverge_step(%s, %s, %s, %s)", "step", "claim_no", "position", "name")),
    ("POST", _STEP + "/snooze", _row("snooze_step(%s, %s, %s, %s)", "step", "claim_no", "seconds", "reason")),
    ("POST", _STEP + "/continue", _row("continue_step(%s, %s, %s::jsonb, %s)", "step", "claim_no", "state:", "round")),
    ("GET", _STEP + "/parent-results", _page("get_parent_results(%s, p_after_step_no => %s)", "step_no", "step")),
    ("GET", _STEP + "/kept", _page("get_kept_results(%s, p_after => %s)", "position", "step")),
    ("GET", _STEP + "/ancestor-results", lambda p, at, q: {"items": p.items("select to_jsonb(r)::text from tasker.get_ancestor_result(%s, %s) as r", (at["step"], q["name"][0]))}),
    ("POST", "/v1/tasks", _named("create_task", _CREATE)),
    ("GET", "/v1/tasks/(?P<task>[^/]+)", _row("get_task(%s)", "task")),
    ("GET", "/v1/tasks/(?P<task>[^/]+)/wait", lambda p, at, q: p._wait(at["task"], q)),
    ("GET", "/v1/tasks/(?P<task>[^/]+)/result", _result),
    ("GET", "/v1/tasks/(?P<task>[^/]+)/workflow_steps", _page("list_steps(%s, %s, 100)", "step_no", "task")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/signals", _row("send_signal(%s, %s, %s::jsonb, %s)", "task", "name", "payload:", "idempotency_key")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/cancel", _changed("cancel_task(%s, %s)", "task", "reason")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/pause", _changed("pause_task(%s, %s)", "task", "reason")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/resume", _changed("resume_task(%s, %s)", "task", "reason")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/change", _changed(CHANGE, "task", "priority", "start_at", "deadline", "context:", "reason")),
    ("POST", "/v1/tasks/(?P<task>[^/]+)/erase", lambda p, at, body: p.one(ERASE_TASK, (at["task"], body.get("reason"), body.get("children"), body.get("actor")))),
    ("POST", "/v1/tasks/erase", lambda p, at, body: p.one(ERASE_TASKS, tuple(body.get(field) for field in FIELDS))),
    ("POST", "/v1/signals", _named("send_signal_by_key", _BY_KEY)),
    ("POST", "/v1/events", _named("emit_event", _EVENT)),
    ("GET", "/v1/templates/(?P<namespace>[^/]+)/(?P<name>[^/]+)", lambda p, at, q: p.one("select to_jsonb(t)::text from tasker.get_task_template(%s, %s, %s) as t", (at["namespace"], at["name"], q.get("version", [None])[0]))),
    ("POST", "/v1/templates", lambda p, at, body: p.one("select to_jsonb(r)::text from tasker.register_task_template(%s::jsonb) as r", (encode(body).decode(),))),
    ("PUT", "/v1/schedules/(?P<namespace>[^/]+)/(?P<schedule>[^/]+)", _named("set_schedule", _SCHEDULE)),
]  # fmt: skip
