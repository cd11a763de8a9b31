"""docs/howto/triggers.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Event, Job, Workflow


@dataclass
class Address:
    region: str


@dataclass
class Paid:
    order: str
    amount: int
    address: Address


@dataclass
class Withdrawn:
    reason: str = ""


@dataclass
class Shipment:
    order: str
    region: str


shipments = Workflow("guide", "shipments", Shipment, version="1.0.0", identity="key")
paid, withdrawn = Event("paid_py", Paid, when=lambda p: p.amount > 0), Event("withdrawn_py", Withdrawn)
shipments.start_on(paid, lambda p: Shipment(order=p.order, region=p.address.region), identity=lambda p: p.order)
shipments.cancel_on(withdrawn)


@shipments.step()
def pack(job: Job[Shipment]) -> str:
    return f"{job.input.order} to {job.input.region}"


shipment = shipments.returns(pack)
