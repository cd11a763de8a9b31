"""One attempt at a step, as a handler gets it."""

from __future__ import annotations

import threading
from typing import Any, Callable, Generic, TypeVar
from urllib.parse import quote

from .durable import Function
from .errors import Cancelled, Lost, Permanent
from .fit import Misfit, fit
from .jsontext import encode, plain
from .source import Source

In = TypeVar("In")
T = TypeVar("T")


class Job(Function, Generic[In]):
    """One attempt at a step. A handler that calls once, sleep, await_signal and the like is a durable function: it may stop
    there and go on later, elsewhere, over what was kept (docs/durable.md of the repository)."""

    def __init__(self, claimed: dict[str, Any], source: Source, to: type[In]) -> None:
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
        """Set when the step is no longer this worker's, or its time is over: the handler should stop."""
        self.unjudged = False
        """Whether the lease has ended without an answer: then a result may still count."""
        self.claim_no: int = claimed["claim_no"]
        self._claimed = claimed
        self._source = source
        self._to = to
        self._why: BaseException | None = None
        self._on_end: Callable[[], object] | None = None
        self._results: dict[str, Any] | None = None
        self._path = f"/v1/tasks/{quote(self.task_uuid)}/workflow_steps/{quote(self.step_uuid)}"
        Function.__init__(self, claimed["kept"])

    @property
    def input(self) -> In:
        """The task's context as the type that the handler was registered with."""
        if not hasattr(self, "_input"):
            context = self._claimed["context"]
            if context is None:
                context = self._source.call("GET", "/v1/tasks/" + quote(self.task_uuid))["context"]
            self._input = fit(f"the context of task {self.task!r}", context, self._to)
        return self._input

    @property
    def inputs(self) -> Any:
        """The step's own inputs: the template's initialization, or what add_steps gave it; of a compensation, what it undoes."""
        inputs = self._claimed["inputs"]
        if isinstance(inputs, dict) and inputs.get("result_omitted") is True:
            results = {row["name"]: row["results"] for row in self._source.pages(self._path + "/parent-results")}
            if inputs.get("step") in results:
                inputs = {name: value for name, value in inputs.items() if name != "result_omitted"}
                inputs["result"] = results[inputs["step"]]
                self._claimed["inputs"] = inputs
        return inputs

    def result(self, step: str, to: type[T]) -> T:
        """The result of a step that this one depends on, directly or not. Raises Misfit, which fails the step for good, if there
        is none or if it does not fit the type."""
        results = self.results()
        if step in results:
            return fit(f"the result of {step!r}", results[step], to)
        found = self._source.call("GET", f"{self._path}/ancestor-results?name={quote(step)}")["items"]
        if not found:
            raise Misfit(f"step {self.name!r} has no result of {step!r}; its parents with a result are {sorted(results)}")
        return fit(f"the result of {step!r}", found[0]["results"], to)

    def results(self) -> dict[str, Any]:
        """The results of all parents that have one, by their names; those of the elements of a map as name[3]."""
        if self._results is None:
            self._results = self._claimed["parent_results"]
        if self._results is None:
            pages = self._source.pages(self._path + "/parent-results")
            self._results = {row["name"]: row["results"] for row in pages}
        return self._results

    def last_checkpoint(self) -> Any:
        """What an earlier attempt saved with checkpoint, or continue_as with a state; None if there is nothing."""
        return self._claimed["checkpoint"]

    def checkpoint(self, value: Any) -> None:
        """Keeps how far the step has come, for the next attempt, and renews the lease. Raises Lost or Cancelled if the step is no
        longer this worker's."""
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

    def check(self) -> None:
        """Raises Lost, Cancelled or TimeoutError if the handler should stop."""
        if self._why is not None and self.ended.is_set():
            raise self._why

    def end(self, why: BaseException) -> None:
        """Tells the handler to stop. The worker calls it."""
        if self._why is None:
            self._why = why
        self.ended.set()
        notify = self._on_end
        if notify is not None:
            notify()
