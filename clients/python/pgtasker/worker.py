"""A worker: claims steps, runs their handlers in threads, records what became of them."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import signal
import socket
import threading
import time
import traceback
import uuid
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, TypeVar

from .client import Client
from .durable import Continued, KeptError, Suspended, stored, text_of
from .errors import ApiError, Cancelled, Ended, Lost, Permanent, Retry, Unauthorized, Unavailable, Undelivered, awaits_a_person
from .fit import Misfit
from .http import Connection
from .job import Job
from .jsontext import encode
from .source import Abandoned, Source

In = TypeVar("In")
_Claim = tuple[str, int]

_BATCH = 100
_BATCH_BYTES = 2 << 20
# The body of a request has 4 MiB at most.
_LARGEST = (4 << 20) - (64 << 10)
# A worker that owes more asks for nothing.
_MOST_OWED = 64 << 20
_TRACEBACK = 4_000
_HEARTBEAT = 30.0
_RESEND_BUSY = 0.1
_LONGEST_REFUSAL = 30.0
_SAID_SELDOM = 600.0
# How often one result is sent that makes the server fail.
_MOST_TRIES = 20
# How long a worker that stops tries to deliver what it owes.
_DELIVER_WITHIN = 10.0


@dataclass
class _Handler:
    run: Callable[[Any], Any]
    to: Any


@dataclass
class _Running:
    job: Job[Any]
    renewed: float
    deadline: float | None
    reported: bool = False  # its time was over, which is recorded already, or the step is another's


@dataclass
class _Outcome:
    """What became of a step. It is owed until the database has judged it."""

    claim: _Claim
    step: str  # for people
    body: bytes
    error: str | None
    renewed: float = 0.0  # when its lease was
    at: float = 0.0  # when it is sent
    tries: int = 0
    replaced: bool = False  # by a failure that says that the outcome was refused


class Worker:
    """Runs handlers. run returns when the worker has stopped; stop, which any thread or signal handler may call, stops it:
    handlers finish, for at most stop_timeout seconds, and what is left is handed back."""

    def __init__(
        self,
        client: Client,
        *,
        namespaces: list[str] | None = None,
        concurrency: int = 10,
        lease: int = 60,
        stop_timeout: float = 30.0,
        poll: int = 30,
        name: str | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        if concurrency < 1 or lease < 1 or poll < 1:
            raise ValueError("concurrency, lease and poll are at least 1")
        self._client = client
        self._namespaces = namespaces
        self._concurrency = concurrency
        self._lease = lease
        self._within = max(1.0, min(10.0, lease / 8))  # how long a renewal may take
        self._exchange_within = max(5.0, min(30.0, lease / 2))
        self._stop_timeout = stop_timeout
        self._poll_seconds = poll
        self._name = name or f"{socket.gethostname()}/{os.getpid()}"
        self._log = logger or logging.getLogger("pgtasker")
        self._uuid = str(uuid.uuid4())
        self._source = Source(client, lease, self._log)
        self._handlers: dict[str, _Handler] = {}

        self._changed = threading.Condition()
        # A flag, not an Event: a second signal that interrupts Event.set would wait for its lock for ever.
        self._stopping = False
        self._owed: list[_Outcome] = []
        self._releases: list[_Claim] = []
        self._running: dict[_Claim, _Running] = {}
        self._active = 0  # handlers that have a place
        self._reserved = 0  # places that an exchange is to fill
        self._polling = False
        self._poll_connection: Connection = client.connection()
        self._claim_uuid = str(uuid.uuid4())  # the same until the claim is answered
        self._refused_until = 0.0
        self._refusal = 0.0
        self._refusals: tuple[str, float] = ("", 0.0)  # what the log has said of them
        self._fatal: BaseException | None = None
        self._handed_back = False
        self._done = False

    def handler(self, name: str, to: type[In]) -> Callable[[Callable[[Job[In]], Any]], Callable[[Job[In]], Any]]:
        """Registers a handler, which gets the task's context as to: a dataclass, a TypedDict, dict or object. An async handler
        runs in a loop of its own, in its thread, and is cancelled when it should stop."""

        def register(run: Callable[[Job[In]], Any]) -> Callable[[Job[In]], Any]:
            if name in self._handlers:
                raise ValueError(f"there are two handlers {name!r}")
            self._handlers[name] = _Handler(run, to)
            return run

        return register

    def stop(self) -> None:
        """Stops the worker."""
        self._stopping = True

    def run_until_signalled(self) -> None:
        """run, until SIGINT or SIGTERM. It is called in the main thread."""
        before = {s: signal.signal(s, lambda *_: self.stop()) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.run()
        finally:
            for which, handler in before.items():
                signal.signal(which, handler)

    def run(self) -> None:
        """Works until stop, and returns when all is recorded. Raises Unauthorized if the token has never been valid, and
        Undelivered if results could not be recorded within stop_timeout and 10 seconds."""
        if not self._handlers:
            raise ValueError("the worker has no handler")
        self._log.info("worker %s starts with %d handlers", self._name, len(self._handlers))
        attendant = threading.Thread(target=self._attend, name="pgtasker-leases", daemon=True)
        attendant.start()
        try:
            self._loop()
        finally:
            with self._changed:
                self._done = True
                self._changed.notify_all()
            self._source.abandoned.set()
            attendant.join(timeout=5)
            self._poll_connection.close()
        if self._fatal is not None:
            raise self._fatal
        self._log.info("worker %s stopped", self._name)

    # The loop.

    def _loop(self) -> None:
        stop_by: float | None = None
        while True:
            with self._changed:
                while True:
                    now = time.monotonic()
                    if self._fatal is not None:
                        return
                    if self._stopping and stop_by is None:
                        stop_by = now + self._stop_timeout
                    if stop_by is not None and self._polling:
                        self._poll_connection.abort()
                    if stop_by is not None and now >= stop_by and self._active > 0 and not self._handed_back:
                        self._hand_back()
                    may = now >= self._source.weather.until
                    batch = self._due(now) if may else []
                    releases = self._releases[:_BATCH] if may else []
                    free = 0 if stop_by is not None else self._free(now)
                    polls = may and free > 0 and not self._polling
                    if batch or releases or polls:
                        break
                    ended = self._active == 0 or self._handed_back
                    if stop_by is not None and ended and not self._polling and not self._releases and not self._owed:
                        return
                    if stop_by is not None and now >= stop_by + _DELIVER_WITHIN:
                        if self._owed:
                            raise Undelivered(len(self._owed), "the server did not judge them")
                        return
                    self._changed.wait(0.05 if self._owed or stop_by is not None or not may else 0.25)
                limit = 0 if self._polling else free
                for outcome in batch:
                    self._owed.remove(outcome)
                self._releases = self._releases[len(releases) :]
                if batch or not releases:
                    self._reserved += limit
                    self._polling = self._polling or not batch
            # What is owed comes first: a claim carries the results that are due.
            if batch:
                self._exchange(batch, limit)
            elif not releases:
                threading.Thread(target=self._poll, args=(limit,), name="pgtasker-poll", daemon=True).start()
            if releases:
                self._release(releases)

    def _due(self, now: float) -> list[_Outcome]:
        """The outcomes that are to be sent, as many as one request carries."""
        batch: list[_Outcome] = []
        size = 0
        for outcome in self._owed:
            if outcome.at <= now and (not batch or len(batch) < _BATCH and size + len(outcome.body) <= _BATCH_BYTES):
                batch.append(outcome)
                size += len(outcome.body)
        return batch

    def _free(self, now: float) -> int:
        """How many steps may be claimed."""
        if now < self._refused_until or sum(len(outcome.body) for outcome in self._owed) > _MOST_OWED:
            return 0
        # After an outage leases are renewed first, lest the worker claim its own steps.
        if any(now - r.renewed > self._lease / 2 and not r.reported for r in self._running.values()):
            return 0
        return self._concurrency - self._active - self._reserved

    def _request(self, results: list[_Outcome], limit: int, wait: int) -> bytes:
        head = {
            "worker_uuid": self._uuid,
            "request_uuid": self._claim_uuid if limit > 0 else str(uuid.uuid4()),
            "namespaces": self._namespaces,
            "handlers": sorted(self._handlers),
            "limit": limit,
            "lease_seconds": self._lease,
            "wait_seconds": wait,
        }
        return encode(head)[:-1] + b',"results":[' + b",".join(outcome.body for outcome in results) + b"]}"

    def _send(self, results: list[_Outcome], limit: int) -> dict[str, Any]:
        data = self._request(results, limit, 0)
        answer: dict[str, Any] = self._source.once(lambda: self._client.send("POST", "/v1/exchange", data, self._exchange_within), "an exchange")
        return answer

    def _exchange(self, batch: list[_Outcome], limit: int) -> None:
        """Records outcomes, and claims for the handlers that are free."""
        began = time.monotonic()
        claimed: list[dict[str, Any]] = []
        try:
            answer = self._send(batch, limit)
            claimed = answer["claimed"]
            self._take_answers(batch, answer["answers"])
            if limit > 0:
                self._claim_was_answered()
        except Unavailable as error:
            self._unjudged(batch, error)
        except ApiError as error:
            if limit > 0 and not isinstance(error, Unauthorized):
                self._without_claim(batch, error)
            else:
                self._refused_results(batch, error)
        finally:
            self._begin(claimed, limit, began)

    def _without_claim(self, batch: list[_Outcome], refused: ApiError) -> None:
        """Records outcomes without the claim that came with them. If the server takes them, it was the claim that it refused."""
        try:
            self._take_answers(batch, self._send(batch, 0)["answers"])
            self._refuse(refused)
        except Unavailable as error:
            self._unjudged(batch, error)
        except ApiError as error:
            self._refused_results(batch, error)

    def _refused_results(self, batch: list[_Outcome], refused: ApiError) -> None:
        """Finds the outcomes that were refused, and records the others."""
        if isinstance(refused, Unauthorized) and not self._source.weather.worked:
            self._keep(batch, refused)
            self._give_up(refused)
        elif isinstance(refused, Unauthorized) or len(batch) == 1 and awaits_a_person(refused):
            self._source.weather.refused(f"the result of {batch[0].step}", refused)
            self._keep(batch, refused)
        elif len(batch) > 1:
            self._halves(batch)
        elif batch[0].replaced:
            self._log.error("no outcome of %s is accepted; it runs again when its lease has ended: %s", batch[0].step, refused)
        else:
            self._log.error("the result of %s was refused; it fails: %s", batch[0].step, refused)
            self._replace(batch[0], f"the server refused the result: {refused}")

    def _unjudged(self, batch: list[_Outcome], error: Unavailable) -> None:
        """Keeps outcomes that were not judged. One of them may make the server fail: the others are recorded without it."""
        if error.status == 500 and len(batch) > 1:
            self._halves(batch)
        else:
            self._keep(batch, error)

    def _halves(self, batch: list[_Outcome]) -> None:
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            try:
                self._take_answers(half, self._send(half, 0)["answers"])
            except Unavailable as error:
                self._unjudged(half, error)
            except ApiError as error:
                self._refused_results(half, error)

    def _replace(self, outcome: _Outcome, error: str) -> None:
        """Owes a failure for good in the place of an outcome."""
        failed = _outcome(outcome.claim, outcome.step, {"permanent": True}, error)
        failed.replaced, failed.renewed = True, outcome.renewed
        with self._changed:
            self._owed.append(failed)

    def _keep(self, batch: list[_Outcome], error: Exception) -> None:
        """Owes outcomes still. One that a person has to help, or that makes the server fail, is sent more and more seldom."""
        own = isinstance(error, ApiError) or isinstance(error, Unavailable) and error.status == 500
        for outcome in batch if own else []:
            outcome.tries += 1
            outcome.at = time.monotonic() + min(0.5 * 2 ** min(outcome.tries, 10), _LONGEST_REFUSAL)
        if isinstance(error, Unavailable) and batch[0].tries >= _MOST_TRIES:
            self._log.error("%s runs again when its lease has ended: the server fails on its result: %s", batch[0].step, error)
            return
        with self._changed:
            self._owed[:0] = batch

    def _poll(self, limit: int) -> None:
        """Waits for steps, in a thread of its own, over a connection that is kept."""
        began = time.monotonic()
        claimed: list[dict[str, Any]] = []
        data = self._request([], limit, self._poll_seconds)
        connection = self._poll_connection
        try:
            if not self._stopping:
                answer = connection.send("POST", "/v1/exchange", data, self._poll_seconds + 10.0)
                claimed, began = answer["claimed"], time.monotonic()
                self._source.weather.succeeded()
                self._claim_was_answered()
        except Unavailable as error:
            if not self._stopping:
                self._source.weather.failed("waiting for steps", error)
        except ApiError as error:
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
            self._begin(claimed, limit, began)

    def _claim_was_answered(self) -> None:
        with self._changed:
            self._claim_uuid = str(uuid.uuid4())
            self._refusal = 0.0

    def _refuse(self, error: ApiError) -> None:
        """Claims nothing for a while: the namespace may be registered, the right granted by then."""
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
        for outcome, answer in zip(batch, answers):
            what = answer["answer"]
            if what == "busy":
                outcome.at = time.monotonic() + _RESEND_BUSY
                with self._changed:
                    self._owed.append(outcome)
            elif what == "too_large":
                self._replace(outcome, 'the result is over the setting "result_bytes", or nested deeper than 1,000 levels')
            elif what in ("retrying", "failed"):
                self._log.warning("%s is %s: %s", outcome.step, what, (outcome.error or "").partition("\n")[0][:200])
            elif what in ("stale", "cancelled", "not_found"):
                self._log.warning("the result of %s came too late: %s", outcome.step, what)

    def _begin(self, claimed: list[dict[str, Any]], limit: int, began: float) -> None:
        """Starts the handlers of claimed steps."""
        with self._changed:
            self._reserved -= limit
            for step in claimed:
                claim = (step["step_uuid"], step["claim_no"])
                if self._stopping or step["handler"] not in self._handlers:
                    self._releases.append(claim)
                    continue
                self._active += 1
                threading.Thread(target=self._handle, args=(step, began), name=f"pgtasker-{step['name']}", daemon=True).start()
            self._changed.notify_all()

    # Handlers.

    def _handle(self, step: dict[str, Any], began: float) -> None:
        claim = (step["step_uuid"], step["claim_no"])
        what = _named(step)
        handler = self._handlers[step["handler"]]
        started = time.monotonic()
        outcome: _Outcome | None = None
        running: _Running | None = None
        try:
            deadline = None if step["timeout_seconds"] is None else started + step["timeout_seconds"]
            while True:
                job: Job[Any] = Job(step, self._source, handler.to)
                with self._changed:
                    running = self._running[claim] = _Running(job, running.renewed if running else began, deadline)
                outcome, continued = self._attempt(handler, job, what, started)
                if continued is None or running.reported:
                    break
                step = {
                    **step, "attempt": 1, "last_error": None,
                    "kept": {"round": continued.round, "count": 0, "results": [], "state": continued.state},
                }
        except Exception as error:
            self._log.exception("%s cannot be begun", what)
            outcome = _outcome(claim, what, {"permanent": True}, f"the step cannot be begun: {text_of(error)}")
        finally:
            with self._changed:
                self._running.pop(claim, None)
                self._active -= 1
                if outcome is not None and not (running and running.reported):
                    outcome.renewed = running.renewed if running else began
                    self._owed.append(outcome)
                self._changed.notify_all()

    def _attempt(
        self, handler: _Handler, job: Job[Any], what: str, started: float
    ) -> tuple[_Outcome | None, Continued | None]:
        """Runs a handler once: what is to be recorded, if anything, or that it begins again."""
        failure: BaseException | None = None
        encoded = b""
        try:
            job.input  # A context that does not fit fails the step before the handler runs.
            result = handler.run(job)
            if inspect.isawaitable(result):
                result = asyncio.run(_awaited(job, result))
            job.returns()
            try:
                encoded = encode(result)
            except (TypeError, ValueError, RecursionError) as error:
                failure = Permanent(f"the result cannot be encoded: {error}")
            if len(encoded) > _LARGEST // 2:
                self._log.warning("the result of %s has %d bytes; a request carries %d at most", what, len(encoded), _LARGEST)
            if len(encoded) > _LARGEST:
                failure = Permanent(f"the result has {len(encoded)} bytes: more than a request carries, and than the setting \"result_bytes\"")
        except Ended:
            pass
        except BaseException as error:  # SystemExit and the like end no worker
            failure = error
        claim = (job.step_uuid, job.claim_no)
        took: dict[str, Any] = {"execution_time_ms": int((time.monotonic() - started) * 1000)}
        if job.misuse is not None:
            return _outcome(claim, what, {**took, "permanent": True}, job.misuse), None
        if job.over is not None:
            failure = job.over
        if isinstance(failure, Continued):
            return None, failure
        if isinstance(failure, (Suspended, Lost, Cancelled, Abandoned)):
            return None, None
        if job.ended.is_set() and job.over is None and (failure is not None or not job.unjudged):
            return None, None  # The step is no longer ours, or its failure is recorded.
        if failure is None:
            return _outcome(claim, what, took, None, encoded), None
        text = text_of(failure)
        meant = isinstance(failure, (Permanent, Misfit, KeptError, Retry))
        if not meant:
            trace = "".join(traceback.format_exception(type(failure), failure, failure.__traceback__))[-_TRACEBACK:]
            self._log.warning("the handler %s of %s failed:\n%s", job.handler, what, trace)
            text = f"{text}\n\n{trace}"
        if isinstance(failure, (Permanent, Misfit, KeptError)):
            took["permanent"] = True
        if isinstance(failure, Retry):
            took["backoff_seconds"] = max(0, round(failure.after, 3))
        return _outcome(claim, what, took, text), None

    # Leases.

    def _attend(self) -> None:
        """Renews leases, ends handlers whose time is over, and says that the worker lives."""
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
                due += [outcome.claim for outcome in self._owed if now - outcome.renewed >= every]
                deadlines = [r.deadline - now for r in self._running.values() if r.deadline is not None and not r.reported]
            try:
                for start in range(0, len(due), 1000):
                    self._extend(due[start : start + 1000])
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
            with self._changed:
                if not self._done:
                    self._changed.wait(max(0.01, min([every / 2, 1.0, *deadlines])))

    def _register(self) -> None:
        body = {"worker_uuid": self._uuid, "name": self._name, "namespaces": self._namespaces, "handlers": sorted(self._handlers)}
        self._source.once(lambda: self._client.request("POST", "/v1/workers", body, self._within), "registering the worker")

    def _extend(self, claims: list[_Claim]) -> None:
        at = time.monotonic()
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims], "lease_seconds": self._lease}
        answers = self._source.once(lambda: self._client.request("POST", "/v1/leases", body, self._within), "renewing leases")
        for answer in answers["items"]:
            claim = (answer["step_uuid"], answer["claim_no"])
            with self._changed:
                running = self._running.get(claim)
                for outcome in self._owed:
                    if outcome.claim == claim:
                        outcome.renewed = at  # Whatever the answer: the exchange has the judgement.
            if running is None or answer["answer"] == "busy":
                continue
            if answer["answer"] == "extended":
                running.renewed = at
                continue
            self._log.warning("the handler of %s is to stop: its step is %s", _named(running.job._claimed), answer["answer"])
            running.job.unjudged = False
            cancelled = answer["answer"] == "cancelled"
            running.job.end(Cancelled("the step was cancelled") if cancelled else Lost("the step is no longer this worker's"))

    def _hand_back(self) -> None:
        """Hands back what runs longer than the worker waits. The caller holds the lock."""
        for claim, running in self._running.items():
            if not running.reported:
                self._releases.append(claim)
            running.reported = True
            running.job.end(Lost("the worker stops"))
        self._handed_back = True

    def _release(self, claims: list[_Claim]) -> None:
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims]}
        try:
            answers = self._source.once(lambda: self._client.request("POST", "/v1/releases", body, 10.0), "handing back steps")["items"]
            again = [(a["step_uuid"], a["claim_no"]) for a in answers if a["answer"] == "busy"]
        except Unavailable:
            again = claims
        except ApiError as error:
            self._log.warning("steps could not be handed back; they run again when their leases have ended: %s", error)
            return
        with self._changed:
            self._releases += again


def _named(step: dict[str, Any]) -> str:
    """A claimed step, for people."""
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
