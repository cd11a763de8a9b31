import os
from dataclasses import dataclass
from pgtasker import AsyncJob, Worker, Workflow
from pgtasker.postgres import Postgres

@dataclass
class Order:
    number: int

order = Workflow("shop", "first", Order, version="1.0.0")

@order.step()
async def reserve(job: AsyncJob[Order]) -> int:
    return job.input.number * 10

@order.step(after=reserve)
async def charge(job: AsyncJob[Order], shelf: int) -> str:
    return f"paid for shelf {shelf}"

fulfil, database = order.returns(charge), Postgres(os.environ["DATABASE_URL"])
with Worker(database, [fulfil]):
    print(fulfil.start(database, Order(7)).result())
