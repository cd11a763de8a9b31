"""The example, over a server: that of TASKER_URL, with an operator's and a worker's token. make test-python starts one."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
import uuid

from examples.orders import TEMPLATE, new_worker
from pgtasker import ApiError, Blocked, Client, Job, Unauthorized, Worker


@unittest.skipUnless("TASKER_URL" in os.environ, "there is no server")
class Orders(unittest.TestCase):
    def setUp(self) -> None:
        self.operator = Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"])
        self.client = Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"])
        self.addCleanup(self.operator.close)
        self.addCleanup(self.client.close)
        self.operator.register_template(TEMPLATE)

    def start(self, worker: Worker) -> None:
        """Runs a worker until the test has ended."""
        thread = threading.Thread(target=worker.run)
        thread.start()
        self.addCleanup(thread.join, 20)
        self.addCleanup(worker.stop)

    def test_an_order_is_fulfilled(self) -> None:
        self.start(new_worker(self.client))
        for customer in ("ann", "unlucky"):
            key = str(uuid.uuid4())
            order = {"number": 12, "customer": customer, "cents": 1200}
            placed = self.client.create_task("shop", "order", order, identity_key=key)
            self.assertFalse(self.client.create_task("shop", "order", order, identity_key=key).created)
            task = self.client.wait_for_task(placed.task_uuid)
            self.assertEqual((task["complete"], task["state"]), (True, "complete"))
            steps = self.client.request("GET", f"/v1/tasks/{placed.task_uuid}/workflow_steps")["items"]
            shipped = next(step for step in steps if step["name"] == "ship")
            self.assertEqual(shipped["results"], {"to": customer, "receipt": "R-12", "from": "A2"})

    def test_a_free_order_fails_for_good(self) -> None:
        self.start(new_worker(self.client))
        placed = self.client.create_task("shop", "order", {"number": 1, "customer": "x", "cents": 0}, identity_key=str(uuid.uuid4()))
        with self.assertRaises(Blocked) as caught:
            self.client.wait_for_task(placed.task_uuid, 60)
        self.assertEqual((caught.exception.task["complete"], caught.exception.task["state"]), (False, "blocked_by_failures"))

    def test_an_async_handler_runs_and_is_cancelled(self) -> None:
        template = {"namespace": "shop", "name": "asynchronous", "identity_strategy": "always_unique"}
        self.operator.register_template({**template, "steps": [{"name": "later", "timeout_seconds": 1, "retry": {"max_attempts": 1}}]})
        worker = Worker(self.client, namespaces=["shop"], name="asynchronous")
        cancelled = threading.Event()

        @worker.handler("later", dict)
        async def later(job: Job[dict[str, float]]) -> dict[str, object]:
            try:
                await asyncio.sleep(job.input["seconds"])
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return {"key": job.once("key", lambda key: str(key))}

        self.start(worker)
        done = self.client.create_task("shop", "asynchronous", {"seconds": 0.01})
        self.assertEqual(self.client.wait_for_task(done.task_uuid)["state"], "complete")
        late = self.client.create_task("shop", "asynchronous", {"seconds": 60})
        with self.assertRaises(Blocked):
            self.client.wait_for_task(late.task_uuid)
        self.assertTrue(cancelled.wait(20))

    def test_errors_have_code_and_hint(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.client.create_task("shop", "nothing")
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "TK404"))
        with Client(os.environ["TASKER_URL"], "tasker_" + "x" * 43) as stranger, self.assertRaises(Unauthorized):
            stranger.get_task(str(uuid.uuid4()))

    def test_a_worker_whose_token_is_refused_ends(self) -> None:
        client = Client(os.environ["TASKER_URL"], "tasker_" + "y" * 43)
        self.addCleanup(client.close)
        worker = Worker(client)

        @worker.handler("reserve", dict)
        def reserve(job: Job[dict[str, object]]) -> None:
            self.fail("nothing is claimed")

        with self.assertRaises(Unauthorized):
            worker.run()


if __name__ == "__main__":
    unittest.main()
