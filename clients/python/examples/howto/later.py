"""docs/howto/later.md"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pgtasker import Client, Job, Workflow


@dataclass
class Note:
    text: str


reminders = Workflow("guide", "reminders", Note, version="1.0.0", identity="new")


@reminders.step()
def remind(job: Job[Note]) -> str:
    return job.input.text


reminder = reminders.returns(remind)


def later(client: Client, text: str) -> Any:
    at = datetime.now(timezone.utc) + timedelta(hours=2)
    body = {"namespace": "guide", "name": "reminders", "context": {"text": text}, "start_at": at.isoformat()}
    return client.request("POST", "/v1/tasks", body)["task_uuid"]
