"""docs/howto/pause-and-change.md"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pgtasker import Job, Task, Workflow


@dataclass
class Refund:
    amount: int


refunds = Workflow("guide", "refunds_paused", Refund, version="1.0.0", identity="new")


@refunds.step()
def pay(job: Job[Refund]) -> int:
    return job.input.amount


paid = refunds.returns(pay)


def lower(task: Task[Refund, int], refund: Refund) -> bool:
    task.pause("the bank is closed")
    changed = task.change(input=replace(refund, amount=refund.amount - 10), reason="ten were paid before")
    return task.resume("it is open again") and changed
