"""docs/howto/limits.md and docs/howto/priorities.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow


@dataclass
class Bill:
    customer: str
    cents: int


bills = Workflow("guide", "bills", Bill, version="1.0.0", identity="new")


@bills.step(limit="stripe")
def charge(job: Job[Bill]) -> int:
    return job.input.cents


@bills.step(after=charge, limit="tenant", limit_key=lambda bill: bill.customer, priority=5)
def report(job: Job[Bill], cents: int) -> str:
    return f"{job.input.customer}: {cents}"


bill = bills.returns(report)


@dataclass
class Transfer:
    account: str


transfers = Workflow("guide", "transfers", Transfer, version="1.0.0", identity="new")


@transfers.step(limits=[transfers.limit("account", lambda t: t.account, whole_run=True), transfers.limit("bank", units=2)])
def transfer(job: Job[Transfer]) -> str:
    return job.input.account


transferred = transfers.returns(transfer)


@dataclass
class Export:
    customer: str
    places: int | None = None


exports = Workflow("guide", "exports", Export, version="1.0.0", identity="new")


@exports.step(limits=[exports.limit("exports", lambda e: e.customer, bound=lambda e: e.places, bound_max=50)])
def export(job: Job[Export]) -> str:
    return job.input.customer


exported = exports.returns(export)
