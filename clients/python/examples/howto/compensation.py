"""docs/howto/compensation.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Known, Undo, Workflow


@dataclass
class Trip:
    to: str


@dataclass
class Booking:
    number: str


class Flights:
    def __init__(self) -> None:
        self.booked: dict[str, str] = {}

    def book(self, key: str, to: str) -> Booking:
        self.booked[key] = "X7"
        return Booking("X7")

    def cancel(self, number: str) -> None:
        self.booked = {key: booked for key, booked in self.booked.items() if booked != number}

    def cancel_if_booked(self, key: str) -> None:
        self.booked.pop(key, None)


flights = Flights()
trips = Workflow("guide", "trips", Trip, version="1.0.0", on_failure="fail")


@trips.step()
def flight(job: Job[Trip]) -> Booking:
    return flights.book(job.task_uuid, job.input.to)


@flight.undo
def cancel_flight(job: Job[Trip], undo: Undo[Booking]) -> None:
    if isinstance(undo, Known):
        flights.cancel(undo.result.number)
    else:  # begun, and without a known result
        flights.cancel_if_booked(job.task_uuid)  # the key that flight passed


@trips.step(after=flight)
def pay(job: Job[Trip], booking: Booking) -> str:
    if job.input.to == "Atlantis":
        raise RuntimeError("there is no hotel in Atlantis")
    return f"paid for {booking.number}"


trip = trips.returns(pay)
