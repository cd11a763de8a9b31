"""docs/durable.md, docs/howto/loops.md and docs/howto/changing-functions.md"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pgtasker import Job, Signal, TimedOut, Workflow


@dataclass
class Purchase:
    number: int
    amount: int


@dataclass
class Approval:
    ok: bool


class Bank:
    def __init__(self) -> None:
        self.charged: set[UUID] = set()

    def charge(self, amount: int, key: UUID) -> str:
        self.charged.add(key)
        return "receipt"

    def refund(self, amount: int, key: UUID) -> str:
        return "refunded"


bank = Bank()
approved = Signal("approved", Approval)
purchases = Workflow("guide", "purchases", Purchase, version="1.0.0", identity="new")


@purchases.step()
def fulfil(job: Job[Purchase]) -> str:
    receipt = job.once("charge", lambda key: bank.charge(job.input.amount, key))

    answer = job.wait(approved, timeout=timedelta(days=3))
    if isinstance(answer, TimedOut) or not answer.payload.ok:  # refused, or not answered in time
        return job.once("refund", lambda key: bank.refund(job.input.amount, key))

    job.sleep(24 * 3600)
    return receipt


fulfilment = purchases.returns(fulfil)
subscriptions = Workflow("guide", "subscriptions", Purchase, version="1.0.0", identity="new")
MONTH = 30 * 24 * 3600


@subscriptions.step()
def subscription(job: Job[Purchase]) -> int:
    usage = job.state() or {"month": 0, "total": 0}

    job.sleep(MONTH)
    job.once("charge", lambda key: bank.charge(job.input.amount, key))
    usage = {"month": usage["month"] + 1, "total": usage["total"] + job.input.amount}
    if usage["month"] == 12:
        return int(usage["total"])

    job.continue_as(usage)
    return 0  # not reached


subscribed = subscriptions.returns(subscription)
checks = Workflow("guide", "checks", Purchase, version="1.0.0", identity="new")


@checks.step()
def changed(job: Job[Purchase]) -> str:
    if job.changed("check-fraud"):
        job.once("fraud", lambda key: True)
    return job.once("charge", lambda key: bank.charge(job.input.amount, key))


checked = checks.returns(changed)
