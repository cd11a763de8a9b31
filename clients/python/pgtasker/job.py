"""One attempt at a step, in the form that a handler gets."""

from __future__ import annotations

import threading
import typing
from typing import Any, Callable, Generic, TypeVar, cast
from urllib.parse import quote
from uuid import UUID, uuid5

from .asyncjob import Awaited, Event, Pause, Paused, Seconds, TimedOut, Value, seconds
from .durable import Function
from .errors import Cancelled, Lost, Permanent
from .fit import Misfit, fit, fit_result
from .jsontext import encode, plain
from .source import Source
from .streams import Writer
from .waits import answer_of, awaited

if typing.TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow

W = TypeVar("W", bound=Value)
In = TypeVar("In")
T = TypeVar("T")


class Job(Writer, Function, Generic[In]):
    """One attempt at a step. A handler that calls once, sleep, await_signal and the like is a durable function: it may
    stop at such a call and continue later, on another worker, with its kept results (docs/durable.md of the
    repository)."""

    def __init__(self, claimed: dict[str, Any], source: Source, to: type[In]) -> None:
        if "undecodable" in claimed:
            raise Permanent(claimed["undecodable"])
        self.step_uuid: str = claimed["step_uuid"]
        self.task_uuid: str = claimed["task_uuid"]
        self.namespace: str = claimed["namespace"]
        self.task: str = claimed["task_name"]
        self.task_version: str = claimed["task_version"]
        self.name: str = claimed["name"]
        self.handler: str = claimed["handler"]
        self.attempt: int = claimed["attempt"]
        self.max_attempts: int = claimed["max_attempts"]
        self.lost_count: int = claimed["lost_count"]
        self.correlation_id: str = claimed["correlation_id"]
        self.headers: dict[str, Any] = claimed["headers"] or {}
        self.last_error: str | None = claimed["last_error"]
        self.ended = threading.Event()
        """Set when the step no longer belongs to this worker or its time is over. The handler should then stop."""
        self.unjudged = False
        """Whether the lease has ended without an answer. A result may then still count."""
        self.claim_no: int = claimed["claim_no"]
        self._claimed = claimed
        self._source = source
        self._to = to
        self._why: BaseException | None = None
        self._on_end: Callable[[], object] | None = None
        self._results: dict[str, Any] | None = None
        self._path = f"/v1/tasks/{quote(self.task_uuid)}/workflow_steps/{quote(self.step_uuid)}"
        self.index: int = (claimed["inputs"] or {}).get("index", 0) if isinstance(claimed["inputs"], dict) else 0
        """The position of a map's element, from 0."""
        self._tx: Any = None
        self._atx: Any = None
        Function.__init__(self, claimed["kept"])

    @property
    def input(self) -> In:
        """The task's context in the type with which the handler was registered."""
        if not hasattr(self, "_input"):
            context = self._claimed["context"]
            if context is None:
                context = self._source.context(self.task_uuid)
            self._input = fit(f"the context of task {self.task!r}", context, self._to)
        return self._input

    @property
    def inputs(self) -> Any:
        """The inputs of the step: the template's initialization, or the inputs of add_steps. The inputs of a
        compensation describe the step that it undoes."""
        inputs = self._claimed["inputs"]
        if isinstance(inputs, dict) and inputs.get("result_omitted") is True:
            results = {row["name"]: row["results"] for row in self._source.pages(self._path + "/parent-results")}
            if inputs.get("step") in results:
                inputs = {name: value for name, value in inputs.items() if name != "result_omitted"}
                inputs["result"] = results[inputs["step"]]
                self._claimed["inputs"] = inputs
        return inputs

    def result(self, step: str, to: type[T]) -> T:
        """The result of a step on which this step depends, directly or not. Raises Misfit if the result does not fit
        the type. Another worker may have a build that fits, so a handler that raises the Misfit leaves the step to
        other workers, and the attempt does not count. The Misfit of a step that has no result fails the step for
        good."""
        results = self.results()
        if step in results:
            return cast(T, fit_result(step, results[step], to))
        found = self._source.call("GET", f"{self._path}/ancestor-results?name={quote(step)}")["items"]
        if not found:
            raise Misfit(f"step {self.name!r} has no result of {step!r}; its parents with a result are {sorted(results)}")
        return cast(T, fit_result(step, found[0]["results"], to))

    def results(self) -> dict[str, Any]:
        """The results of all parents that have a result, by their names. An element of a map has the name name[3]."""
        if self._results is None:
            self._results = self._claimed["parent_results"]
        if self._results is None:
            inputs = self._claimed["inputs"]
            element = isinstance(inputs, dict) and "index" in inputs
            # The elements of a map have the same parents.
            shared = f"{self.task_uuid} {self.name.rpartition('[')[0]}"
            self._results = self._source.parents(shared, self._load_results) if element else self._load_results()
        return self._results

    def _load_results(self) -> dict[str, Any]:
        return {row["name"]: row["results"] for row in self._source.pages(self._path + "/parent-results")}

    def last_checkpoint(self) -> Any:
        """The checkpoint of an earlier attempt, None without one."""
        return self._claimed["checkpoint"]

    def state(self) -> Any:
        """The state that the function passed to continue_as, None in its first round."""
        return (self._claimed["kept"] or {}).get("state")

    def checkpoint(self, value: Any) -> None:
        """Keeps the step's progress for the next attempt, and renews the lease. Raises Lost or Cancelled if the step no
        longer belongs to this worker."""
        self.check()
        try:
            body = encode({"claim_no": self.claim_no, "checkpoint": value, "lease_seconds": self._source.lease})
        except (TypeError, ValueError) as error:
            raise Permanent(f"the checkpoint cannot be encoded: {error}") from error
        answer = self._source.send("POST", self._path + "/checkpoint", body)["answer"]
        if answer != "saved":
            self.end(Cancelled("the step was cancelled") if answer == "cancelled" else Lost("the step is no longer this worker's"))
            self.check()
        self._claimed["checkpoint"] = plain(value)

    def _repeats(self) -> bool:
        return self._at < (len(self._kept) if self._loaded else int((self._claimed["kept"] or {}).get("count", 0)))

    def tx(self) -> psycopg.Connection[TupleRow]:
        """A connection whose transaction the worker commits together with the result of the step, so that both happen
        or neither. The handler must neither commit nor roll back. Available only over PostgreSQL."""
        if self._tx is None:
            self._tx = self._transactions().begin()
        return cast("psycopg.Connection[TupleRow]", self._tx)

    async def begin_async(self) -> Any:
        return await self._transactions().begin_async()

    def _transactions(self) -> Any:
        if not hasattr(self._source.client, "begin"):
            raise Permanent("a transaction of a step needs a worker over PostgreSQL: Worker(Postgres(…))")
        return self._source.client

    def wait(self, on: Awaited[W], *, timeout: Seconds | None = None) -> W | TimedOut:
        """Waits for a signal to the task, an event, or some time. The step is suspended meanwhile."""
        within = None if timeout is None else seconds(timeout)
        one: Any = on
        if isinstance(one, Pause):
            over = within is not None and within < one.duration
            self.sleep(cast(float, within) if over else one.duration)
            return TimedOut() if over else cast(W, Paused())
        if isinstance(one, Event) and callable(one.key):
            raise TypeError("a durable function knows its input: give the key of the event as a text")
        got = self.await_one(one.name, awaited(one), within)
        return cast(W, answer_of((one,)).read(f"what ended the wait for {one.name!r}", got))

    def once_key(self, name: str = "once") -> UUID:
        """A key that is the same in every attempt at this step."""
        return uuid5(UUID(self.step_uuid), name)

    def check(self) -> None:
        """Raises Lost, Cancelled or TimeoutError if the handler should stop."""
        if self._why is not None and self.ended.is_set():
            raise self._why

    def end(self, why: BaseException) -> None:
        """Tells the handler to stop. The worker calls this method."""
        if self._why is None:
            self._why = why
        self.ended.set()
        notify = self._on_end
        if notify is not None:
            notify()
