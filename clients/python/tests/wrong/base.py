"""A right program, which the wrong ones import. No line of it may be reported."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from pydantic import BaseModel

from pgtasker import AsyncJob, Job, Known, Signal, Undo, Workflow, any_of, settled

@dataclass
class Line:
    sku: str
    qty: int

@dataclass
class Order:
    number: int
    customer: str
    lines: list[Line]

@dataclass
class Reservation:
    shelf: int

class Payment(TypedDict):
    receipt: str
    cents: int

class Approval(BaseModel):
    ok: bool
    note: str = ""

@dataclass
class Waiver:
    by: str

@dataclass
class Parcel:
    order: int
    skus: list[str]
    express: bool = False

class Label(BaseModel):
    weight: float

order = Workflow("shop", "order", Order, version="1.0.0")
other = Workflow("shop", "other", Parcel, version="1.0.0")

@order.step()
async def reserve(job: AsyncJob[Order]) -> Reservation:
    return Reservation(job.input.number)

@order.map(order.each(lambda i: i.lines), max_parallel=3)
def price(job: Job[Order], line: Line) -> int:
    return line.qty * 100

@order.step(after=(reserve, price))
def charge(job: Job[Order], r: Reservation, prices: list[int]) -> Payment:
    return {"receipt": job.input.customer, "cents": sum(prices) + r.shelf}

@order.map(price.each(lambda p: p), allow_failures=1)
async def pack(job: AsyncJob[Order], cents: int) -> str:
    return str(cents)

@order.step(after=pack)
def count(job: Job[Order], packed: list[str | None]) -> int:
    return len(packed)

approved, waived = Signal("approved", Approval), Signal("waived", Waiver)
approve = order.wait("approve", approved, after=charge.when(lambda c: c["cents"] >= 1000))
either = order.wait("either", approved, waived, timeout=60.0, on_timeout="complete", after=charge)

@order.step(after=any_of(charge, approve))
def book(job: Job[Order], c: Payment | None, a: object) -> None: ...

@order.step(after=settled(pack))
async def tidy(job: AsyncJob[Order], packed: list[str | None] | None) -> None: ...

@charge.undo
def refund(job: Job[Order], undo: Undo[Payment]) -> None:
    if isinstance(undo, Known):
        print(undo.result["receipt"])

@price.undo_each
async def unprice(job: AsyncJob[Order], undo: Undo[int], line: Line) -> None: ...

@other.step()
async def label(job: AsyncJob[Parcel]) -> Label:
    return Label(weight=1.0)

parcel = other.returns(label)
ship = order.child("ship", parcel, lambda i, c: Parcel(c["cents"], ["a"], True), after=charge)

@order.step(after=ship)
def done(job: Job[Order], sent: Label) -> float:
    return sent.weight

fulfil = order.returns(charge, done)
