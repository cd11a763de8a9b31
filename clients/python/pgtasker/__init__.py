"""Workflows and workers for pgtasker: over HTTP with the standard library only, or directly over PostgreSQL (pgtasker.postgres).

    worker = Worker(Client("http://127.0.0.1:8480", token), namespaces=["shop"])

    @worker.handler("charge", Order)
    def charge(job: Job[Order]) -> Receipt:
        return bank.charge(job.input.cents)

    worker.run_until_signalled()

The protocol is docs/http-workers.md of the repository.
"""

from .asyncjob import AsyncJob, Event, Happened, Pause, Paused, Received, Signal, TimedOut
from .client import AsyncClient, Client, CreatedTask
from .durable import Answer, KeptError
from .erase import Erased, erase_task, erase_tasks
from .errors import ApiError, Blocked, Cancelled, Lost, Permanent, Retry, Snooze, TaskFailed, Unauthorized, Unavailable, Undelivered
from .fit import Misfit
from .job import Job
from .worker import Worker
from .workflow import AsyncTask, Dep, Failure, Known, Policy, Retries, Returning, Step, Task, Undo, Unknown, Workflow, any_of, ended, failed, first_of, settled

RetryAfter = Retry

__all__ = [
    "Answer",
    "ApiError",
    "AsyncClient",
    "AsyncJob",
    "AsyncTask",
    "Blocked",
    "Cancelled",
    "Client",
    "CreatedTask",
    "Dep",
    "Erased",
    "Event",
    "Failure",
    "Happened",
    "Job",
    "KeptError",
    "Known",
    "Lost",
    "Misfit",
    "Pause",
    "Paused",
    "Permanent",
    "Policy",
    "Received",
    "Retries",
    "Retry",
    "RetryAfter",
    "Returning",
    "Signal",
    "Snooze",
    "Step",
    "Task",
    "TaskFailed",
    "TimedOut",
    "Unauthorized",
    "Unavailable",
    "Undelivered",
    "Undo",
    "Unknown",
    "Worker",
    "Workflow",
    "any_of",
    "ended",
    "erase_task",
    "erase_tasks",
    "failed",
    "first_of",
    "settled",
]
