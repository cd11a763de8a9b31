"""docs/howto/later.md"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from pgtasker import Client, Job, Task, Workflow


@dataclass
class Note:
    text: str


reminders = Workflow("guide", "reminders", Note, version="1.0.0", identity="new")


@reminders.step()
def remind(job: Job[Note]) -> str:
    return job.input.text


reminder = reminders.returns(remind)


def later(client: Client, text: str) -> Task[Note, str]:
    return reminder.start(client, Note(text), start_at=datetime.now(timezone.utc) + timedelta(hours=2))
