"""Values, streams and the log of a running step over the database of DATABASE_URL, and over the server of TASKER_URL beside it; and encrypted payloads over both."""

from __future__ import annotations

import logging
import os
import threading
import time
import unittest
import uuid
from typing import Any, Callable

from pgtasker import Client, Job, Worker
from pgtasker.streams import LogHandler

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


def until(what: str, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(what)
        threading.Event().wait(0.02)


def clients(case: unittest.TestCase, group: str = "") -> list[Client]:
    """A client over PostgreSQL, and one over HTTP."""
    found: list[Client] = [Postgres(DSN)]
    if "TASKER_URL" in os.environ:
        found.append(Client(os.environ["TASKER_URL"], os.environ[f"TASKER_{group}TOKEN"]))
    for client in found:
        case.addCleanup(client.close)
    return found


@unittest.skipUnless(DSN, "there is no database, or no psycopg")
class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.db: Any = psycopg.connect(DSN, autocommit=True)
        self.addCleanup(self.db.close)

    def rows(self, text: str, *values: Any) -> list[Any]:
        return list(self.db.execute(text, values).fetchall())

    def test_writes_values_streams_and_a_log(self) -> None:
        for client in clients(self):
            with self.subTest(client=type(client).__name__):
                self.writes(client)

    def writes(self, client: Client) -> None:
        namespace = "py" + uuid.uuid4().hex[:8]
        self.rows("select tasker.register_task_template(%s::jsonb)::text", '{"namespace": "' + namespace + '", "name": "import", "steps": [{"name": "load", "retry": {"max_attempts": 2, "base_seconds": 0.01}}]}')
        task = self.rows("select task_uuid::text from tasker.create_task(%s, 'import')", namespace)[0][0]
        step = task[:-4] + "0001"
        worker = Worker(client, namespaces=[namespace])
        runs: list[int] = []
        release, lost = threading.Event(), threading.Event()

        @worker.handler("load", dict)
        def load(job: Job[dict[str, Any]]) -> Any:
            runs.append(1)
            logger = logging.Logger(f"run {len(runs)}")
            logger.addHandler(job.log_handler())
            logger.info("run %d begins\0", len(runs))
            if len(runs) == 1:
                for n in range(1200):
                    logger.debug("line %d", n)
                job.append("rows", [1, 2])
                job.append("rows", [])
                job.set_value("file", {"name": "a"})
                raise ValueError("no price")
            job.once("first", lambda _: "kept")
            job.append("rows", ["again"])
            job.progress(0.4, "row 400")
            job.sleep(1)  # The function runs again from the top, and repeats nothing.
            job.append("rows", [len(runs)])
            job.progress(0.5, "row 500")
            release.wait(60)
            try:
                job.set_value("late", 1)
            except BaseException:
                lost.set()
                raise
            return "done"

        with worker:
            until("the progress of a running step can be read", lambda: "row 500" in str(self.rows("select value from tasker.list_progress(array[%s]::uuid[])", task)))
            self.assertEqual([(1, 1), (2, 2), (3, "again"), (4, 3)], self.rows("select item_no, item from tasker.read_stream(%s, 'rows')", step))
            log = [row[0] for row in self.rows("select item from tasker.read_stream(%s, 'log', p_limit => 5000)", step)]
            lines = [line["msg"] for line in log]
            self.assertEqual(("run 1 begins\ufffd", "INFO", "run 1"), (lines[0], log[0]["level"], log[0]["logger"]))
            self.assertEqual([202], [line["dropped"] for line in log if line["msg"] == "lines were dropped"], "at most 999 lines at a time")
            self.assertEqual(([1], 0), ([1 for line in lines if line.startswith("run 2")], sum(line.startswith("run 3") for line in lines)))
            self.assertEqual([f"line {n}" for n in range(998)], [line for line in lines if line.startswith("line ")])
            self.rows("select tasker.cancel_task(%s, 'enough')", task)  # The step hears of it at its next value.
            release.set()
            self.assertTrue(lost.wait(60))
        self.assertEqual(["file", "progress"], [row[0] for row in self.rows("select name from tasker.list_streams(%s) where value is not null order by name", step)])

    def test_a_lost_answer_is_written_once(self) -> None:
        namespace = "py" + uuid.uuid4().hex[:8]
        self.rows("select tasker.register_task_template(%s::jsonb)::text", '{"namespace": "' + namespace + '", "name": "import", "steps": [{"name": "load"}]}')
        step, claim = self._claimed(namespace)
        for client in clients(self):
            path = f"/v1/tasks/{step[:-4]}0000/workflow_steps/{step}/streams/{type(client).__name__}"
            for _ in range(2):
                self.assertEqual("saved", client.request("POST", path, {"claim_no": claim, "items": [1, 2], "batch_no": 1})["answer"])
            self.assertEqual(2, self.rows("select count(*) from tasker.read_stream(%s, %s)", step, type(client).__name__)[0][0])

    def _claimed(self, namespace: str) -> tuple[str, int]:
        self.rows("select task_uuid from tasker.create_task(%s, 'import')", namespace)
        row = self.rows("select c.step_uuid::text, c.claim_no from tasker.claim_steps(array[%s], gen_random_uuid(), 1) as c", namespace)[0]
        return row[0], row[1]


class Handler(unittest.TestCase):
    def test_a_log_does_not_fail_its_step(self) -> None:
        class Refusing:
            def _repeats(self) -> bool:
                return False

            def append(self, stream: str, items: list[Any]) -> None:
                raise RuntimeError("refused")

        handler = LogHandler(Refusing())  # type: ignore[arg-type]
        logger = logging.Logger("x")
        logger.addHandler(handler)
        logger.info("lost")
        handler.flush()


if __name__ == "__main__":
    unittest.main()
