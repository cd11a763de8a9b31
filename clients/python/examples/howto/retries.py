"""docs/howto/retries.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Permanent, Retries, Retry, Workflow


@dataclass
class Payment:
    cents: int


@dataclass
class Receipt:
    number: str


class CardExpired(Exception): ...


class TooManyRequests(Exception): ...


class Bank:
    def charge(self, key: str, cents: int) -> Receipt:
        return Receipt(f"R-{cents}")


bank = Bank()
payments = Workflow("guide", "payments", Payment, version="1.0.0")


@payments.step(retry=Retries(attempts=5, base=2, factor=3, max=60))
def charge(job: Job[Payment]) -> Receipt:
    try:
        return bank.charge(job.step_uuid, job.input.cents)
    except CardExpired as error:
        raise Permanent("the card has expired") from error  # no further attempt
    except TooManyRequests as error:
        raise Retry("too many requests", after=600) from error  # instead of the template's wait; the attempt counts


@payments.step(after=charge, retry=Retries(attempts=10, base=30, constant=True), permanent=(CardExpired,), retry_after={TooManyRequests: 600})
def notify(job: Job[Payment], receipt: Receipt) -> str:
    return f"paid: {receipt.number}"


pay = payments.returns(notify)
