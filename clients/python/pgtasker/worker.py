"""A worker: claims steps, runs their handlers in threads, records their outcomes."""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import logging
import os
import queue
import signal
import socket
import threading
import time
import traceback
import uuid
import typing
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Awaitable, Callable, Mapping, Sequence, TypeVar

from .client import Client
from .durable import Continued, KeptError, Suspended, parsed, stored, text_of
from .errors import ApiError, Cancelled, Ended, Lost, Permanent, Retry, Snooze, Unauthorized, Unavailable, Undelivered, awaits_a_person, concerns_some
from .fit import Misfit, misfit_in
from .http import Connection
from .job import Job
from .jsontext import encode
from .source import Abandoned, Source

if typing.TYPE_CHECKING:
    from .workflow import Returning

In = TypeVar("In")
_Claim = tuple[str, int]
_NOTHING: dict[str, Any] = {"answers": [], "claimed": []}

# The most results of a request, and the most steps that it claims.
_BATCH = 1000
_BATCH_BYTES = 2 << 20
# The body of a request has 4 MiB at most.
_LARGEST = (4 << 20) - (64 << 10)
# A worker that owes more bytes claims no steps.
_MOST_OWED = 64 << 20
_TRACEBACK = 60_000
# The worker claims steps ahead for _QUICK seconds of work, at most _MOST_AHEAD steps.
_QUICK = 0.05
_MOST_AHEAD = 400
# How long a claimed step waits for a handler before it is handed back.
_PATIENCE = 1.0
# How many exchanges are under way at the same time. How long a result waits for other results meanwhile, and how many
# steps in one exchange count as many.
_EXCHANGES = 2
_GATHER = 0.002
_MANY = 16
_DUTIES = 15.0
_DAY = 86400.0
_HEARTBEAT = 30.0
# The least time between two renewals that wait for cancellations, and after a failed renewal.
_HEAR_EVERY = 0.25
_HEAR_AGAIN = 2.0
_RESEND_BUSY = 0.1
_LONGEST_REFUSAL = 30.0
_SAID_SELDOM = 600.0
# How often a result that makes the server fail is sent.
_MOST_TRIES = 20
# How long a stopping worker tries to deliver its owed results.
_DELIVER_WITHIN = 10.0


@dataclass
class _Handler:
    run: Callable[[Any], Any]
    to: Any
    on_loop: bool = False  # an async step of a workflow: it runs in the worker's one loop
    permanent: tuple[type[BaseException], ...] = ()
    retry_after: Mapping[type[BaseException], Any] = field(default_factory=dict)


@dataclass
class _Ahead:
    """A step that was claimed before a handler is free for it."""

    step: dict[str, Any]
    began: float  # when it was claimed
    renewed: float
    slot: _Slot


@dataclass(eq=False)
class _Slot:
    """One of the exchanges that may be under way at the same time. The database treats each of them as a separate
    worker, since it returns the steps of a worker's newest claim again if the answer was lost."""

    uuid: str = field(default_factory=lambda: str(uuid.uuid4()))
    claim: str = field(default_factory=lambda: str(uuid.uuid4()))  # the same until the claim is answered
    again: int = 0  # the places of a claim that got no answer: it is repeated with them
    told: bool = False  # whether the database knows of its steps that wait for a handler
    busy: bool = False


