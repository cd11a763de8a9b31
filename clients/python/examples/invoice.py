"""The invoice workflow of docs/howto/python.md: a map, an approval, two ways to book, undo, a limit and a schedule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pgtasker import AsyncJob, Job, Known, Retries, Signal, Undo, Workflow, any_of

from . import services


@dataclass
class Line:
    sku: str
    qty: int

@dataclass
class Invoice:
    number: str
    customer: str
    lines: list[Line]

@dataclass
class Approval:
    ok: bool
    note: str = ""

@dataclass
class Total:
    cents: int


approved = Signal("approved", Approval)
flow = Workflow("billing", "invoice", Invoice, version="1.1.0", identity="key", on_failure="fail")

@flow.step(retry=Retries(attempts=5, base=0.2, max=5))
async def fetch(job: AsyncJob[Invoice]) -> list[Line]:
    return job.input.lines

@flow.map(fetch.each(lambda lines: lines), max_parallel=5)
def price(job: Job[Invoice], line: Line) -> int:
    return len(line.sku) * 100 * line.qty

@flow.step(after=price)
def total(job: Job[Invoice], prices: list[int]) -> Total:
    return Total(sum(prices))

approve = flow.wait("approve", approved, after=total.when(lambda t: t.cents >= 100_000), timeout=timedelta(days=3), assignee="finance",
                    description="Look at the invoice and say whether it may go.")

@flow.step(after=any_of(total.when(lambda t: t.cents < 100_000), approve.when(lambda a: a.payload.ok)))
async def book(job: AsyncJob[Invoice], small: Total | None, answer: object) -> None:
    await (await job.tx()).execute("update invoices set booked = true where number = %s", (job.input.number,))

@book.undo
async def unbook(job: AsyncJob[Invoice], undo: Undo[None]) -> None:
    await (await job.tx()).execute("update invoices set booked = false where number = %s", (job.input.number,))

@flow.step(after=(total, book), limit="bank", limit_key=lambda i: i.customer, timeout=20, retry=Retries(attempts=3, base=0.3))
async def charge(job: AsyncJob[Invoice], t: Total, booked: None) -> services.Receipt:
    return await job.once("charge", lambda key: services.charge(key, job.input.customer, t.cents), services.Receipt)

@charge.undo
async def refund(job: AsyncJob[Invoice], undo: Undo[services.Receipt]) -> None:
    if isinstance(undo, Known):
        await services.refund(undo.result)

@flow.step(after=charge, retry=Retries(attempts=2, base=0.2))
def mail(job: Job[Invoice], receipt: services.Receipt) -> None:
    services.send(job.input.customer, receipt)

flow.schedule("nightly", Invoice("house", "house", []), cron="0 2 * * *", timezone="Europe/Berlin", overlap="skip")
invoice = flow.returns(total, charge)
