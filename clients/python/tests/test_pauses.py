"""Tasks that are paused, changed and resumed, over each transport. make test-python has a server and a database."""

from __future__ import annotations

import asyncio
import os
import unittest
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pgtasker import ApiError, AsyncClient, Client, Job, Workflow, erase_task

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg
    from psycopg.rows import dict_row

    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


@dataclass
class Refund:
    cents: int


@unittest.skipUnless(DSN and "TASKER_URL" in os.environ, "there is no server, or no database")
class Pauses(unittest.TestCase):
    def test_a_connection_may_make_rows_of_any_type(self) -> None:
        flow: Workflow[Refund] = Workflow("pauses", "small", Refund, version="1", identity="new")

        @flow.step()
        def pay(job: Job[Refund]) -> int:
            return job.input.cents

        whole = flow.returns(pay)
        with psycopg.connect(DSN, autocommit=True, row_factory=dict_row) as on:
            whole.register(on)
            task = whole.start(on, Refund(70))
            self.assertEqual((task.created, task.cancel("the customer leaves"), task.cancel()), (True, True, False))
            self.assertEqual([e.outcome for e in erase_task(on, task.uuid, "request 18")], ["erased"])

    def test_a_task_is_paused_changed_and_resumed_over_each_transport(self) -> None:
        flow: Workflow[Refund] = Workflow("pauses", "refund", Refund, version="1", identity="new")

        @flow.step()
        def pay(job: Job[Refund]) -> int:
            return job.input.cents

        whole, now = flow.returns(pay), datetime.now(timezone.utc)
        with psycopg.connect(DSN, autocommit=True) as db, Postgres(DSN) as sql, Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"]) as server:

            def rows(query: Any, task: Any) -> list[Any]:
                return db.execute(query, (str(task.uuid),)).fetchall()

            def has(task: Any, paused: bool, priority: int, deadline: datetime | None, cents: int) -> None:
                found = rows("select paused, priority, deadline, context from tasker.get_task(%s)", task)
                self.assertEqual(found, [(paused, priority, deadline, {"cents": cents})])

            whole.register(db)
            transports: list[Any] = [db, sql, server]
            for on in transports:
                with self.subTest(on=type(on)):
                    task = whole.start(on, Refund(70), start_at=now + timedelta(days=1))
                    self.assertEqual((task.pause("the bank is closed"), task.pause()), (True, False))
                    has(task, True, 0, None, 70)
                    later = now + timedelta(days=9)
                    self.assertTrue(task.change(priority=5, deadline=later, start_at=now + timedelta(days=2)))
                    self.assertFalse(task.change(priority=5))
                    self.assertIn((now + timedelta(days=2),), rows("select due_at from tasker.timers where task_uuid = %s", task))
                    with self.assertRaisesRegex((ApiError, psycopg.Error), "reason"):
                        task.change(input=Refund(60))
                    self.assertTrue(task.change(input=Refund(60), reason="ten were paid before"))
                    has(task, True, 5, later, 60)
                    self.assertEqual((task.resume("it is open"), task.resume()), (True, False))
                    has(task, False, 5, later, 60)
                    logged = rows("select call, reason from tasker.list_administration('tasks', %s) order by entry_no", task)
                    self.assertEqual([(call, reason) for call, reason in logged if reason],
                        [("pause_task", "the bank is closed"), ("change_task", "ten were paid before"), ("resume_task", "it is open")])  # fmt: skip

            async def waits(on: Any) -> tuple[bool, bool, bool]:
                made = await whole.start(AsyncClient(on), Refund(70), start_at=now + timedelta(days=1))
                return await made.pause(), await made.change(priority=5), await made.resume()

            for on in [sql, server]:
                self.assertEqual(asyncio.run(waits(on)), (True, True, True))
