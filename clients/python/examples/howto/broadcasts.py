"""docs/howto/broadcasts.md"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pgtasker import Client, Event, Happened, Job, Pause, Paused, Policy, Received, Signal, Task, Workflow


@dataclass
class Trade:
    market: str
    order: int


@dataclass
class Opened:
    at: str


@dataclass
class Fill:
    amount: int


@dataclass
class Withdrawal:
    by: str


trades = Workflow("guide", "trades", Trade, version="1.0.0", identity="key")

market_open = Event("market_open", Opened, key=lambda trade: trade.market)
filled = Event("filled", Fill, key=lambda trade: trade.order, look_back=timedelta(hours=1))
withdrawn = Signal("withdrawn", Withdrawal)

opened = trades.wait("open", market_open, timeout=timedelta(days=1))
over = trades.wait("filled", filled.when(lambda f: f.amount > 0), withdrawn, Pause(timedelta(hours=8)), after=opened)


@trades.step(after=over)
def book(job: Job[Trade], answer: Happened[Fill] | Received[Withdrawal] | Paused) -> str:
    if isinstance(answer, Paused):
        return "nothing came in eight hours"
    return f"{answer.payload.amount} filled" if isinstance(answer, Happened) else f"withdrawn by {answer.payload.by}"


trade = trades.returns(book)


def open_market(client: Client, market: str, day: str) -> bool:
    return trade.emit(client, market_open, Opened(at="09:00"), key=market, idempotency_key=f"open-{market}-{day}")


def withdraw(client: Client, number: str, by: str) -> str:
    return trade.send_by_key(client, number, withdrawn, Withdrawal(by), idempotency_key=f"withdraw-{number}")


def place(client: Client, number: str, given: Trade) -> Task[Trade, str]:
    # Requests for the same trade within two seconds start one task: the last one.
    return trade.start(client, given, key=number, policy=Policy(debounce=2, debounce_longest=60))
