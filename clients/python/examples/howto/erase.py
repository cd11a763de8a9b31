"""docs/howto/erase.md"""

from __future__ import annotations

from uuid import UUID

from pgtasker import Client, erase_task, erase_tasks


def erase_one(client: Client, run: UUID) -> str:
    (erased,) = erase_task(client, run, "request 17 of the customer", actor="ann")
    return erased.outcome


def erase_all(client: Client, customer: str) -> int:
    done = 0
    for batch in erase_tasks(client, "request 17 of the customer", tags=[f"customer:{customer}"], with_children=True):
        done += sum(run.outcome == "erased" for run in batch)
        print(f"{done} erased, and left out: {[run.task_uuid for run in batch if run.outcome != 'erased']}")
    return done
