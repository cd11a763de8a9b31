"""Workers for pgtasker over HTTP, with the standard library only.

    worker = Worker(Client("http://127.0.0.1:8480", token), namespaces=["shop"])

    @worker.handler("charge", Order)
    def charge(job: Job[Order]) -> Receipt:
        return bank.charge(job.input.cents)

    worker.run_until_signalled()

The protocol is docs/http-workers.md of the repository.
"""

from .client import Client, CreatedTask
from .durable import Answer, KeptError
from .errors import ApiError, Blocked, Cancelled, Lost, Permanent, Retry, Unauthorized, Unavailable, Undelivered
from .fit import Misfit
from .job import Job
from .worker import Worker

__all__ = [
    "Answer",
    "ApiError",
    "Blocked",
    "Cancelled",
    "Client",
    "CreatedTask",
    "Job",
    "KeptError",
    "Lost",
    "Misfit",
    "Permanent",
    "Retry",
    "Unauthorized",
    "Unavailable",
    "Undelivered",
    "Worker",
]
