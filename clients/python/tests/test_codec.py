"""The envelope of encrypted payloads, between languages and over the database of DATABASE_URL."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import random
import tempfile
import threading
import time
import unittest
import uuid
from typing import Any

from pgtasker import AsyncClient, Client, Job, Permanent, Snooze, Worker
from pgtasker.codec import Encrypted, KeyUnknown, Keys, is_sealed, open_error, open_sealed, seal, seal_context, seal_error

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""
KEY = b"0123456789abcdef0123456789abcdef"
try:
    Keys("k1", {"k1": KEY})
except ImportError:
    if DSN:
        raise  # The suite of the project has the package. Only a copy of the client alone may lack it.
    raise unittest.SkipTest("there is no cryptography") from None
VECTORS = pathlib.Path(__file__).parents[3] / "internal/seal/testdata/envelopes.json"


class Envelopes(unittest.TestCase):
    @unittest.skipUnless(VECTORS.exists(), "the package stands alone")
    def test_reads_what_every_language_writes(self) -> None:
        keys = Keys("k1", {"k1": KEY})
        vectors = json.loads(VECTORS.read_text())
        self.assertEqual({"go", "python", "typescript"}, {one["by"] for one in vectors})
        hashes = set()
        for one in vectors:
            self.assertEqual(one["plain"], open_sealed(keys, one["value"]), one["by"])
            self.assertEqual(one["error"], open_error(keys, one["sealed_error"]), one["by"])
            hashes.add((one["value"]["pgtasker"]["hash"], one["sealed_error"].partition("\n")[0]))
        self.assertEqual(1, len(hashes), "one context and one error have one hash in every language")

    def test_refuses_what_was_changed_or_moved(self) -> None:
        keys = Keys("k2", {"k1": KEY, "k2": KEY[::-1], "hash": KEY})
        value = seal(keys, "result t a", {"card": "4111"})
        self.assertEqual({"card": "4111"}, open_sealed(Keys("k1", {"k1": KEY, "k2": KEY[::-1]}), value))
        with self.assertRaisesRegex(KeyUnknown, 'key "k2" is unknown'):
            open_sealed(Keys("k1", {"k1": KEY}), value)
        with self.assertRaisesRegex(KeyUnknown, "another place"):
            open_sealed(keys, value, lambda place: place == "result t b")
        value["pgtasker"]["for"] = "result t b"
        with self.assertRaisesRegex(KeyUnknown, "changed or moved"):
            open_sealed(keys, value)
        text = seal_error(keys, "error t a", "ValueError", "no 4111")
        self.assertNotIn("4111", text)
        self.assertEqual("no 4111", open_error(keys, text))
        self.assertEqual(text.partition("\n")[0], seal_error(keys, "error t a", "ValueError", "no 4222").partition("\n")[0])
        self.assertNotIn("4111", repr(keys))

    def test_reads_hostile_text(self) -> None:
        keys, chance = Keys("k1", {"k1": KEY}), random.Random(7)
        for _ in range(2000):
            envelope: Any = {"alg": chance.choice(["AES-GCM", "", 7]), "kid": chance.choice(["k1", "k2", None]), "for": chance.choice(["x", "context", []]),
                             "ct": chance.choice(["", "AAAA", "A" * 64, "é", None, "A" * 63]), "hash": chance.choice(["", None, 7])}  # fmt: skip
            del envelope[chance.choice(["alg", "hash", "kid", "ct"])]
            hostile = {"pgtasker": envelope, "more": [{"pgtasker": "x"}]}
            try:
                self.assertEqual(hostile, open_sealed(keys, hostile))
            except KeyUnknown:
                pass

    def test_reads_a_file_and_keeps_it_out_of_errors(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "keys.json"
            file.write_text('{"current": "k1", "keys": {"k1": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}}')
            self.assertEqual(7, open_sealed(Keys("k1", {"k1": KEY}), seal(Keys.read(file), "x", 7)))
            file.write_text('{"current": "zebra"')
            with self.assertRaisesRegex(ValueError, "the file of keys is not") as caught:
                Keys.read(file)
            self.assertNotIn("zebra", str(caught.exception))


@unittest.skipUnless(DSN, "there is no database, or no psycopg")
class Encrypting(unittest.TestCase):
    def test_a_worker_sees_what_the_database_does_not(self) -> None:
        namespace = "py" + uuid.uuid4().hex[:8]
        inner = Postgres(DSN)
        self.addCleanup(inner.close)
        client = Encrypted(inner, Keys("k1", {"k1": KEY}))
        client.register_template({
            "namespace": namespace, "name": "claim", "encrypted": {"clear": ["customer"]}, "on_failure": "fail", "steps": [
                {"name": "charge", "retry": {"max_attempts": 3, "base_seconds": 0.01}}, {"name": "keep", "dependencies": ["charge"]},
                {"name": "ok", "await": {"signal": "ok"}, "dependencies": ["keep"]}, {"name": "last", "dependencies": ["ok", "charge"], "retry": {"max_attempts": 1}}],
        })  # fmt: skip
        context = {"customer": 7, "card": "zebra"}
        first = client.create_task(namespace, "claim", context)
        self.assertEqual(first.task_uuid, client.create_task(namespace, "claim", context).task_uuid)
        worker = Worker(client, namespaces=[namespace])

        @worker.handler("charge", dict)
        def charge(job: Job[dict[str, Any]]) -> Any:
            if job.last_checkpoint() is None:
                job.checkpoint("zebra at half")
                raise ValueError(f"no {job.input['card']}")
            if not str(job.last_error).startswith("ValueError: no zebra"):
                raise Permanent(f"another error: {job.last_error}")
            return {"receipt": job.last_checkpoint()}

        snoozed: list[str] = []

        @worker.handler("keep", dict)
        def keep(job: Job[dict[str, Any]]) -> Any:
            if not snoozed:
                snoozed.append("once")
                raise Snooze("zebra sleeps", after=0.05)
            kept = job.once("take", lambda _: "zebra kept")
            job.sleep(0.01)
            return kept

        @worker.handler("last", dict)
        def last(job: Job[dict[str, Any]]) -> Any:
            raise Permanent(f"ends with {job.result('charge', dict)['receipt']}, {job.result('keep', str)}, {job.result('ok', dict)['payload']}")

        with worker:
            self.assertIn(client.send_signal(first.task_uuid, "ok", {"by": "zebra"}), ("kept", "delivered"))
            until = time.monotonic() + 60
            while not client.get_task(first.task_uuid)["complete"] and time.monotonic() < until:
                threading.Event().wait(0.05)
        steps = client.request("GET", f"/v1/tasks/{first.task_uuid}/workflow_steps?cursor=0")["items"]
        ended = next(step for step in steps if step["name"] == "last")
        self.assertIn("ends with zebra at half, zebra kept, {'by': 'zebra'}", ended["last_error"])
        self.assertEqual((1, None), next((step["attempts"], step["last_error"]) for step in steps if step["name"] == "keep"))
        with psycopg.connect(DSN) as db:
            for table in ("tasks", "workflow_steps", "step_log", "task_log", "kept_results", "task_signals"):
                row: Any = db.execute(f"select count(*), count(*) filter (where t::text like '%zebra%') from tasker.{table} as t").fetchone()
                self.assertEqual(0, row[1], table)
            stored: Any = db.execute("select context from tasker.tasks where task_uuid = %s", (first.task_uuid,)).fetchone()
            self.assertTrue(is_sealed(stored[0]))
            self.assertEqual(7, stored[0]["customer"])

    def test_coroutines_and_http_with_two_keys(self) -> None:
        inners: list[Any] = [Postgres(DSN)]
        if "TASKER_URL" in os.environ:
            inners.append(Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"]))
        for inner in inners:
            self.addCleanup(inner.close)
            with self.subTest(client=type(inner).__name__):
                asyncio.run(self.rotates(inner))

    async def rotates(self, inner: Any) -> None:
        namespace, k2 = "py" + uuid.uuid4().hex[:8], KEY[::-1]
        operator = Postgres(DSN)
        self.addCleanup(operator.close)
        operator.register_template({"namespace": namespace, "name": "claim", "encrypted": {"clear": ["customer"]}, "steps": [
            {"name": "charge"}, {"name": "ok", "await": {"signal": "ok"}}, {"name": "last", "dependencies": ["charge", "ok"]}]})  # fmt: skip
        old = AsyncClient(Encrypted(inner, Keys("k1", {"k1": KEY, "hash": KEY})))
        both = AsyncClient(Encrypted(inner, Keys("k2", {"k1": KEY, "k2": k2, "hash": KEY})))
        context = {"customer": 7, "card": "zebra"}
        task = (await old.create_task(namespace, "claim", context)).task_uuid
        self.assertEqual(task, (await both.create_task(namespace, "claim", context)).task_uuid, "the hash does not rotate")
        await both.send_signal(task, "ok", {"by": "zebra"})
        schedule = {"task_name": "claim", "cron": "0 2 * * *", "context": context}
        self.assertEqual(7, (await both.request("PUT", f"/v1/schedules/{namespace}/nightly", schedule))["context"]["customer"])
        worker = Worker(Encrypted(operator, Keys("k2", {"k1": KEY, "k2": k2, "hash": KEY})), namespaces=[namespace])
        worker.handler("charge", dict)(lambda job: {"receipt": job.input["card"] + " paid"})
        worker.handler("last", dict)(lambda job: job.result("charge", dict)["receipt"] + ", " + job.result("ok", dict)["payload"]["by"])
        with worker:
            until = time.monotonic() + 60
            while not (await both.get_task(task))["complete"] and time.monotonic() < until:
                await asyncio.sleep(0.05)
        self.assertEqual({"last": "zebra paid, zebra"}, (await both.get_result(task))["results"])
        self.assertTrue(is_sealed((await old.get_result(task))["results"]["last"]), "the old key does not read what the new key has encrypted")
        with psycopg.connect(DSN) as db:
            for table in ("tasks", "workflow_steps", "step_log", "task_signals", "schedules"):
                row: Any = db.execute(f"select count(*) from tasker.{table} as t where t::text like '%zebra%'").fetchone()
                self.assertEqual(0, row[0], table)
            # A connection has no codec: the database refuses what it would write.
            with self.assertRaisesRegex(psycopg.Error, "the context is not encrypted"):
                db.execute("select tasker.create_task(%s, 'claim', %s::jsonb)", (namespace, json.dumps(context)))

    def test_without_the_key_a_step_fails_with_its_name(self) -> None:
        namespace = "py" + uuid.uuid4().hex[:8]
        inner = Postgres(DSN)
        self.addCleanup(inner.close)
        theirs, ours = Encrypted(inner, Keys("theirs", {"theirs": KEY})), Encrypted(inner, Keys("ours", {"ours": KEY}))
        theirs.register_template({"namespace": namespace, "name": "claim", "encrypted": {}, "on_failure": "fail", "steps": [{"name": "charge"}]})
        task = theirs.create_task(namespace, "claim", {"card": "zebra"}).task_uuid
        worker = Worker(ours, namespaces=[namespace])
        worker.handler("charge", dict)(lambda job: None)
        with worker:
            until = time.monotonic() + 60
            while not theirs.get_task(task)["complete"] and time.monotonic() < until:
                threading.Event().wait(0.05)
        step = theirs.request("GET", f"/v1/tasks/{task}/workflow_steps?cursor=0")["items"][0]
        self.assertEqual(('error', 'pgtasker: the payload cannot be decrypted: key "theirs" is unknown'), (step["state"], step["last_error"]))


if __name__ == "__main__":
    unittest.main()
