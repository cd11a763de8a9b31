"""A worker for the invoice workflow, directly over PostgreSQL (DATABASE_URL) or over a server (TASKER_URL, TASKER_TOKEN)."""

from __future__ import annotations

import logging
import os

from pgtasker import Client, Worker
from pgtasker.postgres import Postgres

from .invoice import invoice


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    client = Postgres(os.environ["DATABASE_URL"]) if "DATABASE_URL" in os.environ else Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"])
    Worker(client, [invoice], lease=int(os.environ.get("LEASE", "60"))).run_until_signalled()


if __name__ == "__main__":
    main()
