"""docs/howto/transactions.md"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg

from pgtasker import Job, Task, Workflow


@dataclass
class Invoice:
    invoice: int


invoices = Workflow("guide", "printed_invoices", Invoice, version="1.0.0")


@invoices.step()
def print_invoice(job: Job[Invoice]) -> int:
    # The transaction in which the result of this step is recorded.
    job.tx().execute("insert into prints (step_uuid, invoice) values (%s, %s)", (job.step_uuid, job.input.invoice))
    return job.input.invoice


printed = invoices.returns(print_invoice)


def book(connection: psycopg.Connection[Any], number: int) -> Task[Invoice, int]:
    with connection.transaction():
        task = printed.start(connection, Invoice(number))
        connection.execute("insert into invoices (number, task_uuid) values (%s, %s)", (number, task.uuid))
    return task
