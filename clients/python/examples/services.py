"""The services that the invoice workflow calls: a bank and a mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass
class Receipt:
    number: str
    cents: int


async def charge(key: UUID, customer: str, cents: int) -> Receipt:
    return Receipt(f"R-{customer}", cents)


async def refund(receipt: Receipt) -> None: ...


def send(customer: str, receipt: Receipt) -> None:
    if customer == "bounce":
        raise RuntimeError("mailbox full")