class _Threads:
    """Kept threads. They end with the process, even if their handlers still run."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle = 0
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    def submit(self, call: Callable[[], None]) -> None:
        with self._lock:
            if self._idle > 0:
                self._idle -= 1
                self._work.put(call)
                return
        threading.Thread(target=self._run, args=(call,), name=self._name, daemon=True).start()

    def _run(self, call: Callable[[], None] | None) -> None:
        while call is not None:
            call()
            with self._lock:
                self._idle += 1
            call = self._work.get()

    def close(self) -> None:
        with self._lock:
            for _ in range(self._idle):
                self._work.put(None)
            self._idle = 0


@dataclass
class _Running:
    job: Job[Any]
    renewed: float
    deadline: float | None
    reported: bool = False  # its time was over, which is recorded already, or the step is another's


@dataclass(eq=False)
class _Outcome:
    """The outcome of a step. The worker owes it until the database has judged it."""

    claim: _Claim
    step: str  # for people
    body: bytes
    error: str | None
    renewed: float = 0.0  # when its lease was
    at: float = 0.0  # when it is sent
    tries: int = 0
    replaced: bool = False  # by a failure that says that the outcome was refused
    # A call that carried the outcome got no answer. Until the outcome is judged, the worker claims only in the call
    # that carries it.
    late: bool = False


class Worker:
    """Runs handlers. run returns when the worker has stopped. Any thread or signal handler may call stop. Handlers then
    have at most stop_timeout seconds to finish, and unfinished steps are handed back.

    client is a Client, or a Postgres to work without a server. workflows are the values that returns() of each workflow
    returned. The worker registers their templates if register is true, and runs their steps. version is the version of
    the program, such as the tag of its image: incidents compare deployments by it. on_error gets each error that is not
    a Permanent, and the job."""

    def __init__(
        self,
        client: Client,
        workflows: Sequence[Returning[Any, Any]] = (),
        *,
        register: bool = True,
        on_error: Callable[[BaseException, Job[Any]], None] | None = None,
        namespaces: list[str] | None = None,
        concurrency: int = 10,
        lease: int = 60,
        stop_timeout: float = 30.0,
        poll: int = 30,
        exchanges: int | None = None,
        name: str | None = None,
        version: str | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        if concurrency < 1 or lease < 1 or poll < 1:
            raise ValueError("concurrency, lease and poll are at least 1")
        if exchanges is not None and not 1 <= exchanges <= concurrency:
            raise ValueError("exchanges is at least 1, and at most concurrency")
        self._client = client
        self._workflows = workflows
        self._register_workflows = register
        self._on_error = on_error
        if namespaces is None and workflows:
            namespaces = sorted({w.flow.namespace for w in workflows})
        self._namespaces = namespaces
        self._concurrency = concurrency
        self._lease = lease
        self._within = max(1.0, min(10.0, lease / 8))  # how long a renewal may take
        self._exchange_within = max(5.0, min(10.0, lease / 2))  # no longer than a worker that stops delivers
        self._stop_timeout = stop_timeout
        self._poll_seconds = poll
        self._name = name or f"{socket.gethostname()}/{os.getpid()}"
        self._version = version
        self._log = logger or logging.getLogger("pgtasker")
        self._slots = [_Slot() for _ in range(exchanges or min(_EXCHANGES, concurrency))]
        self._source = Source(client, lease, self._log)
        self._handlers: dict[str, _Handler] = {}
        self._threads = _Threads("pgtasker-handler")
        self._calls = _Threads("pgtasker-exchange")
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self._direct = hasattr(client, "begin")
        self._ahead: dict[_Claim, _Ahead] = {}
        self._warned = -_DAY
        self._quick = 0.0  # seconds that a handler takes, on average
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        for workflow in workflows:
            self._add(workflow.flow)

        lock = threading.RLock()
        self._changed = threading.Condition(lock)  # for the loop
        self._aside = threading.Condition(lock)  # for the threads beside it
        # A flag, not an Event: a second signal that interrupts Event.set would wait for its lock forever.
        self._stopping = False
        self._end: float | None = None  # when a worker that stops delivers no more
        self._owed: list[_Outcome] = []
        self._releases: list[_Claim] = []
        self._running: dict[_Claim, _Running] = {}
        self._active = 0  # handlers that have a place
        self._reserved = 0  # places that an exchange is to fill
        self._polling = False
        self._poll_connection: Connection = client.connection()
        self._poll_cut = False
        self._hear_connection: Connection = client.hearing() if self._direct else client.connection()  # type: ignore[attr-defined]
        self._source.weather.returned = self._cut_poll
        self._sending: dict[_Outcome, _Slot] = {}  # outcomes that are under way: none of them is in _owed
        self._releasing = False
        self._more = False  # whether the newest claim found as many steps as it asked for
        self._many = False  # whether many steps come
        self._gather_till = 0.0  # when outcomes wait for others no longer; 0: none waits
        self._refused_until = 0.0
        self._refusal = 0.0
        self._refusals: tuple[str, float] = ("", 0.0)  # what the log has said of them
        self._fatal: BaseException | None = None
        self._handed_back = False
        self._done = False

    def handler(self, name: str, to: type[In]) -> Callable[[Callable[[Job[In]], Any]], Callable[[Job[In]], Any]]:
        """Registers a handler, which gets the task's context as to: a dataclass, a TypedDict, dict or object. An async
        handler runs in its own event loop, in its own thread, and is cancelled when it should stop."""

        def register(run: Callable[[Job[In]], Any]) -> Callable[[Job[In]], Any]:
            if name in self._handlers:
                raise ValueError(f"there are two handlers {name!r}")
            self._handlers[name] = _Handler(run, to)
            return run

        return register

    def _add(self, flow: Any) -> None:
        for name, step in flow.handlers():
            if name in self._handlers:
                raise ValueError(f"there are two handlers {name!r}")
            self._handlers[name] = _Handler(step.run, flow.input, step.on_loop, step.permanent, step.retry_after)

    def stop(self) -> None:
        """Stops the worker."""
        self._stopping = True

    def __enter__(self) -> Worker:
        """Runs the worker in a thread, and returns when its workflows are registered. Leaving the block stops it."""
        self._thread = threading.Thread(target=self._run_aside, name="pgtasker-worker", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fatal is not None and not self._thread.is_alive():
            raise self._fatal
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        if self._fatal is not None:
            raise self._fatal

    async def __aenter__(self) -> Worker:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.__exit__)

    def _run_aside(self) -> None:
        try:
            self.run()
        except BaseException as error:
            self._fatal = error
        finally:
            self._ready.set()

    def _prepare(self) -> None:
        """Registers the workflows, as soon as the server answers."""
        pause = 0.05
        for workflow in self._workflows if self._register_workflows else ():
            while not self._stopping:
                try:
                    workflow.register(self._client)
                    break
                except Unavailable as error:
                    self._source.weather.failed("registering a workflow", error)
                except ApiError as error:
                    if error.status != 403:
                        raise
                    self._log.warning("workflow %s is not registered by this worker: %s", workflow.flow.prefix, error)
                    break
                time.sleep(pause)
                pause = min(2 * pause, 2.0)

    def run_until_signalled(self) -> None:
        """Calls run, and stops at SIGINT or SIGTERM. Call it in the main thread."""
        before = {s: signal.signal(s, lambda *_: self.stop()) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.run()
        finally:
            for which, handler in before.items():
                signal.signal(which, handler)

    def run(self) -> None:
        """Works until stop, and returns when all results are recorded. Raises Unauthorized if the token has never been
        valid, and Undelivered if results could not be recorded within stop_timeout and 10 seconds."""
        if not self._handlers:
            raise ValueError("the worker has no handler")
        self._log.info("worker %s starts with %d handlers", self._name, len(self._handlers))
        self._prepare()
        warm = getattr(self._client, "warm", None)
        if warm is not None and not self._stopping:
            warm(len(self._slots), self._namespaces, lambda: self._stopping)
        attendant = threading.Thread(target=self._attend, name="pgtasker-leases", daemon=True)
        attendant.start()
        if self._direct:
            threading.Thread(target=self._duties, name="pgtasker-duties", daemon=True).start()
        threading.Thread(target=self._hear, name="pgtasker-cancellations", daemon=True).start()
        if any(handler.on_loop for handler in self._handlers.values()):
            self._event_loop = asyncio.new_event_loop()
            self._loop_thread = threading.Thread(target=self._event_loop.run_forever, name="pgtasker-loop", daemon=True)
            self._loop_thread.start()
        self._ready.set()
        try:
            self._loop()
        finally:
            with self._changed:
                self._done = True
                self._aside.notify_all()
            self._source.abandoned.set()
            self._hear_connection.cut()
            attendant.join(timeout=1)  # A call that a silent server does not answer ends with the process.
            self._threads.close()
            self._calls.close()
            if self._event_loop is not None:
                self._end_loop(self._event_loop)
            self._poll_connection.close()
        if self._fatal is not None:
            raise self._fatal
        self._log.info("worker %s stopped", self._name)

    def _end_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends the loop of async steps, and closes the connections that belong to it."""
        if self._direct:
            direct: Any = self._client
            asyncio.run_coroutine_threadsafe(direct.close_async(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        self._loop_thread.join(5)
        if not loop.is_running() and not asyncio.all_tasks(loop):
            loop.close()

    # The loop of the worker.

    def _loop(self) -> None:
        stop_by: float | None = None
        while True:
            with self._changed:
                now = time.monotonic()
                if self._fatal is not None:
                    return
                if self._stopping and stop_by is None:
                    stop_by = now + self._stop_timeout
                    self._end = stop_by + _DELIVER_WITHIN
                if stop_by is not None and self._polling:
                    self._poll_connection.abort()
                if stop_by is not None and now >= stop_by and self._active > 0 and not self._handed_back:
                    self._hand_back()
                self._hand_back_late(now, stop_by is not None)
                wait = self._step(now, stop_by is not None)
                if wait == 0:
                    continue
                if wait is None:
                    idle = self._active == 0 or self._handed_back
                    if stop_by is not None and idle and not self._releases and not self._owed:
                        return
                    if stop_by is not None and now >= stop_by + _DELIVER_WITHIN:
                        if self._owed:
                            raise Undelivered(len(self._owed), "the server did not judge them")
                        return
                    wait = 0.05 if self._owed or stop_by is not None or now < self._source.weather.until else 0.25
                self._changed.wait(wait)

    def _step(self, now: float, stopping: bool) -> float | None:
        """Begins the next call. Returns 0 if it has begun a call, otherwise the time to wait, and None if no call is
        under way. The caller must hold the lock."""
        slot = self._idle(now)
        batch = self._due(now) if slot is not None else []
        if batch and self._polling and self._direct and not stopping:
            self._poll_connection.abort()  # One exchange records and claims.
            self._changed.wait_for(lambda: not self._polling, 0.05)
            slot = self._idle(now)
        under = sum(s.busy for s in self._slots)
        if slot is not None:
            free = 0 if stopping or self._polling else self._free(now, slot, batch)
            places = 0 if free <= 0 else slot.again or min(free, self._share())
            if batch:
                if self._gathers(now, batch, under, stopping):
                    return max(0.0001, self._gather_till - now)
                # Owed results come first: a claim carries the due results.
                self._gather_till = 0.0
                self._sending.update(dict.fromkeys(batch, slot))
                self._owed = [outcome for outcome in self._owed if outcome not in self._sending]
                self._begin_exchange(slot, batch, places)
                return 0
            if self._releases and not self._releasing:
                releases, *rest = _calls_of(self._releases)
                self._releases = [claim for call in rest for claim in call]
                self._releasing = True
                self._calls.submit(lambda: self._release(releases))
                return 0
            if places > 0 and (slot.again or under > 0 and self._more):
                self._begin_exchange(slot, [], places)
                return 0
            if free > 0 and under == 0 and self._active + len(self._ahead) < self._concurrency:
                self._polling = True
                limit = min(free, _BATCH)
                self._take(slot, limit)
                self._calls.submit(functools.partial(self._poll, slot, limit))
                return 0
        return 0.25 if under > 0 or self._polling or self._releasing else None

    def _begin_exchange(self, slot: _Slot, batch: list[_Outcome], limit: int) -> None:
        slot.busy = True
        self._take(slot, limit)
        self._calls.submit(functools.partial(self._exchange, slot, batch, limit))

    def _idle(self, now: float) -> _Slot | None:
        """The slot of the next exchange, first a slot whose claim got no answer. While calls fail, one slot at a time
        tries."""
        weather = self._source.weather
        if now < weather.until or weather.away and any(slot.busy for slot in self._slots):
            return None
        idle = [slot for slot in self._slots if not slot.busy]
        return next((slot for slot in idle if slot.again), idle[0] if idle else None)

    def _gathers(self, now: float, batch: list[_Outcome], under: int, stopping: bool) -> bool:
        """Whether outcomes wait for other outcomes: while many come, an exchange is under way, and handlers run."""
        if under == 0 or not self._many or stopping or self._active == 0 or len(batch) >= self._share():
            return False
        if self._gather_till == 0:
            self._gather_till = now + _GATHER
        return now < self._gather_till

    def _share(self) -> int:
        """How many steps an exchange claims at most, so that the other exchanges find as many."""
        return min(_BATCH, -(-(self._concurrency + self._ahead_of_handlers()) // len(self._slots)))

    def _ahead_of_handlers(self) -> int:
        """How many steps are claimed before a handler is free for them."""
        return min(int(self._concurrency * _QUICK / self._quick), _MOST_AHEAD) if 0 < self._quick < _QUICK else 0

    def _hand_back_late(self, now: float, stopping: bool) -> None:
        """Hands back steps that have waited too long for a handler: other workers may be idle. The caller must hold the
        lock."""
        patience = min(_PATIENCE, self._lease / 4)
        late = [claim for claim, waiting in self._ahead.items() if stopping or now - waiting.began >= patience]
        for claim in late:
            del self._ahead[claim]
        if late:
            self._quick = _QUICK
            self._releases += late

    def _take(self, slot: _Slot, limit: int) -> None:
        """Takes the places of a claim, or the places of an earlier claim without an answer."""
        if limit > 0:
            self._reserved += limit - slot.again
            slot.again = 0
            self._more = False

    def _give(self, slot: _Slot, limit: int, unanswered: bool) -> None:
        """Frees the places of a claim, or keeps them for its repetition."""
        if limit > 0 and unanswered and not self._stopping:
            slot.again = limit
        else:
            self._reserved -= limit

    def _due(self, now: float) -> list[_Outcome]:
        """The outcomes to send, as many as one request carries, at most one of each step."""
        batch: list[_Outcome] = []
        named: set[str] = set()
        size = 0
        for outcome in self._owed:
            if outcome.at <= now and outcome.claim[0] not in named and (not batch or len(batch) < _BATCH and size + len(outcome.body) <= _BATCH_BYTES):
                batch.append(outcome)
                named.add(outcome.claim[0])
                size += len(outcome.body)
        return batch

    def _free(self, now: float, slot: _Slot, batch: list[_Outcome]) -> int:
        """How many steps may be claimed in a slot."""
        unjudged = [*self._owed, *self._sending]
        if now < self._refused_until or sum(len(outcome.body) for outcome in unjudged) > _MOST_OWED:
            return 0
        # The leases of results that got no answer may have ended: these results are judged before the worker claims.
        if sum(outcome.late for outcome in unjudged) > sum(outcome.late for outcome in batch):
            return 0
        # After an outage leases are renewed first, so that the worker does not claim its own steps.
        if any(now - r.renewed > self._lease / 2 and not r.reported for r in self._running.values()):
            return 0
        return self._concurrency + self._ahead_of_handlers() - self._active - len(self._ahead) - self._reserved + slot.again

    def _request(self, slot: _Slot, results: list[_Outcome], limit: int, wait: int) -> bytes:
        head = {
            "worker_uuid": slot.uuid,
            "request_uuid": slot.claim if limit > 0 else str(uuid.uuid4()),
            "namespaces": self._namespaces,
            "handlers": sorted(self._handlers),
            "limit": limit,
            "lease_seconds": self._lease,
            "known_tasks": self._source.known_tasks(),
        }
        if wait > 0:
            head["wait_seconds"] = wait
        with self._changed:
            places = max(0, self._concurrency - self._active - len(self._ahead) - self._reserved + limit)
            ahead = max(0, limit - places)
            waiting = [claim[0] for claim, queued in self._ahead.items() if queued.slot is slot][:1000]
            told, slot.told = slot.told or bool(waiting), ahead > 0 or bool(waiting)
        if ahead > 0:
            head["ahead"] = ahead
        if told:
            head["waiting"] = waiting
        return encode(head)[:-1] + b',"results":[' + b",".join(outcome.body for outcome in results) + b"]}"

    def _send(self, slot: _Slot, results: list[_Outcome], limit: int) -> dict[str, Any]:
        data = self._request(slot, results, limit, 0)
        within = self._left(self._exchange_within)
        answer: dict[str, Any] = self._source.once(lambda: self._client.send("POST", "/v1/exchange", data, within), "an exchange")
        return answer

    def _left(self, within: float) -> float:
        """How long a call may take: less if the worker is stopping."""
        left = within if self._end is None else min(within, self._end - time.monotonic())
        if left <= 0:
            raise Unavailable("the worker stops")
        return left

    def _exchange(self, slot: _Slot, batch: list[_Outcome], limit: int) -> None:
        """Records outcomes, and claims for the handlers that are free."""
        began = time.monotonic()
        answer: dict[str, Any] = _NOTHING
        unanswered = True
        try:
            answer = self._send(slot, batch, limit)
            unanswered = False
            self._take_answers(batch, answer["answers"])
            if limit > 0:
                self._claim_was_answered(slot)
        except Unavailable as error:
            self._unjudged(slot, batch, error)
        except ApiError as error:
            unanswered = False
            if limit > 0 and not isinstance(error, Unauthorized):
                self._without_claim(slot, batch, error)
            else:
                self._refused_results(slot, batch, error)
        except BaseException as error:
            self._give_up(error)
        finally:
            with self._changed:
                for outcome in batch:
                    if self._sending.get(outcome) is slot:  # It may be under way again.
                        del self._sending[outcome]
                slot.busy = False
                self._give(slot, limit, unanswered)
                if limit > 0 and not unanswered:
                    self._many = len(batch) + len(answer["claimed"]) >= _MANY
                    self._more = self._more or len(answer["claimed"]) >= limit
                self._poll_connection.stir()
            self._begin(slot, answer, began)

    def _without_claim(self, slot: _Slot, batch: list[_Outcome], refused: ApiError) -> None:
        """Records outcomes without the claim that came with them. If the server accepts the outcomes, it had refused
        the claim."""
        try:
            if batch:
                self._take_answers(batch, self._send(slot, batch, 0)["answers"])
            self._refuse(refused)
        except Unavailable as error:
            self._unjudged(slot, batch, error)
        except ApiError as error:
            self._refused_results(slot, batch, error)

    def _refused_results(self, slot: _Slot, batch: list[_Outcome], refused: ApiError) -> None:
        """Finds the outcomes that were refused, and records the others."""
        if isinstance(refused, Unauthorized) and not self._source.weather.worked:
            self._keep(batch, refused)
            self._give_up(refused)
        elif not batch:
            self._source.weather.refused("a claim", refused)
        elif isinstance(refused, Unauthorized) or len(batch) == 1 and awaits_a_person(refused):
            self._source.weather.refused(f"the result of {batch[0].step}", refused)
            self._keep(batch, refused)
        elif len(batch) > 1:
            self._halves(slot, batch)
        elif batch[0].replaced:
            self._log.error("no outcome of %s is accepted; it runs again when its lease has ended: %s", batch[0].step, refused)
        else:
            self._log.error("the result of %s was refused; it fails: %s", batch[0].step, refused)
            self._replace(batch[0], f"the server refused the result: {refused}")

    def _unjudged(self, slot: _Slot, batch: list[_Outcome], error: Unavailable) -> None:
        """Keeps outcomes that were not judged. One of them may make the server fail: the others are recorded without it."""
        if error.status == 500 and len(batch) > 1:
            self._halves(slot, batch)
        else:
            self._keep(batch, error)

    def _halves(self, slot: _Slot, batch: list[_Outcome]) -> None:
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            try:
                self._take_answers(half, self._send(slot, half, 0)["answers"])
            except Unavailable as error:
                self._unjudged(slot, half, error)
            except ApiError as error:
                self._refused_results(slot, half, error)

    def _replace(self, outcome: _Outcome, error: str) -> None:
        """Owes a failure for good in place of an outcome."""
        failed = _outcome(outcome.claim, outcome.step, {"permanent": True}, error)
        failed.replaced, failed.renewed = True, outcome.renewed
        with self._changed:
            self._owed.append(failed)

    def _keep(self, batch: list[_Outcome], error: Exception) -> None:
        """Keeps owing outcomes. The pauses grow between the sends of an outcome that needs a person's help or makes the
        server fail."""
        own = isinstance(error, ApiError) or isinstance(error, Unavailable) and error.status == 500
        for outcome in batch:
            outcome.late = not own
        for outcome in batch if own else []:
            outcome.tries += 1
            outcome.at = time.monotonic() + min(0.5 * 2 ** min(outcome.tries, 10), _LONGEST_REFUSAL)
        if batch and isinstance(error, Unavailable) and batch[0].tries >= _MOST_TRIES:
            self._log.error("%s runs again when its lease has ended: the server fails on its result: %s", batch[0].step, error)
            return
        self._owe(batch)

    def _owe(self, batch: list[_Outcome]) -> None:
        """Owes the outcomes of an abandoned call, which may still arrive. Meanwhile the slot may carry other
        outcomes."""
        with self._changed:
            for outcome in batch:
                self._sending.pop(outcome, None)
            self._owed[:0] = batch

    def _poll(self, slot: _Slot, limit: int) -> None:
        """Waits for steps, in a separate thread, over a kept connection."""
        began = time.monotonic()
        answer: dict[str, Any] = _NOTHING
        data = self._request(slot, [], limit, self._poll_seconds)
        connection = self._poll_connection
        self._poll_cut = False
        unanswered = not self._stopping
        try:
            if not self._stopping:
                answer = connection.send("POST", "/v1/exchange", data, self._poll_seconds + 10.0)
                unanswered, began = False, time.monotonic()
                self._source.weather.succeeded()
                self._claim_was_answered(slot)
        except Unavailable as error:
            if not self._stopping and not self._poll_cut:
                self._source.weather.failed("waiting for steps", error)
        except ApiError as error:
            unanswered = False
            if isinstance(error, Unauthorized) and not self._source.weather.worked:
                self._give_up(error)
            else:
                self._source.weather.answered()
                self._refuse(error)
        except Exception as error:  # so that no error ends the claims of a worker
            self._log.exception("waiting for steps failed")
            self._source.weather.failed("waiting for steps", Unavailable(str(error)))
        finally:
            with self._changed:
                self._polling = False
                self._give(slot, limit, unanswered)
                self._more = len(answer["claimed"]) >= limit
            self._begin(slot, answer, began)

    def _cut_poll(self) -> None:
        """After an outage: repeat the waiting requests, since the outage may have swallowed them."""
        self._poll_cut = True
        self._poll_connection.cut()
        self._hear_connection.cut()

    def _claim_was_answered(self, slot: _Slot) -> None:
        with self._changed:
            slot.claim = str(uuid.uuid4())
            self._refusal = 0.0

    def _refuse(self, error: ApiError) -> None:
        """Claims nothing for a while: by then the namespace may be registered or the right granted."""
        with self._changed:
            now = time.monotonic()
            self._refusal = min(max(1.0, 2 * self._refusal), _LONGEST_REFUSAL)
            self._refused_until = now + self._refusal
            said, at = self._refusals
            again = said != str(error) or now - at >= _SAID_SELDOM
            if again:
                self._refusals = (str(error), now)
        if again:
            self._log.warning("a claim was refused; it is repeated, at last every %d s: %s", _LONGEST_REFUSAL, error)

    def _give_up(self, error: BaseException) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _take_answers(self, batch: list[_Outcome], answers: list[dict[str, Any]]) -> None:
        for outcome, answer in itertools.zip_longest(batch, answers[: len(batch)]):
            what = answer["answer"] if answer else "busy"
            if what == "busy":
                outcome.at, outcome.late = time.monotonic() + _RESEND_BUSY, False
                self._owe([outcome])
            elif what == "too_large":
                self._replace(outcome, 'the result is over the setting "result_bytes", or nested deeper than 1,000 levels')
            elif what in ("retrying", "failed"):
                self._log.warning("%s is %s: %s", outcome.step, what, (outcome.error or "").partition("\n")[0][:200])
            elif what in ("stale", "cancelled", "not_found"):
                self._log.warning("the result of %s came too late: %s", outcome.step, what)
            elif what not in ("completed", "already_complete", "recorded"):
                self._log.error("the result of %s was answered %r, which this worker does not know: whether it counts is not known", outcome.step, what)

    def _begin(self, slot: _Slot, answer: dict[str, Any], began: float) -> None:
        """Starts the handlers of claimed steps."""
        contexts = self._source.take_contexts(answer.get("contexts"))
        with self._changed:
            for step in answer["claimed"]:
                claim = (step["step_uuid"], step["claim_no"])
                if self._stopping or step["handler"] not in self._handlers:
                    self._releases.append(claim)
                    continue
                if step["context"] is None:
                    step["context"] = contexts(step["task_uuid"])
                self._ahead[claim] = _Ahead(step, began, began, slot)
            self._start_handlers()
            self._changed.notify_all()

    def _start_handlers(self) -> None:
        """Starts handlers of claimed steps, while there are places. The caller must hold the lock."""
        while self._ahead and self._active < self._concurrency and not self._stopping:
            waiting = self._ahead.pop(next(iter(self._ahead)))
            self._active += 1
            self._start_handler(waiting.step, waiting.renewed)

    def _start_handler(self, step: dict[str, Any], renewed: float) -> None:
        if self._event_loop is not None and self._handlers[step["handler"]].on_loop:
            asyncio.run_coroutine_threadsafe(self._handle_on_loop(step, renewed), self._event_loop)
        else:
            self._threads.submit(lambda: self._handle(step, renewed))

    # Handlers.

    def _handle(self, step: dict[str, Any], began: float) -> None:
        attempt = _Attempt(step, began)
        try:
            while attempt.step is not None:
                job = self._job(attempt)
                failure: BaseException | None = None
                result: Any = None
                try:
                    job.input  # A context that does not fit fails the step before the handler runs.
                    result = attempt.handler(self).run(job)
                    if inspect.isawaitable(result):
                        result = asyncio.run(_awaited(job, result))
                    job.returns()
                except BaseException as error:  # SystemExit and the like end no worker
                    failure = error
                job.flush_log()
                self._leave(attempt, job, failure)
                self._conclude(attempt, job, result, failure)
                if job._tx is not None:
                    self._commit(attempt, job)
                self._next(attempt, job)
        except Exception as error:
            self._cannot_begin(attempt, error)
        finally:
            self._ended(attempt)

    async def _handle_on_loop(self, step: dict[str, Any], began: float) -> None:
        """_handle for async steps of workflows, which share an event loop."""
        attempt = _Attempt(step, began)
        try:
            while attempt.step is not None:
                job = self._job(attempt)
                failure: BaseException | None = None
                result: Any = None
                try:
                    if step["context"] is None or step["parent_results"] is None:
                        await asyncio.to_thread(_load, job)
                    job.input
                    result = await _awaited(job, attempt.handler(self).run(job))
                    if job.used:
                        await asyncio.to_thread(job.returns)
                except BaseException as error:
                    failure = error
                if job._log is not None:
                    await asyncio.to_thread(job.flush_log)
                if isinstance(job.over or failure, Snooze) or misfit_in(job.over or failure) is not None:
                    await asyncio.to_thread(self._leave, attempt, job, failure)
                self._conclude(attempt, job, result, failure)
                if job._atx is not None:
                    await self._commit_async(attempt, job)
                self._next(attempt, job)
        except Exception as error:
            self._cannot_begin(attempt, error)
        finally:
            self._ended(attempt)

    def _job(self, attempt: _Attempt) -> Job[Any]:
        step = attempt.step
        assert step is not None
        job: Job[Any] = Job(step, self._source, attempt.handler(self).to)
        deadline = None if step["timeout_seconds"] is None else attempt.started + step["timeout_seconds"]
        with self._changed:
            running = attempt.running
            attempt.running = self._running[attempt.claim] = _Running(job, running.renewed if running else attempt.began, deadline)
            if deadline is not None or len(self._running) == 1:
                self._aside.notify_all()
        return job

    def _next(self, attempt: _Attempt, job: Job[Any]) -> None:
        """Ends the attempt, unless its function begins again."""
        continued, running = attempt.continued, attempt.running
        if continued is None or running is None or running.reported or attempt.step is None:
            attempt.step = None
            return
        attempt.continued = None
        attempt.step = {
            **attempt.step, "attempt": 1, "last_error": None,
            "kept": {"round": continued.round, "count": 0, "results": [], "state": continued.state},
        }  # fmt: skip

    def _cannot_begin(self, attempt: _Attempt, error: Exception) -> None:
        self._log.exception("%s cannot be begun", attempt.what)
        attempt.outcome = _outcome(attempt.claim, attempt.what, {"permanent": True}, f"the step cannot be begun: {text_of(error)}")

    def _ended(self, attempt: _Attempt) -> None:
        running, outcome = attempt.running, attempt.outcome
        took = time.monotonic() - attempt.started
        with self._changed:
            self._quick = took if self._quick == 0 else 0.9 * self._quick + 0.1 * took
            self._running.pop(attempt.claim, None)
            self._active -= 1
            if outcome is not None and not (running and running.reported):
                outcome.renewed = running.renewed if running else attempt.began
                self._owed.append(outcome)
            elif attempt.released:
                self._releases.append(attempt.claim)
            self._start_handlers()
            # While outcomes wait for others, or no call can begin, the loop has no work.
            gathers = time.monotonic() < self._gather_till and len(self._owed) < self._share() and self._active > 0
            if not gathers and not all(slot.busy for slot in self._slots):
                self._changed.notify_all()

    def _leave(self, attempt: _Attempt, job: Job[Any], failure: BaseException | None) -> None:
        """Leaves a step to other workers after its handler has raised a Misfit: the result of a step above does not fit
        this build. Leaves a step for later after its handler has raised a Snooze."""
        raised = job.over or failure
        if isinstance(raised, Snooze) and job.misuse is None and not job.ended.is_set():
            try:
                job.over = job.snooze(raised)
            except Abandoned as error:
                job.over = error
            except ApiError as error:
                self._log.warning("%s cannot be snoozed, and its attempt has failed: %s", attempt.what, error)
            return
        misfit = misfit_in(raised)
        if misfit is None or misfit.step is None or job.misuse is not None:
            return
        if isinstance(raised, (Permanent, KeptError)) or isinstance(raised, attempt.handler(self).permanent):
            return  # The handler has judged it.
        if job.ended.is_set() and job.over is None:
            return  # The step is no longer ours, or its failure is recorded.
        try:
            job.over = job.leave(misfit.step)
        except Abandoned as error:
            job.over = error
        except ApiError as error:
            self._log.warning("%s cannot wait for another build, and its attempt has failed: %s", attempt.what, error)
            return
        if isinstance(job.over, Suspended):
            self._log.warning("the result of a step above does not fit this build, and the step waits for another one: %s: %s", attempt.what, misfit)

    def _conclude(self, attempt: _Attempt, job: Job[Any], result: Any, failure: BaseException | None) -> None:
        """Judges the end of a handler: the outcome to record, if any, or a new beginning."""
        what, handler = attempt.what, attempt.handler(self)
        encoded = b""
        if isinstance(failure, Ended):
            failure = None
        elif failure is None:
            try:
                encoded = encode(result)
            except (TypeError, ValueError, RecursionError) as error:
                failure = Permanent(f"the result cannot be encoded: {error}")
            if len(encoded) > _LARGEST // 2:
                self._log.warning("the result of %s has %d bytes; a request carries %d at most", what, len(encoded), _LARGEST)
            if len(encoded) > _LARGEST:
                failure = Permanent(f"the result has {len(encoded)} bytes: more than a request carries, and than the setting \"result_bytes\"")
        claim = attempt.claim
        took: dict[str, Any] = {"execution_time_ms": int((time.monotonic() - attempt.started) * 1000)}
        if job.misuse is not None:
            attempt.outcome = _outcome(claim, what, {**took, "permanent": True}, job.misuse)
            return
        if job.over is not None:
            failure = job.over
        if isinstance(failure, Continued):
            attempt.continued = failure
            return
        if isinstance(failure, (Suspended, Lost, Cancelled, Abandoned)):
            return
        if job.ended.is_set() and job.over is None and (failure is not None or not job.unjudged):
            return  # The step is no longer ours, or its failure is recorded.
        if failure is None:
            attempt.outcome = _outcome(claim, what, took, None, encoded)
            attempt.encoded = encoded
            return
        attempt.outcome = self._failure(attempt, job, handler, failure, took)

    def _failure(self, attempt: _Attempt, job: Job[Any], handler: _Handler, failure: BaseException, took: dict[str, Any]) -> _Outcome:
        text = text_of(failure)
        fixed = isinstance(failure, (Permanent, KeptError)) or isinstance(failure, Misfit) and failure.step is None
        permanent = fixed or isinstance(failure, handler.permanent)
        after = next((after for kind, after in handler.retry_after.items() if isinstance(failure, kind)), None)
        if isinstance(failure, Retry):
            after = failure.after
        if not isinstance(failure, (Permanent, Misfit, KeptError, Retry)):
            trace = "".join(traceback.format_exception(type(failure), failure, failure.__traceback__))
            extra = {"template": f"{job.namespace}/{job.task}:{job.task_version}", "step": job.name, "attempt": job.attempt, "task_uuid": job.task_uuid}
            self._log.warning("the handler %s of %s failed:\n%s", job.handler, attempt.what, trace[-_TRACEBACK:], extra=extra)
            if self._on_error is not None:
                try:
                    self._on_error(failure, job)
                except Exception:
                    self._log.exception("on_error has failed")
            text = f"{text}\n\n{trace[-_TRACEBACK:]}"
        if permanent:
            took["permanent"] = True
        elif after is not None:
            took["backoff_seconds"] = max(0, round(after.total_seconds() if isinstance(after, timedelta) else after, 3))
        return _outcome(attempt.claim, attempt.what, took, text)

    # Transactions of handlers.

    def _commit(self, attempt: _Attempt, job: Job[Any]) -> None:
        """Commits a handler's transaction with its result, or rolls it back."""
        direct: Any = self._client
        if attempt.encoded is None:
            direct.give_back(job._tx)
            return
        try:
            direct.complete(job._tx, job.step_uuid, job.claim_no, attempt.encoded)
            attempt.outcome = None
        except Exception as error:
            direct.give_back(job._tx)
            self._not_committed(attempt, job, error)

    async def _commit_async(self, attempt: _Attempt, job: Job[Any]) -> None:
        direct: Any = self._client
        if attempt.encoded is None:
            await direct.give_back_async(job._atx)
            return
        try:
            await direct.complete_async(job._atx, job.step_uuid, job.claim_no, attempt.encoded)
            attempt.outcome = None
        except Exception as error:
            await direct.give_back_async(job._atx)
            self._not_committed(attempt, job, error)

    def _not_committed(self, attempt: _Attempt, job: Job[Any], error: Exception) -> None:
        """The writes of a handler were rolled back, or the answer to its commit was lost."""
        attempt.outcome = None
        if isinstance(error, Unavailable):
            # If the transaction has committed nevertheless, the step is complete, and handing the step back changes
            # nothing.
            self._log.warning("the transaction of %s was lost; the step runs again: %s", attempt.what, error)
            attempt.released = True
        elif isinstance(error, ApiError) and "is recorded already" in error.detail:
            self._log.info("the transaction of %s had committed before: %s", attempt.what, error)
        elif isinstance(error, ApiError) and error.status == 409:
            self._log.warning("the transaction of %s was rolled back: %s", attempt.what, error)
        else:
            self._log.error("the result of %s was refused with its transaction; it fails: %s", attempt.what, error)
            attempt.outcome = _outcome(attempt.claim, attempt.what, {"permanent": True}, f"the database refused the result: {error}")

    def _duties(self) -> None:
        """Does the periodic duties that any worker over PostgreSQL may do."""
        direct: Any = self._client
        while not self._done:
            try:
                direct.duties()
            except Unavailable:
                pass  # The log has it.
            except ApiError as error:
                self._source.weather.refused("the periodic duties", error)
            except Exception:
                self._log.exception("the periodic duties failed")
            with self._aside:
                self._aside.wait_for(lambda: self._done, _DUTIES)

    # Leases.

    def _attend(self) -> None:
        """Renews leases, ends handlers whose time is over, and reports that the worker lives."""
        every = self._lease / 4
        beat = 0.0
        while True:
            with self._changed:
                if self._done:
                    return
                now = time.monotonic()
                for claim, running in list(self._running.items()):
                    if running.deadline is not None and now >= running.deadline and not running.reported:
                        running.reported = True
                        text = f"timed out after {running.job._claimed['timeout_seconds']} s"
                        self._owed.append(_outcome(claim, _named(running.job._claimed), {}, text))
                        running.job.end(TimeoutError(text))
                        self._changed.notify_all()
                    elif now - running.renewed >= self._lease and not running.reported and not running.job.ended.is_set():
                        self._log.error("the lease of %s has ended: no renewal was answered", _named(running.job._claimed))
                        running.job.unjudged = True  # What it returns is sent nevertheless.
                        running.job.end(Lost("the lease has ended: no renewal was answered"))
                due = [claim for claim, running in self._running.items() if now - running.renewed >= every and not running.reported]
                due += [claim for claim, waiting in self._ahead.items() if now - waiting.renewed >= every]
                due += [outcome.claim for outcome in [*self._owed, *self._sending] if now - outcome.renewed >= every]
                deadlines = [r.deadline - now for r in self._running.values() if r.deadline is not None and not r.reported]
            try:
                for call in _calls_of(due):
                    self._renew(call)
                if now >= beat:
                    beat = now + 1.0  # until it has succeeded
                    self._register()
                    beat = now + _HEARTBEAT
            except Unavailable:
                pass  # The log has it.
            except ApiError as error:
                if self._source.weather.worked or not isinstance(error, Unauthorized):
                    self._source.weather.refused("a renewal of leases, or the worker's registration,", error)
            except Exception:
                self._log.exception("leases could not be renewed")
            with self._aside:
                if not self._done:
                    self._aside.wait(max(0.01, min([every / 2, 1.0, *deadlines])))

    def _register(self) -> None:
        answer: dict[str, Any] = {}
        for at, slot in enumerate(self._slots):
            name = self._name if at == 0 else f"{self._name}#{at + 1}"
            body = {"worker_uuid": slot.uuid, "name": name, "namespaces": self._namespaces, "handlers": sorted(self._handlers)}
            if self._version:
                body["version"] = self._version
            answer = self._source.once(lambda: self._client.request("POST", "/v1/workers", body, self._within), "registering the worker")
        ends = answer.get("token_expires_at")
        if ends is not None and parsed(ends) - parsed(answer["clock"]) < timedelta(days=7) and time.monotonic() - self._warned > _DAY:
            self._warned = time.monotonic()
            self._log.warning("the token of this worker ends at %s: replace it", ends)

    def _renew(self, claims: list[_Claim]) -> None:
        """Renews leases. A refused renewal is repeated in halves, so that one claim does not cost the others their leases."""
        try:
            self._extend(claims)
        except (ApiError, Unavailable) as error:
            if not concerns_some(error):
                raise
            if len(claims) > 1:
                middle = len(claims) // 2
                self._renew(claims[:middle])
                self._renew(claims[middle:])
            elif isinstance(error, ApiError):
                self._source.weather.refused("a renewal of leases", error)

    def _extend(self, claims: list[_Claim]) -> None:
        at = time.monotonic()
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims], "lease_seconds": self._lease}
        answers = self._source.once(lambda: self._client.request("POST", "/v1/leases", body, self._within), "renewing leases")
        self._renewed(answers["items"], at)

    def _hear(self) -> None:
        """Learns of cancellations at once: a waiting renewal is answered when a running step of this worker is
        cancelled. The renewals of _attend find the cancellations that this thread misses."""
        while True:
            with self._aside:
                while not self._done and not (claims := self._live()):
                    self._aside.wait(1.0)
                if self._done:
                    self._hear_connection.close()
                    return
            at = time.monotonic()
            body = encode({
                "claims": [{"step_uuid": s, "claim_no": n} for s, n in claims[:1000]], "lease_seconds": self._lease,
                "worker_uuid": self._slots[0].uuid, "other_worker_uuids": [slot.uuid for slot in self._slots[1:]], "wait_seconds": self._poll_seconds,
            })
            soonest = _HEAR_EVERY
            try:
                self._renewed(self._hear_connection.send("POST", "/v1/leases", body, self._poll_seconds + 10.0)["items"], at)
            except (ApiError, Unavailable):
                soonest = _HEAR_AGAIN
            except Exception:
                self._log.exception("cancellations are not heard of at once")
                soonest = _HEARTBEAT
            with self._aside:
                while not self._done and (left := at + soonest - time.monotonic()) > 0:
                    self._aside.wait(left)

    def _live(self) -> list[_Claim]:
        """The steps whose handlers run and should go on running. Of two claims of a step it has the newer claim. The
        caller must hold the lock."""
        live = [claim for claim, running in self._running.items() if not running.reported and not running.job.ended.is_set()]
        return list({claim[0]: claim for claim in live}.values())

    def _renewed(self, answers: list[dict[str, Any]], at: float) -> None:
        """Handles the answers to a renewal that was sent at this time."""
        for answer in answers:
            claim = (answer["step_uuid"], answer["claim_no"])
            with self._changed:
                running = self._running.get(claim)
                if claim in self._ahead:
                    if answer["answer"] in ("extended", "busy"):
                        self._ahead[claim].renewed = at
                    else:
                        del self._ahead[claim]
                for outcome in [*self._owed, *self._sending]:
                    if outcome.claim == claim:
                        outcome.renewed = at  # Whatever the answer: the exchange has the judgement.
            if running is None or running.job.ended.is_set() and not running.job.unjudged or answer["answer"] == "busy":
                continue
            if answer["answer"] == "extended":
                running.renewed = max(running.renewed, at)
                continue
            self._log.warning("the handler of %s is to stop: its step is %s", _named(running.job._claimed), answer["answer"])
            running.job.unjudged = False
            cancelled = answer["answer"] == "cancelled"
            running.job.end(Cancelled("the step was cancelled") if cancelled else Lost("the step is no longer this worker's"))

    def _hand_back(self) -> None:
        """Hands back steps that run longer than the worker waits. The caller must hold the lock."""
        for claim, running in self._running.items():
            if not running.reported:
                self._releases.append(claim)
            running.reported = True
            running.job.end(Lost("the worker stops"))
        self._handed_back = True

    def _release(self, claims: list[_Claim]) -> None:
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims]}
        again: list[_Claim] = []
        try:
            within = self._left(10.0)
            answers = self._source.once(lambda: self._client.request("POST", "/v1/releases", body, within), "handing back steps")["items"]
            again = [(a["step_uuid"], a["claim_no"]) for a in answers if a["answer"] == "busy"]
        except Unavailable:
            again = claims
        except ApiError as error:
            self._log.warning("steps could not be handed back; they run again when their leases have ended: %s", error)
        except BaseException as error:
            self._give_up(error)
        with self._changed:
            self._releasing = False
            self._releases += again
            self._changed.notify_all()


