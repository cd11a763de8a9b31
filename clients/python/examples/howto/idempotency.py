"""docs/howto/idempotency.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Client, Job, Workflow


@dataclass
class Event:
    event: int


@dataclass
class Import:
    lines: int


def import_line(number: int) -> None: ...


webhooks = Workflow("guide", "webhooks", Event, version="1.0.0", identity="key")  # or "input", the default, or "new"


@webhooks.step()
def deliver(job: Job[Event]) -> int:
    return job.input.event


webhook = webhooks.returns(deliver)


def receive(client: Client, event: int) -> tuple[bool, bool]:
    first = webhook.start(client, Event(event), key=f"event-{event}")
    second = webhook.start(client, Event(event), key=f"event-{event}")
    assert first.uuid == second.uuid
    return first.created, second.created  # True, False


imports = Workflow("guide", "imports", Import, version="1.0.0", identity="new")


@imports.step()
def import_file(job: Job[Import]) -> int:
    done = int(job.last_checkpoint() or 0)  # what an earlier attempt has kept
    for line in range(done, job.input.lines):
        try:
            import_line(line)
        except Exception:
            job.checkpoint(line)  # also renews the lease
            raise
    return job.input.lines


imported = imports.returns(import_file)
