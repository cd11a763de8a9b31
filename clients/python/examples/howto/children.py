"""docs/howto/children.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow


@dataclass
class Parcel:
    order: int
    lines: list[int]
    express: bool


@dataclass
class Label:
    weight: int


@dataclass
class Purchase:
    order: int


@dataclass
class Picked:
    lines: list[int]


parcels = Workflow("guide", "parcels", Parcel, version="1.0.0", identity="new", on_failure="fail")


@parcels.step()
def label(job: Job[Parcel]) -> Label:
    return Label(10 * len(job.input.lines))


parcel = parcels.returns(label)
purchases = Workflow("guide", "shipped_purchases", Purchase, version="1.0.0")


@purchases.step()
def pick(job: Job[Purchase]) -> Picked:
    return Picked([1, 2])


ship = purchases.child("ship", parcel, lambda purchase, picked: Parcel(purchase.order, picked.lines, True), after=pick)


@purchases.step(after=ship)
def bill(job: Job[Purchase], label: Label) -> int:
    return 5 * label.weight


purchase = purchases.returns(bill)
