"""docs/howto/input.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow


@dataclass
class Refund:
    amount: int
    note: str | None = None


refunds = Workflow("guide", "refunds", Refund, version="1.0.0", identity="new", check_input=True)


@refunds.step()
def pay_back(job: Job[Refund]) -> int:
    return job.input.amount


refund = refunds.returns(pay_back)
