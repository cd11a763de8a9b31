"""docs/howto/fan-out.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Permanent, Workflow


@dataclass
class Line:
    sku: str


@dataclass
class Basket:
    lines: list[Line]


@dataclass
class Total:
    cents: int
    parcels: list[str]


PRICES = {"a": 200, "b": 300, "anvil": 900}
baskets = Workflow("guide", "baskets", Basket, version="1.0.0", identity="new")


@baskets.map(baskets.each(lambda basket: basket.lines))
def price(job: Job[Basket], line: Line) -> int:
    return PRICES[line.sku]


@baskets.step(after=price)
def total(job: Job[Basket], prices: list[int]) -> Total:  # in the order of the lines
    return Total(sum(prices), [line.sku for line in job.input.lines])


@baskets.map(total.each(lambda t: t.parcels), max_parallel=10, allow_failures=1)
def ship(job: Job[Basket], parcel: str) -> str:
    if parcel == "anvil":
        raise Permanent("too heavy")
    return f"parcel {job.index}: {parcel}"


@baskets.step(after=(total, ship))
def summarise(job: Job[Basket], total: Total, shipped: list[str | None]) -> int:
    return len([parcel for parcel in shipped if parcel is not None])


basket = baskets.returns(summarise)