def _calls_of(claims: list[_Claim]) -> list[list[_Claim]]:
    """Divides claims into batches, one batch for each call. A call names a step once: the database refuses a call that names a
    step twice. A worker may have two claims of one step if the result of the first claim is owed or its handler still
    runs. The database decides in two calls which claim counts."""
    calls: list[list[_Claim]] = []
    rest = list(dict.fromkeys(claims))
    while rest:
        call: dict[str, _Claim] = {}
        later: list[_Claim] = []
        for claim in rest:
            if len(call) == _BATCH or claim[0] in call:
                later.append(claim)
            else:
                call[claim[0]] = claim
        calls.append(list(call.values()))
        rest = later
    return calls


class _Attempt:
    """A claimed step on its way through a handler."""

    def __init__(self, step: dict[str, Any], began: float) -> None:
        self.step: dict[str, Any] | None = step
        self.name: str = step["handler"]
        self.claim: _Claim = (step["step_uuid"], step["claim_no"])
        self.what = _named(step)
        self.began = began
        self.started = time.monotonic()
        self.running: _Running | None = None
        self.outcome: _Outcome | None = None
        self.encoded: bytes | None = None  # the result, if the handler has succeeded
        self.continued: Continued | None = None
        self.released = False

    def handler(self, worker: Worker) -> _Handler:
        return worker._handlers[self.name]


def _load(job: Job[Any]) -> None:
    """Loads the values that were too large for the claim."""
    job.input
    job.results()


def _named(step: dict[str, Any]) -> str:
    """The name of a claimed step for people."""
    return f"step {step['name']!r} of task {step['namespace']}/{step['task_name']} (attempt {step['attempt']}, {step['step_uuid']})"


def _outcome(claim: _Claim, step: str, more: dict[str, Any], error: str | None, result: bytes = b"null") -> _Outcome:
    body: dict[str, Any] = {"step_uuid": claim[0], "claim_no": claim[1], **more}
    if error is not None:
        error = body["error"] = stored(error) or "an empty error"
        return _Outcome(claim, step, encode(body), error)
    return _Outcome(claim, step, encode(body)[:-1] + b',"result":' + result + b"}", None)


async def _awaited(job: Job[Any], result: Awaitable[Any]) -> Any:
    """Runs an async handler, and cancels it when it should stop."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(result)

    def cancel() -> None:
        try:
            loop.call_soon_threadsafe(task.cancel)
        except RuntimeError:
            pass  # It has ended.

    job._on_end = cancel
    if job.ended.is_set():
        task.cancel()
    try:
        return await task
    finally:
        job._on_end = None
