"""A worker: claims steps, runs their handlers in threads, records what became of them."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, TypeVar

from .client import Client
from .durable import Continued, KeptError, Suspended, text_of
from .errors import ApiError, Cancelled, Ended, Lost, Permanent, Retry, Unauthorized
from .fit import Misfit, plain
from .http import Connection, encode
from .job import Job
from .source import Abandoned, Source

In = TypeVar("In")
_Claim = tuple[str, int]

_BATCH = 100
_HEARTBEAT = 30.0
_RESEND_BUSY = 0.1
_LONGEST_REFUSAL = 30.0


@dataclass
class _Handler:
    run: Callable[[Any], Any]
    to: Any


@dataclass
class _Running:
    job: Job[Any]
    renewed: float
    deadline: float | None
    reported: bool = False  # its time was over, which is recorded already


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
        self._within = max(1.0, min(10.0, lease / 4))  # so that no call holds up a renewal
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
        self._outcomes: list[dict[str, Any]] = []
        self._later: list[tuple[float, dict[str, Any]]] = []
        self._releases: list[_Claim] = []
        self._running: dict[_Claim, _Running] = {}
        self._active = 0  # handlers that have a place
        self._reserved = 0  # places that an exchange is to fill
        self._polling = False
        self._poll_connection: Connection | None = None
        self._refused_until = 0.0
        self._refusal = 0.0
        self._fatal: BaseException | None = None
        self._done = False

    def handler(self, name: str, to: type[In]) -> Callable[[Callable[[Job[In]], Any]], Callable[[Job[In]], Any]]:
        """Registers a handler, which gets the task's context as to: a dataclass, a TypedDict, dict or object."""

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
        """Works until stop, and returns when all is recorded. Raises Unauthorized if the token is no longer valid."""
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
                    if self._stopping and stop_by is None:
                        stop_by = now + self._stop_timeout
                    if stop_by is not None and self._polling:
                        self._end_poll()
                    self._outcomes += [result for at, result in self._later if at <= now]
                    self._later = [later for later in self._later if later[0] > now]
                    batch, self._outcomes = self._outcomes[:_BATCH], self._outcomes[_BATCH:]
                    releases, self._releases = self._releases[:_BATCH], self._releases[_BATCH:]
                    free = self._concurrency - self._active - self._reserved
                    if stop_by is not None or now < self._refused_until:
                        free = 0
                    polls = free > 0 and not self._polling
                    if batch or releases or polls or self._fatal is not None:
                        break
                    if stop_by is not None and not self._later and not self._polling:
                        if self._active == 0:
                            return
                        if now >= stop_by:
                            self._hand_back()
                            return
                    self._changed.wait(0.05 if self._later or stop_by is not None else 0.25)
                if self._fatal is not None:
                    return
                limit = 0 if self._polling else free
                if batch or not releases:
                    self._reserved += limit
            if releases:
                self._release(releases)
            if batch:
                self._exchange(batch, limit)
            elif not releases:
                with self._changed:
                    self._polling = True
                threading.Thread(target=self._poll, args=(limit,), name="pgtasker-poll", daemon=True).start()

    def _request(self, results: list[dict[str, Any]], limit: int, wait: int) -> bytes:
        return encode(
            {
                "worker_uuid": self._uuid,
                "request_uuid": str(uuid.uuid4()),
                "namespaces": self._namespaces,
                "handlers": sorted(self._handlers),
                "limit": limit,
                "lease_seconds": self._lease,
                "wait_seconds": wait,
                "results": results,
            }
        )

    def _exchange(self, batch: list[dict[str, Any]], limit: int) -> None:
        """Records results, and claims for the handlers that are free."""
        began = time.monotonic()
        try:
            answer = self._source.send("POST", "/v1/exchange", self._request(batch, limit, 0))
            self._take_answers(batch, answer["answers"])
            self._begin(answer["claimed"], limit, began)
        except Unauthorized as error:
            self._give_up(error)
        except ApiError as error:
            self._begin([], limit, began)
            self._results_only(batch, error)

    def _results_only(self, batch: list[dict[str, Any]], refused: ApiError) -> None:
        """Records results of which one was refused, or the claim with them: alone, and each by itself if need be."""
        try:
            answer = self._source.send("POST", "/v1/exchange", self._request(batch, 0, 0))
            self._take_answers(batch, answer["answers"])
            self._refuse(refused)
        except Unauthorized as error:
            self._give_up(error)
        except ApiError as error:
            if len(batch) > 1:
                for result in batch:
                    self._results_only([result], error)
            elif "error" in batch[0]:
                self._log.error("a failure was refused; step %s runs again when its lease has ended: %s", batch[0]["step_uuid"], error)
            else:
                self._log.error("the result of step %s was refused; it fails: %s", batch[0]["step_uuid"], error)
                self._results_only([_failure(batch[0], f"the server refused the result: {error}")], error)

    def _poll(self, limit: int) -> None:
        """Waits for steps, in a thread of its own."""
        began = time.monotonic()
        claimed: list[dict[str, Any]] = []
        connection = self._client.connection()
        with self._changed:
            self._poll_connection = connection
        try:
            data = self._request([], limit, self._poll_seconds)
            answer = self._source.persist(
                lambda: {"claimed": []}
                if self._stopping
                else connection.send("POST", "/v1/exchange", data, self._poll_seconds + 30.0),
                "waiting for steps",
                lambda: self._stopping,
            )
            claimed = answer["claimed"]
            self._refusal = 0.0
        except Abandoned:
            pass
        except Unauthorized as error:
            self._give_up(error)
        except ApiError as error:
            self._refuse(error)
        finally:
            connection.close()
            with self._changed:
                self._poll_connection = None
                self._polling = False
            self._begin(claimed, limit, began)

    def _end_poll(self) -> None:
        if self._poll_connection is not None:
            self._poll_connection.abort()

    def _refuse(self, error: ApiError) -> None:
        """Claims nothing for a while: the namespace may be registered, the right granted by then."""
        with self._changed:
            self._refusal = min(max(1.0, 2 * self._refusal), _LONGEST_REFUSAL)
            self._refused_until = time.monotonic() + self._refusal
        self._log.warning("a claim was refused; trying again in %d s: %s", self._refusal, error)

    def _give_up(self, error: BaseException) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _take_answers(self, batch: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
        for result, answer in zip(batch, answers):
            what = answer["answer"]
            with self._changed:
                if what == "busy":
                    self._later.append((time.monotonic() + _RESEND_BUSY, result))
                elif what == "too_large":
                    self._outcomes.append(_failure(result, 'the result is over the setting "result_bytes"'))
            if what in ("retrying", "failed"):
                self._log.warning("step %s is %s: %s", result["step_uuid"], what, result.get("error"))
            elif what in ("stale", "cancelled", "not_found"):
                self._log.warning("the result of step %s came too late: %s", result["step_uuid"], what)

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
        handler = self._handlers[step["handler"]]
        deadline = None if step["timeout_seconds"] is None else time.monotonic() + step["timeout_seconds"]
        started = time.monotonic()
        outcome: dict[str, Any] | None = None
        running: _Running | None = None
        try:
            while True:
                job: Job[Any] = Job(step, self._source, handler.to)
                with self._changed:
                    running = self._running[claim] = _Running(job, running.renewed if running else began, deadline)
                outcome, continued = self._attempt(handler, job)
                if continued is None or running.reported:
                    break
                step = {
                    **step, "attempt": 1, "last_error": None,
                    "kept": {"round": continued.round, "count": 0, "results": [], "state": continued.state},
                }
        finally:
            with self._changed:
                self._running.pop(claim, None)
                self._active -= 1
                if outcome is not None and not (running and running.reported):
                    outcome.update(step_uuid=claim[0], claim_no=claim[1])
                    outcome.update(execution_time_ms=int((time.monotonic() - started) * 1000))
                    self._outcomes.append(outcome)
                self._changed.notify_all()

    def _attempt(self, handler: _Handler, job: Job[Any]) -> tuple[dict[str, Any] | None, Continued | None]:
        """Runs a handler once: what is to be recorded, if anything, or that it begins again."""
        failure: BaseException | None = None
        result: Any = None
        try:
            job.input  # A context that does not fit fails the step before the handler runs.
            result = plain(handler.run(job))
            job.returns()
            encode(result)
        except Ended:
            pass
        except Exception as error:
            failure = error
            if isinstance(error, (TypeError, ValueError)) and job.over is None and result is not None:
                failure = Permanent(f"the result cannot be encoded: {error}")
        except BaseException as error:  # SystemExit and the like end no worker
            failure = error
        if job.misuse is not None:
            return {"error": job.misuse, "permanent": True}, None
        if job.over is not None:
            failure = job.over
        if isinstance(failure, Continued):
            return None, failure
        if isinstance(failure, (Suspended, Lost, Cancelled, Abandoned)):
            return None, None
        if job.ended.is_set() and job.over is None:
            return None, None  # The step is no longer ours, or its failure is recorded.
        if failure is None:
            return {"result": result}, None
        outcome: dict[str, Any] = {"error": text_of(failure)[:100_000] or type(failure).__name__}
        if isinstance(failure, (Permanent, Misfit, KeptError)):
            outcome["permanent"] = True
        if isinstance(failure, Retry):
            outcome["backoff_seconds"] = max(0, round(failure.after))
        return outcome, None

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
                        self._outcomes.append({"step_uuid": claim[0], "claim_no": claim[1], "error": text})
                        running.job.end(TimeoutError(text))
                        self._changed.notify_all()
                due = [claim for claim, running in self._running.items() if now - running.renewed >= every and not running.reported]
                deadlines = [r.deadline - now for r in self._running.values() if r.deadline is not None and not r.reported]
            try:
                for start in range(0, len(due), 1000):
                    self._extend(due[start : start + 1000])
                if now >= beat:
                    beat = now + _HEARTBEAT
                    self._register()
            except Exception as error:
                self._log.warning("leases could not be renewed, or the worker not registered; trying again: %s", error)
            with self._changed:
                if not self._done:
                    self._changed.wait(max(0.01, min([every / 2, 1.0, *deadlines])))

    def _register(self) -> None:
        body = {"worker_uuid": self._uuid, "name": self._name, "namespaces": self._namespaces, "handlers": sorted(self._handlers)}
        self._client.request("POST", "/v1/workers", body, self._within)

    def _extend(self, claims: list[_Claim]) -> None:
        at = time.monotonic()
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims], "lease_seconds": self._lease}
        for answer in self._client.request("POST", "/v1/leases", body, self._within)["items"]:
            claim = (answer["step_uuid"], answer["claim_no"])
            with self._changed:
                running = self._running.get(claim)
            if running is None or answer["answer"] == "busy":
                continue
            if answer["answer"] == "extended":
                running.renewed = at
                continue
            self._log.warning("the handler of step %s is to stop: its step is %s", claim[0], answer["answer"])
            cancelled = answer["answer"] == "cancelled"
            running.job.end(Cancelled("the step was cancelled") if cancelled else Lost("the step is no longer this worker's"))

    def _hand_back(self) -> None:
        """Hands back what runs longer than the worker waits. The caller holds the lock."""
        left = list(self._running)
        for running in self._running.values():
            running.reported = True
            running.job.end(Lost("the worker stops"))
        self._changed.release()
        try:
            self._release(left)
        finally:
            self._changed.acquire()

    def _release(self, claims: list[_Claim]) -> None:
        body = {"claims": [{"step_uuid": s, "claim_no": n} for s, n in claims]}
        try:
            answers = self._source.call("POST", "/v1/releases", body)["items"]
        except (ApiError, Abandoned) as error:
            self._log.warning("steps could not be handed back; they run again when their leases have ended: %s", error)
            return
        with self._changed:
            self._releases += [(a["step_uuid"], a["claim_no"]) for a in answers if a["answer"] == "busy" and not self._done]


def _failure(result: dict[str, Any], text: str) -> dict[str, Any]:
    """A result turned into a failure for good."""
    return {"step_uuid": result["step_uuid"], "claim_no": result["claim_no"], "error": text, "permanent": True}
