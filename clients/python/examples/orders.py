"""The tutorial's order workflow: reserve, then charge and pack at the same time, then ship. An operator's token registers it once:
Client(url, token).register_template(TEMPLATE).

    TASKER_URL=http://127.0.0.1:8480 TASKER_TOKEN=tasker_… python3 examples/orders.py          # works until it is interrupted
    TASKER_URL=http://127.0.0.1:8480 TASKER_TOKEN=tasker_… python3 examples/orders.py 1 ann 1200   # places an order
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from uuid import UUID

from pgtasker import Client, Job, Permanent, Worker

TEMPLATE = {
    "namespace": "shop",
    "name": "order",
    "version": "1.0.0",
    "identity_strategy": "caller_provided",
    "steps": [
        {"name": "reserve"},
        {"name": "charge", "dependencies": ["reserve"], "retry": {"max_attempts": 3, "base_seconds": 0.1}},
        {"name": "pack", "dependencies": ["reserve"]},
        {"name": "ship", "dependencies": ["charge", "pack"]},
    ],
}


@dataclass
class Order:
    number: int
    customer: str
    cents: int


@dataclass
class Receipt:
    number: str
    cents: int


def new_worker(client: Client, lease: int = 60) -> Worker:
    """A worker that fulfils orders."""
    worker = Worker(client, namespaces=["shop"], lease=lease)

    @worker.handler("reserve", Order)
    def reserve(job: Job[Order]) -> dict[str, str]:
        return {"shelf": f"A{job.input.number % 10}"}

    @worker.handler("charge", Order)
    def charge(job: Job[Order]) -> Receipt:
        """A durable function: the bank is asked once, however often the handler runs."""
        if job.input.cents <= 0:
            raise Permanent("an order costs something")

        def ask_the_bank(key: UUID) -> Receipt:
            if job.attempt == 1 and job.input.customer == "unlucky":
                raise ConnectionError("the bank does not answer")
            return Receipt(f"R-{job.input.number}", job.input.cents)

        return job.once("charge", ask_the_bank, Receipt)

    @worker.handler("pack", Order)
    def pack(job: Job[Order]) -> dict[str, str]:
        return {"from": job.result("reserve", dict)["shelf"]}

    @worker.handler("ship", Order)
    def ship(job: Job[Order]) -> dict[str, object]:
        receipt = job.result("charge", Receipt)
        shelf = job.result("reserve", dict)["shelf"]
        return {"to": job.input.customer, "receipt": receipt.number, "from": shelf}

    return worker


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    client = Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"])
    if len(sys.argv) == 4:
        order = {"number": int(sys.argv[1]), "customer": sys.argv[2], "cents": int(sys.argv[3])}
        task = client.create_task("shop", "order", order, identity_key=sys.argv[1])
        print(task.task_uuid, "placed" if task.created else "was placed before")
        return
    new_worker(client).run_until_signalled()


if __name__ == "__main__":
    main()
