"""Errors that handlers raise, and errors that calls raise."""

from __future__ import annotations

from datetime import timedelta


class Permanent(Exception):
    """A handler raises it to fail its step for good, because another attempt would not mend the error."""


class Retry(Exception):
    """A handler raises it to be tried again after the given seconds instead of the template's backoff."""

    def __init__(self, message: str, after: float | timedelta) -> None:
        super().__init__(message)
        self.after = after.total_seconds() if isinstance(after, timedelta) else after


class Snooze(Exception):
    """A handler raises it to run again after the given seconds without a failure: the attempt does not count. The
    message stands in the history of the step. A snooze lasts from a millisecond to a year."""

    def __init__(self, message: str, after: float | timedelta) -> None:
        super().__init__(message)
        self.after = after.total_seconds() if isinstance(after, timedelta) else after


class Lost(Exception):
    """The step no longer belongs to this worker: another attempt may run elsewhere. The handler should stop."""


class Cancelled(Exception):
    """The step was cancelled. The handler should stop."""


class ApiError(Exception):
    """The server refused a request: the server would refuse another try, too. code is the error code, such as TK404."""

    def __init__(self, status: int, code: str, detail: str, hint: str = "") -> None:
        super().__init__(f"{detail} | {hint} ({code})" if hint else f"{detail} ({code})")
        self.status = status
        self.code = code
        self.detail = detail
        self.hint = hint


class Unauthorized(ApiError):
    """The token is not valid, or no longer valid."""


def awaits_a_person(error: ApiError) -> bool:
    """Whether a refusal judges the token, its rights or the database, and not the request. The request succeeds when a
    person has mended them."""
    return error.status in (401, 403, 507)


class Unavailable(Exception):
    """The server did not answer, or cannot serve the request now. The same request may succeed later. status is 0 if
    there was no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def concerns_some(error: ApiError | Unavailable) -> bool:
    """Whether a refusal of a call may concern only some of its items, so that the call should be split. One item may
    make the server fail."""
    return error.status == 500 if isinstance(error, Unavailable) else not isinstance(error, Unauthorized)


class Undelivered(Exception):
    """The worker has stopped, and results could not be recorded: their steps run again when their leases have ended."""

    def __init__(self, results: int, why: str) -> None:
        super().__init__(f"{results} results could not be recorded before the worker stopped: {why}")
        self.results = results


class Blocked(Exception):
    """The awaited task cannot continue without an operator, because a step has failed for good."""

    def __init__(self, task: dict[str, object]) -> None:
        super().__init__(
            f"task {task.get('task_uuid')} is blocked by failures: retry the failed steps, resolve them, or give the task up"
        )
        self.task = task


class TaskFailed(Exception):
    """The awaited task failed, was cancelled, or is blocked by a failed step until an operator decides."""

    def __init__(self, task_uuid: str, state: str, step: str | None, error: str | None) -> None:
        first = (error or "").partition("\n")[0]
        super().__init__(f"task {task_uuid} is {state}" + (f": step {step!r}: {first}" if step else ""))
        self.task_uuid, self.state, self.step, self.error = task_uuid, state, step, error


class Ended(BaseException):
    """Ends the handler of a durable function that waits or begins again. It is no subclass of Exception, so that no
    handler treats it as a failure. Later calls of the handler have no effect."""

    def __init__(self, why: BaseException | None = None) -> None:
        super().__init__("the run of the function has ended")
        self.why = why
