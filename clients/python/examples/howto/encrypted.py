"""docs/howto/encrypted.md"""

from __future__ import annotations

from typing import Any

from pgtasker import Client, Job, Worker
from pgtasker.codec import Codec, Encrypted


def claims(client: Client, keys: Codec) -> tuple[str, Worker]:
    encrypted = Encrypted(client, keys)
    task = encrypted.create_task("guide", "claim", {"customer": 7, "card": "4111 1111"})
    worker = Worker(encrypted, namespaces=["guide"])

    @worker.handler("pay", dict)
    def pay(job: Job[dict[str, Any]]) -> str:
        return "paid with " + str(job.input["card"])

    return task.task_uuid, worker
