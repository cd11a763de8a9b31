"""Erasures over the server of TASKER_URL, the database of DATABASE_URL and a connection to it. make test-python has all three."""

from __future__ import annotations

import asyncio
import os
import unittest
import uuid
from typing import Any

from pgtasker import ApiError, AsyncClient, Client, Erased, erase_task, erase_tasks

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


@unittest.skipUnless(DSN and "TASKER_URL" in os.environ, "there is no server, or no database")
class Erase(unittest.TestCase):
    def setUp(self) -> None:
        self.db = psycopg.connect(DSN, autocommit=True)
        self.client = Postgres(DSN)
        self.server = Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"])
        self.addCleanup(self.db.close)
        self.addCleanup(self.client.close)
        self.addCleanup(self.server.close)
        self.server.register_template({"namespace": "erasures", "name": "order", "version": "1", "identity_strategy": "always_unique", "steps": [{"name": "charge"}]})

    def start(self, tag: str) -> str:
        return self.client.create_task("erasures", "order", {"name": "Ada"}, tags=[tag]).task_uuid

    def cancel(self, task: str) -> None:
        self.db.execute("select tasker.cancel_task(%s, 'the customer leaves')", (task,))

    def context(self, task: str) -> Any:
        return self.client.get_task(task)["context"]

    def test_one_task_over_each_transport(self) -> None:
        transports: list[Any] = [self.db, self.client, self.server]
        for on in transports:
            with self.subTest(on=type(on)):
                task = self.start("one")
                with self.assertRaisesRegex((ApiError, psycopg.Error), "has not ended"):
                    erase_task(on, task, "request 17")
                self.cancel(task)
                made: list[Erased] = erase_task(on, task, "request 17", actor="ann", with_children=True)
                self.assertEqual([(str(e.task_uuid), e.root_uuid, e.name, e.state, e.outcome) for e in made], [(task, uuid.UUID(task), "order", "cancelled", "erased")])
                self.assertEqual(self.context(task), {"erased": True})
                self.assertEqual([e.outcome for e in erase_task(on, uuid.UUID(task), "request 17")], ["already"])
                kept = self.db.execute("select reason from tasker.list_erasures(%s)", (task,)).fetchall()
                self.assertEqual(kept, [("request 17",)])

    def test_all_with_a_tag_in_batches(self) -> None:
        transports: list[Any] = [self.db, self.client, self.server]
        for on in transports:
            with self.subTest(on=type(on)):
                tag, other = f"customer:{uuid.uuid4()}", self.start("other")
                tasks = [self.start(tag) for _ in range(5)]
                for task in [*tasks[1:], other]:
                    self.cancel(task)
                found = [[e.outcome for e in batch] for batch in erase_tasks(on, "request 17", tags=[tag], dry_run=True, batch=2)]
                self.assertEqual(found, [["open", "matched"], ["matched", "matched"], ["matched"]])
                self.assertEqual(self.context(tasks[1]), {"name": "Ada"})
                done = [e for batch in erase_tasks(on, "request 17", tags=[tag], namespace="erasures", actor="ann", batch=2) for e in batch]
                self.assertEqual([(str(e.task_uuid), e.outcome) for e in done], [(tasks[0], "open"), *((task, "erased") for task in tasks[1:])])
                self.assertEqual([self.context(task) for task in [tasks[0], tasks[4], other]], [{"name": "Ada"}, {"erased": True}, {"name": "Ada"}])
                # An erased task has none of its tags, so a repeat goes on with the others.
                self.assertEqual([[e.outcome for e in batch] for batch in erase_tasks(on, "request 17", tags=[tag])], [["open"]])
        with self.assertRaisesRegex(psycopg.Error, "nothing says which tasks to erase"):
            list(erase_tasks(self.db, "request 17"))

    def test_coroutines(self) -> None:
        async def go(on: Any) -> list[str]:
            task, tag = self.start("async"), str(uuid.uuid4())
            for made in (task, self.start(tag), self.start(tag)):
                self.cancel(made)
            one = await erase_task(on, task, "request 17")
            return [e.outcome for e in one] + [e.outcome async for batch in erase_tasks(on, "request 17", tags=[tag], batch=1) for e in batch]

        async def connected() -> list[str]:
            async with await psycopg.AsyncConnection.connect(DSN, autocommit=True) as on:
                return await go(on)

        self.assertEqual(asyncio.run(go(AsyncClient(self.server))), ["erased"] * 3)
        self.assertEqual(asyncio.run(connected()), ["erased"] * 3)


if __name__ == "__main__":
    unittest.main()
