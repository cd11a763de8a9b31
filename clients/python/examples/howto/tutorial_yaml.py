"""docs/tutorial-yaml.md"""

from __future__ import annotations

import os
from dataclasses import dataclass

from pgtasker import Job, Permanent, Worker


@dataclass
class Order:
    number: int
    customer: str
    cents: int


@dataclass
class Reservation:
    Shelf: str


@dataclass
class Parcel:
    Label: str


def handle(worker: Worker) -> None:
    @worker.handler("reserve", Order)
    def reserve(job: Job[Order]) -> Reservation:
        return Reservation(f"shelf {job.input.number % 10}")

    @worker.handler("charge", Order)
    def charge(job: Job[Order]) -> dict[str, str]:
        if job.input.cents <= 0:
            raise Permanent("nothing to pay")  # not tried again
        if os.path.exists("bank-is-closed"):
            raise ConnectionError("the bank is closed")  # tried again, as the template says
        return {"Receipt": f"for step {job.step_uuid}"}

    @worker.handler("pack", Order)
    def pack(job: Job[Order]) -> Parcel:
        return Parcel(f"{job.input.customer}, from {job.result('reserve', Reservation).Shelf}")

    @worker.handler("ship", Order)
    def ship(job: Job[Order]) -> str:
        return "sent to " + job.result("pack", Parcel).Label
