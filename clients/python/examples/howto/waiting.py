"""docs/howto/waiting.md"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pgtasker import Client, Job, Received, Signal, Task, Workflow


@dataclass
class Order:
    number: str


@dataclass
class Approval:
    ok: bool
    note: str = ""


@dataclass
class Payment:
    amount: int


@dataclass
class Waiver:
    by: str


approved, paid, waived = Signal("approved", Approval), Signal("paid", Payment), Signal("waived", Waiver)
orders = Workflow("guide", "orders", Order, version="1.0.0", identity="key")

approve = orders.wait("approve", approved, timeout=timedelta(days=3), on_timeout="skip", assignee="finance")
settle = orders.wait("settle", paid.when(lambda p: p.amount >= 100), waived, after=approve.when(lambda a: a.payload.ok))


@orders.step(after=settle)
def ship(job: Job[Order], answer: Received[Payment] | Received[Waiver]) -> str:
    return "unpaid" if isinstance(answer.payload, Waiver) else f"paid {answer.payload.amount}"


order = orders.returns(ship)


def place(client: Client, number: str) -> Task[Order, str]:
    task = order.start(client, Order(number), key=number)
    task.send(approved, Approval(ok=True))  # checked by its type; a repeat of the request counts once
    return task
