"""A worker of empty handlers, for bench/clients: python3 -m bench.drain [http]"""

import os
import sys

from pgtasker import Client, Job, Worker
from pgtasker.postgres import Postgres

client = Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"]) if sys.argv[1:] == ["http"] else Postgres(os.environ["DATABASE_URL"])
worker = Worker(client, namespaces=["bench"])


def one(job: Job[object]) -> int:
    return 1


for name in "abcd":
    worker.handler(name, object)(one)
worker.run_until_signalled()
