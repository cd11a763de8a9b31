"""docs/howto/failure-branches.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Failure, Job, Permanent, Workflow, ended, failed, first_of


@dataclass
class Delivery:
    parcel: str
    van: str = "fine"


deliveries = Workflow("guide", "deliveries", Delivery, version="1.0.0", identity="new", on_undo="drain")


@deliveries.step()
def reserve(job: Job[Delivery]) -> str:
    return f"a van for {job.input.parcel}"


@deliveries.step(after=reserve)
def send(job: Job[Delivery], van: str) -> str:
    if job.input.van != "fine":
        raise Permanent(f"the van is {job.input.van}")
    return "sent"


@deliveries.step(after=failed(send))
def alert(job: Job[Delivery], failures: list[Failure]) -> str:
    return f"{failures[0].step}: {failures[0].error}"


@deliveries.step(after=ended(send))
def clean_up(job: Job[Delivery], failures: list[Failure]) -> int:
    return len(failures)


delivery = deliveries.returns(alert, clean_up)
quotes = Workflow("guide", "quotes", Delivery, version="1.0.0", identity="new")


@quotes.step()
def ask_ups(job: Job[Delivery]) -> int:
    return 700


@quotes.step()
def ask_dhl(job: Job[Delivery]) -> int:
    return 800


@quotes.step(after=first_of(ask_ups, ask_dhl))
def book(job: Job[Delivery], ups: int | None, dhl: int | None) -> str:
    return f"ups for {ups}" if ups is not None else f"dhl for {dhl}"


quote = quotes.returns(book)
