"""docs/howto/joins.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow, any_of, settled


@dataclass
class Damage:
    amount: int
    card: str = "valid"


@dataclass
class Charged:
    ok: bool
    refused: str = ""


class CardExpired(Exception): ...


class Bank:
    def charge(self, key: str, card: str) -> None:
        if card == "expired":
            raise CardExpired("the card has expired")


bank = Bank()
claims = Workflow("guide", "claims", Damage, version="1.0.0")


@claims.step()
def assess(job: Job[Damage]) -> Damage:
    return job.input


@claims.step(after=assess.when(lambda d: d.amount < 1000))
def approve(job: Job[Damage], damage: Damage) -> str:
    return "approved"


@claims.step(after=assess.when(lambda d: d.amount >= 1000))
def investigate(job: Job[Damage], damage: Damage) -> str:
    return "investigated"


@claims.step(after=any_of(approve, investigate))
def pay(job: Job[Damage], approved: str | None, investigated: str | None) -> str:
    return f"paid, {approved or investigated}"


@claims.step(after=settled(pay))
def archive(job: Job[Damage], paid: str | None) -> str:
    return paid or "not paid"


claim = claims.returns(archive)
careful = Workflow("guide", "careful_payments", Damage, version="1.0.0", on_failure="halt")


@careful.step()
def charge(job: Job[Damage]) -> Charged:
    try:
        bank.charge(job.step_uuid, job.input.card)
    except CardExpired as error:
        return Charged(ok=False, refused=str(error))  # a result: conditions on ok choose
    return Charged(ok=True)


@careful.step(after=charge.when(lambda c: c.ok == False))  # noqa: E712
def remind(job: Job[Damage], charged: Charged) -> str:
    return "reminded: " + charged.refused


charging = careful.returns(charge)
