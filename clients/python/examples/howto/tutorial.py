"""docs/tutorial.md"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import psycopg

from pgtasker import Job, Permanent, Retries, Task, Workflow


@dataclass
class Order:
    number: int
    customer: str
    cents: int


@dataclass
class Reservation:
    shelf: str


@dataclass
class Payment:
    receipt: str


@dataclass
class Parcel:
    label: str


order = Workflow("shop", "order_py", Order, version="1.0.0")


@order.step()
def reserve(job: Job[Order]) -> Reservation:
    return Reservation(f"shelf {job.input.number % 10}")


@order.step(after=reserve, retry=Retries(attempts=3, base=0.1))
def charge(job: Job[Order], reservation: Reservation) -> Payment:
    if job.input.cents <= 0:
        raise Permanent("nothing to pay")  # not tried again
    if os.path.exists("bank-is-closed"):
        raise RuntimeError("the bank is closed")  # tried again, as the step's options say
    return Payment(f"for step {job.step_uuid}")


@order.step(after=reserve)
def pack(job: Job[Order], reservation: Reservation) -> Parcel:
    return Parcel(f"{job.input.customer}, from {reservation.shelf}")


@order.step(after=(charge, pack))
def ship(job: Job[Order], payment: Payment, parcel: Parcel) -> str:
    return "sent to " + parcel.label


fulfil = order.returns(ship)


def place(connection: psycopg.Connection[Any], o: Order) -> Task[Order, str]:
    with connection.transaction():
        task = fulfil.start(connection, o)
        connection.execute("insert into orders_py values (%s, %s) on conflict do nothing", (o.number, task.uuid))
    return task
