"""Workflows directly over the database of DATABASE_URL, and over the server of TASKER_URL beside it. make test-python has both."""

from __future__ import annotations

import asyncio
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pgtasker import AsyncClient, AsyncJob, Client, Job, Misfit, Permanent, Retries, Signal, Snooze, TaskFailed, Unavailable, Worker, Workflow, testing

ROOT = pathlib.Path(__file__).parent.parent
DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from examples.invoice import Approval, Invoice, Line, approved, invoice
    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


@dataclass
class Number:
    n: int


@dataclass
class Large:
    text: str
    numbers: list[int]


def unique(name: str) -> str:
    return f"{name}_{uuid.uuid4().hex[:8]}"


@unittest.skipUnless(DSN, "there is no database, or no psycopg")
class Direct(unittest.TestCase):
    def setUp(self) -> None:
        self.db = psycopg.connect(DSN, autocommit=True)
        self.addCleanup(self.db.close)
        self.client = Postgres(DSN)
        self.addCleanup(self.client.close)

    def rows(self, sql: Any, arguments: Any = ()) -> list[Any]:
        return self.db.execute(sql, arguments).fetchall()

    def test_the_invoice_workflow_survives_a_killed_worker_and_books_once(self) -> None:
        self.db.execute(
            """create table if not exists invoices (number text, booked boolean default false);
               create table if not exists ledger (number text, booked boolean);
               create or replace function note() returns trigger language plpgsql as $$ begin
                 insert into ledger values (new.number, new.booked); return null; end $$;
               create or replace trigger note after update on invoices for each row execute function note()"""
        )
        invoice.register(self.db)
        tasks: list[Any] = []
        for i in range(24):
            self.db.execute("insert into invoices (number) values (%s)", (str(i),))
            lines = [Line("abc", 1000 if i % 4 == 0 else 1), Line("de", 2)]
            tasks.append(invoice.start(self.client, Invoice(str(i), "bounce" if i % 8 == 7 else f"c{i % 3}", lines), key=f"k{i}"))
            if i % 4 == 0:
                tasks[-1].send(approved, Approval(True))

        def worker() -> subprocess.Popen[bytes]:
            environment = {**os.environ, "LEASE": "2"}
            return subprocess.Popen([sys.executable, "-m", "examples.invoice_worker"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)

        victim = worker()
        other: subprocess.Popen[bytes] | None = None
        try:
            until = time.monotonic() + 30
            while not self.rows("select 1 from ledger limit 1") and time.monotonic() < until:
                time.sleep(0.01)
            victim.send_signal(signal.SIGKILL)
            other = worker()
            ended: list[Any] = []
            for task in tasks:
                try:
                    total, receipt = task.result(within=60)
                    ended.append(receipt.cents == total.cents)
                except TaskFailed as error:
                    ended.append((error.state, error.step))
            self.assertEqual(ended, [("error", "mail") if i % 8 == 7 else True for i in range(24)])
            other.send_signal(signal.SIGTERM)
            self.assertEqual(other.wait(20), 0)
        finally:
            for process in (victim, other):
                if process is not None:
                    process.kill()
                    process.wait()
        self.assertEqual(self.rows("select count(*), count(distinct number) from ledger where booked"), [(24, 24)])
        self.assertEqual(self.rows("select count(*), count(distinct number) from ledger where not booked"), [(3, 3)])

    def ledger(self) -> str:
        name = unique("ledger")
        self.db.execute(f"create table {name} (n integer)".encode())
        return name

    def test_a_task_has_the_options_of_its_start_and_is_cancelled_once(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("options"), Number, version="1", identity="new")

        @flow.step()
        def one(job: Job[Number]) -> int:
            return 1

        whole, day = flow.returns(one), timedelta(days=1)
        whole.register(self.db)
        now = datetime.now(timezone.utc)
        callers: list[Any] = [*self.clients(), self.db]
        for on in callers:
            task = whole.start(on, Number(1), start_at=now + day, deadline=now + 2 * day, priority=7, tags=["a", "b"], headers={"h": 1})
            self.assertEqual(
                self.rows("select deadline, priority, tags, headers, state from tasker.get_task(%s)", (task.uuid,)),
                [(now + 2 * day, 7, ["a", "b"], {"h": 1}, "pending")],
            )
            self.assertIn((now + day,), self.rows("select due_at from tasker.timers where task_uuid = %s", (task.uuid,)))
            self.assertEqual((task.cancel("no"), task.cancel()), (True, False))
            self.assertEqual(self.rows("select state from tasker.get_task(%s)", (task.uuid,)), [("cancelled",)])
        with self.assertRaisesRegex(ValueError, "start_at has no time zone"):
            whole.start(self.db, Number(1), start_at=datetime(2030, 1, 1))

        async def waits() -> tuple[bool, bool]:
            task = await whole.start(AsyncClient(self.client), Number(1), start_at=now + day)
            return await task.cancel("no"), await task.cancel()

        self.assertEqual(asyncio.run(waits()), (True, False))

    def test_the_connections_of_exchanges_have_their_plans_before_the_first_one(self) -> None:
        name = unique("warm")
        client = Postgres(f"{DSN}{'&' if '?' in DSN else '?'}application_name={name}")
        self.addCleanup(client.close)
        ear = client.connection()
        self.addCleanup(ear.close)
        client.warm(2, ["shop"], lambda: False)
        self.assertEqual(self.rows("select count(*) from pg_stat_activity where application_name = %s and query like '%%warm_session%%'", (name,)), [(3,)])
        nowhere = Postgres("host=127.0.0.1 port=1")
        nowhere.connection()
        nowhere.warm(2, None, lambda: False)  # The first exchanges meet the same, and say so.
        self.assertEqual(nowhere._free, [])

    def test_a_lost_answer_to_a_commit_commits_nothing_twice(self) -> None:
        table, lost = self.ledger(), threading.Event()

        class Losing(Postgres):
            def complete(self, c: Any, step: str, claim_no: int, result: bytes) -> None:
                super().complete(c, step, claim_no, result)
                if not lost.is_set():
                    lost.set()
                    raise Unavailable("the answer is lost")

            async def complete_async(self, c: Any, step: str, claim_no: int, result: bytes) -> None:
                await super().complete_async(c, step, claim_no, result)
                lost.set()
                raise Unavailable("the answer is lost")

        flow: Workflow[Number] = Workflow("shop", unique("tx"), Number, version="1", identity="new")

        @flow.step()
        def plain(job: Job[Number]) -> int:
            job.tx().execute(f"insert into {table} values (%s)".encode(), (job.input.n,))
            return job.input.n

        @flow.step(after=plain)
        async def waits(job: AsyncJob[Number], n: int) -> int:
            await (await job.tx()).execute(f"insert into {table} values (%s)".encode(), (n + 1,))
            return n + 1

        with Worker(Losing(DSN), [flow.returns(waits)], lease=5):
            self.assertEqual(flow.returns(waits).start(self.client, Number(1)).result(within=30), 2)
        self.assertTrue(lost.is_set())
        self.assertEqual(self.rows(f"select n from {table} order by n".encode()), [(1,), (2,)])

    def test_elements_of_a_map_share_the_context_and_the_results_of_parents(self) -> None:
        calls: list[str] = []

        class Counting(Postgres):
            def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
                calls.append(f"{method} {path}")
                return super().send(method, path, data, timeout)

        flow: Workflow[Large] = Workflow("shop", unique("large"), Large, version="1", identity="new")

        @flow.step()
        def before(job: Job[Large]) -> str:
            return "y" * 700_000

        @flow.map(flow.each(lambda i: i.numbers), after=before)
        def add(job: Job[Large], n: int, text: str) -> int:
            return n + len(job.input.text) + len(text)

        numbers = list(range(60))
        with Worker(Counting(DSN), [flow.returns(add)], lease=20):
            found = flow.returns(add).start(self.client, Large("x" * 800_000, numbers)).result(within=60)
        self.assertEqual(found, [n + 1_500_000 for n in numbers])
        self.assertLessEqual(sum("parent-results" in call for call in calls), 2, "an exchange may have had them")
        self.assertLessEqual(sum(call.startswith("GET /v1/tasks/") and call.count("/") == 3 for call in calls), 1)

    def test_steps_claimed_ahead_are_handed_back_when_handlers_become_slow(self) -> None:
        name, slow, over = unique("turn"), threading.Event(), threading.Event()
        self.addCleanup(over.set)
        flow: Workflow[Number] = Workflow("shop", name, Number, version="1", identity="new")

        @flow.step()
        def wait(job: Job[Number]) -> int:
            if slow.is_set():
                over.wait(60)
            return job.input.n

        ready = flow.returns(wait)
        ready.register(self.client)
        worker = Worker(self.client, [ready], concurrency=2, lease=60)
        for n in range(50):
            ready.start(self.client, Number(n))
        with worker:
            while worker._ahead_of_handlers() == 0 or worker._active:
                time.sleep(0.001)
            slow.set()
            for n in range(50):
                ready.start(self.client, Number(n))
            until = time.monotonic() + 30
            held = [(0,)]
            while (held != [(2,)] or worker._ahead_of_handlers() > 0) and time.monotonic() < until:
                time.sleep(0.01)
                held = self.rows("select count(*)::integer from tasker.workflow_steps where state = 'in_progress'")
            self.assertEqual(held, [(2,)], "the worker holds what it runs")
            over.set()

    def test_a_second_transaction_with_the_same_result_cannot_commit(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("twice"), Number, version="1", identity="new")

        @flow.step()
        def one(job: Job[Number]) -> int:
            return 1

        made = flow.returns(one)
        made.register(self.db)
        made.start(self.db, Number(1))
        claimed = self.client.send(
            "POST", "/v1/exchange",
            ('{"worker_uuid": "%s", "namespaces": ["shop"], "handlers": ["shop.%s:1.one"], "limit": 1}' % (uuid.uuid4(), flow.name)).encode(), 5,
        )["claimed"][0]  # fmt: skip
        self.client.complete(self.client.begin(), claimed["step_uuid"], claimed["claim_no"], b"1")
        with self.assertRaisesRegex(Exception, "is recorded already"):
            self.client.complete(self.client.begin(), claimed["step_uuid"], claimed["claim_no"], b"1")

    def test_a_handlers_transaction_is_read_committed_whatever_the_logins_default(self) -> None:
        client = Postgres(psycopg.conninfo.make_conninfo(DSN, options="-c default_transaction_isolation=serializable"))
        self.addCleanup(client.close)
        asked = "show transaction_isolation"
        for _ in range(2):  # a new connection, and one that another handler had
            c = client.begin()
            self.assertEqual(c.execute(asked).fetchall(), [("read committed",)])
            client.give_back(c)

        async def asks() -> list[Any]:
            levels: list[Any] = []
            for _ in range(2):
                c = await client.begin_async()
                levels += await (await c.execute(asked)).fetchall()
                await client.give_back_async(c)
            await c.close()
            return levels

        self.assertEqual(asyncio.run(asks()), [("read committed",), ("read committed",)])

    def test_a_call_that_is_not_answered_is_given_up_with_its_connection(self) -> None:
        def within_the_bound_of_its_caller() -> None:
            self.client._call.until = time.monotonic() + 0.3
            self.client.execute("select pg_sleep(60)")

        for call in (lambda: self.client.run(self.client.open(), "select pg_sleep(60)", within=0.3), within_the_bound_of_its_caller):
            began = time.monotonic()
            with self.assertRaisesRegex(Unavailable, "has not answered in"):
                call()
            self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(self.client._free, [], "the connection is not kept")

    def test_a_wait_for_steps_can_be_cut_while_a_call_is_under_way(self) -> None:
        ear: Any = self.client.connection()
        ear._c = self.client.open()
        threading.Timer(0.3, ear.cut).start()
        began = time.monotonic()
        self.assertRaises(Unavailable, lambda: self.client.run(ear._c, "select pg_sleep(60)", within=50))
        self.assertLess(time.monotonic() - began, 20)

    def test_an_error_rolls_the_transaction_back(self) -> None:
        table = self.ledger()
        flow: Workflow[Number] = Workflow("shop", unique("rolled"), Number, version="1", identity="new")
        seen: list[str] = []

        @flow.step(retry=Retries(attempts=2, base=0.1), retry_after={KeyError: 0}, permanent=(ZeroDivisionError,))
        def fails(job: Job[Number]) -> int:
            job.tx().execute(f"insert into {table} values (1)".encode())
            if job.attempt == 1:
                raise KeyError("again")
            return 1 // 0

        made = flow.returns(fails)
        with Worker(self.client, [made], on_error=lambda error, job: seen.append(f"{type(error).__name__} {job.name}")):
            with self.assertRaises(TaskFailed) as caught:
                made.start(self.client, Number(1)).result(within=30)
        self.assertEqual((caught.exception.state, caught.exception.step), ("blocked_by_failures", "fails"))
        self.assertIn("ZeroDivisionError", str(caught.exception))
        self.assertIn("return 1 // 0", caught.exception.error or "")
        self.assertEqual(seen, ["KeyError fails", "ZeroDivisionError fails"])
        self.assertEqual(self.rows(f"select count(*) from {table}".encode()), [(0,)])

    def test_a_task_belongs_to_the_callers_transaction(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("own"), Number, version="1", identity="key")

        @flow.step()
        def one(job: Job[Number]) -> int:
            return job.input.n

        made = flow.returns(one)
        made.register(self.db)
        with psycopg.connect(DSN) as mine:
            made.start(mine, Number(1), key="a")
            mine.rollback()
            kept = made.start(mine, Number(2), key="a")
            mine.commit()
            self.assertFalse(made.start(mine, Number(2), key="a").created)
        with Worker(self.client, [made]):
            self.assertEqual(kept.result(self.client, within=30), 2)
        with self.assertRaises(Misfit):
            made.start(self.client, Number("x"), key="b")  # type: ignore[arg-type]

    def test_an_idle_worker_is_woken(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("woken"), Number, version="1", identity="new")

        @flow.step()
        async def one(job: AsyncJob[Number]) -> int:
            return job.input.n

        made = flow.returns(one)
        with Worker(self.client, [made], name=flow.name):
            made.start(self.client, Number(0)).result(within=30)
            quickest = 60.0
            for n in range(5):
                until = time.monotonic() + 20
                asleep = b"select 1 from tasker.sleepers as s join tasker.workers as w on w.worker_uuid = s.sleeper_uuid where w.name = %s and s.until > now()"
                while not self.rows(asleep, (flow.name,)) and time.monotonic() < until:
                    time.sleep(0.01)
                began = time.monotonic()
                made.start(self.client, Number(n)).result(within=30)
                quickest = min(quickest, time.monotonic() - began)
            self.assertLess(quickest, 1.0, "an idle worker polls only every five seconds")

    def clients(self) -> list[Client]:
        """One over PostgreSQL, and one over the server if there is one."""
        clients: list[Client] = [self.client]
        if "TASKER_URL" in os.environ:
            with tempfile.NamedTemporaryFile("w", suffix=".token", delete=False) as file:
                file.write(os.environ["TASKER_OPERATOR_TOKEN"] + "\n")
            self.addCleanup(os.unlink, file.name)
            clients.append(Client(os.environ["TASKER_URL"], pathlib.Path(file.name)))
        return clients

    def test_both_transports_and_both_kinds_of_clients_do_the_same(self) -> None:
        go: Signal[Number] = Signal("go", Number)
        flow: Workflow[Number] = Workflow("shop", unique("both"), Number, version="1", identity="new")

        @flow.step()
        async def first(job: AsyncJob[Number]) -> Number:
            async def twice(key: uuid.UUID) -> int:
                return 2 * job.input.n

            return Number(await job.once("twice", twice))

        @flow.step(after=first)
        def second(job: Job[Number], r: Number) -> int:
            answer = job.wait(go, timeout=3600)
            return r.n + (answer.payload.n if answer.by == "signal" else 0)

        made = flow.returns(first, second)
        for client in self.clients():
            with Worker(client, [made]):
                task = made.start(client, Number(4))
                task.send(go, Number(1))
                self.assertEqual(task.result(within=30), (Number(8), 9))

                async def ask() -> Any:
                    task = await made.start(AsyncClient(client), Number(5))
                    await task.send(go, Number(2))
                    return await task.result(within=30)

                self.assertEqual(asyncio.run(ask()), (Number(10), 12))

    def test_a_snooze_spends_no_attempt(self) -> None:
        for client in self.clients():
            flow: Workflow[Number] = Workflow("shop", unique("snoozed"), Number, version="1", identity="new")
            runs: list[int] = []

            @flow.step(retry=Retries(attempts=1))
            def poll(job: Job[Number]) -> int:
                runs.append(job.attempt)
                if len(runs) < 3:
                    raise Snooze("the oven is cold", after=0.05)
                return len(runs)

            @flow.step(after=poll, retry=Retries(attempts=1))
            async def on_loop(job: AsyncJob[Number], polled: int) -> int:
                runs.append(job.attempt)
                if len(runs) < 5:
                    raise Snooze("the oven is cold", after=timedelta(milliseconds=50))
                return len(runs)

            made = flow.returns(on_loop)
            with Worker(client, [made]):
                task = made.start(client, Number(4))
                self.assertEqual(task.result(within=30), 5)
            self.assertEqual(runs, [1] * 5)
            said = "select reason from tasker.workflow_step_transition_log where task_uuid = %s and event = 'Suspend'"
            self.assertEqual(self.rows(said, (task.uuid,)), [("snoozed for 0.05s: the oven is cold",)] * 3)

    def test_a_result_above_that_does_not_fit_is_left_for_another_build(self) -> None:
        for client in self.clients():
            fits: Workflow[Number] = Workflow("shop", unique("fits"), Number, version="1", identity="new")
            other: Workflow[Number] = Workflow("shop", fits.name, Number, version="1", identity="new")
            once = Retries(attempts=1)

            @fits.step()
            def make(job: Job[Number]) -> int:
                return 7

            @fits.step(after=make, retry=once)
            def plain(job: Job[Number], made: int) -> int:
                return made + job.attempt

            @fits.step(after=make, retry=once)
            async def on_loop(job: AsyncJob[Number], made: int) -> int:
                return made + job.attempt

            @fits.step(after=make, retry=once)
            def named(job: Job[Number], made: int) -> int:
                return made + job.attempt

            @fits.step(after=make, retry=once)
            def within(job: Job[Number], made: int) -> int:
                return made + job.attempt

            @fits.step(after=make, retry=once)
            def wrapped(job: Job[Number], made: int) -> int:
                return made + job.attempt

            @fits.step(after=make, retry=once)
            def final(job: Job[Number], made: int) -> None: ...

            @fits.step(after=make, retry=once)
            def missing(job: Job[Number], made: int) -> None: ...

            @other.step(name="make")
            def make_text(job: Job[Number]) -> str:
                return "7"

            @other.step(after=make_text, name="plain")
            def plain_text(job: Job[Number], made: str) -> str:
                return made

            @other.step(after=make_text, name="on_loop")
            async def on_loop_text(job: AsyncJob[Number], made: str) -> str:
                return made

            whole = fits.returns(make)
            whole.register(self.db)
            task = whole.start(client, Number(1))
            first = Worker(client)
            first.handler(fits.prefix + ".make", Number)(make)
            with first:
                self.states(task, {"make": "complete"})

            log = unittest.mock.Mock()
            second = Worker(client, [other.returns(plain_text)], register=False, logger=log)

            @second.handler(fits.prefix + ".named", Number)
            def named_text(job: Job[Number]) -> str:
                return job.result("make", str)

            @second.handler(fits.prefix + ".within", Number)
            def within_text(job: Job[Number]) -> str:
                def text(key: uuid.UUID) -> str:
                    try:
                        return job.result("make", str)
                    except Misfit as error:
                        raise OSError("the text cannot be made") from error

                return job.once("text", text)

            @second.handler(fits.prefix + ".wrapped", Number)
            def wrapped_text(job: Job[Number]) -> str:
                try:
                    return job.result("make", str)
                except Misfit as error:
                    raise OSError("the report cannot be written") from error

            @second.handler(fits.prefix + ".final", Number)
            def final_text(job: Job[Number]) -> str:
                try:
                    return job.result("make", str)
                except Misfit as error:
                    raise Permanent("no build fits") from error

            @second.handler(fits.prefix + ".missing", Number)
            def missing_text(job: Job[Number]) -> str:
                return job.result("nothing", str)

            left = ["plain", "on_loop", "named", "within", "wrapped"]
            with second:
                self.states(task, {name: "suspended" for name in left} | {"final": "error", "missing": "error"})
            said = "select s.name, s.attempts, e.summary from tasker.list_steps(%s) as s, tasker.explain_step(s.workflow_step_uuid) as e where s.state = 'suspended'"
            steps = self.rows(said, (task.uuid,))
            self.assertEqual(sorted((name, attempts) for name, attempts, _ in steps), sorted((name, 0) for name in left))
            for _, _, summary in steps:
                self.assertIn('the result of "make" does not fit', summary)
            lines = [call.args[0] % call.args[1:] for call in log.warning.call_args_list if "another one" in call.args[0]]
            self.assertEqual(len(lines), 5)
            self.assertRegex(lines[0], "^the result of a step above does not fit this build, and the step waits for another one: step '.*: the result of 'make' is not str, but 7$")
            errors = dict(self.rows("select name, last_error from tasker.list_steps(%s) where state = 'error'", (task.uuid,)))
            self.assertEqual(errors["final"], "no build fits")
            self.assertIn("has no result of 'nothing'", errors["missing"])

            self.db.execute("update tasker.timers set due_at = now() where kind = 'end_wait' and task_uuid = %s", (task.uuid,))
            with Worker(client, [whole], register=False):
                self.states(task, {name: "complete" for name in left})
            results = self.rows("select name, attempts from tasker.list_steps(%s) where state = 'complete' and name <> 'make'", (task.uuid,))
            self.assertEqual(sorted(results), sorted((name, 1) for name in left))

    def states(self, task: Any, wanted: dict[str, str]) -> None:
        """Waits until steps are in these states."""
        until = time.monotonic() + 30
        while (found := {n: s for n, s in self.rows("select name, state from tasker.list_steps(%s)", (task.uuid,)) if n in wanted}) != wanted:
            self.assertLess(time.monotonic(), until, (found, self.rows("select name, last_error from tasker.list_steps(%s)", (task.uuid,))))
            time.sleep(0.01)

    def test_a_transaction_needs_a_worker_over_postgresql(self) -> None:
        if "TASKER_URL" not in os.environ:
            self.skipTest("there is no server")
        flow: Workflow[Number] = Workflow("shop", unique("http"), Number, version="1", identity="new")

        @flow.step()
        def one(job: Job[Number]) -> None:
            job.tx()

        made, client = flow.returns(one), Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"])
        with Worker(client, [made]), self.assertRaisesRegex(TaskFailed, "needs a worker over PostgreSQL"):
            made.start(client, Number(1)).result(within=30)

    def test_an_async_step_is_cancelled_when_its_time_is_over(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("late"), Number, version="1", identity="new")
        cancelled = threading.Event()

        @flow.step(timeout=1, retry=Retries(attempts=1))
        async def late(job: AsyncJob[Number]) -> None:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.set()
                raise

        made = flow.returns(late)
        with Worker(self.client, [made]), self.assertRaisesRegex(TaskFailed, "timed out after 1 s"):
            made.start(self.client, Number(1)).result(within=30)
        self.assertTrue(cancelled.wait(10))

    def test_the_clock_of_a_scratch_database_moves(self) -> None:
        flow: Workflow[Number] = Workflow("shop", unique("clock"), Number, version="1", identity="new")

        @flow.step(retry=Retries(attempts=2, base=3600, max=7200))
        def one(job: Job[Number]) -> int:
            if job.attempt == 1:
                raise RuntimeError("later")
            return job.attempt

        made = flow.returns(one)
        with Worker(self.client, [made]):
            task = made.start(self.client, Number(1))
            until = time.monotonic() + 20
            while not self.rows("select 1 from tasker.list_steps(%s) where attempts = 1 and next_retry_at is not null", (task.uuid,)) and time.monotonic() < until:
                time.sleep(0.01)
            testing.Scratch(DSN).move_clock(7200)
            self.addCleanup(testing.Scratch(DSN).move_clock, -7200)  # The other tests share the database.
            self.assertEqual(task.result(within=30), 2)

    def test_only_postgresql_is_needed(self) -> None:
        """The page docs/howto/python.md: the schema with psql, the first workflow, and no process of Go."""
        name = unique("only")
        self.db.execute(f"create database {name}".encode())
        self.addCleanup(lambda: self.db.execute(f"drop database {name} with (force)".encode()))
        dsn = psycopg.conninfo.make_conninfo(DSN, dbname=name)
        psql = os.environ.get("PSQL", "psql")
        environment = {**os.environ, "DATABASE_URL": dsn, "PYTHONPATH": str(ROOT)}
        schema = subprocess.run([sys.executable, "-m", "pgtasker.schema"], env=environment, capture_output=True, check=True).stdout
        subprocess.run([psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", dsn], input=schema, check=True, capture_output=True)
        out = subprocess.run([sys.executable, "examples/first.py"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual((out.stdout, out.returncode), ("paid for shelf 70\n", 0), out.stderr)
        program = (ROOT / "examples/first.py").read_text()
        self.assertLessEqual(len([line for line in program.splitlines() if line.strip()]), 20)
        self.assertIn(program, (ROOT / "README.md").read_text())


class Package(unittest.TestCase):
    def test_the_wheel_works_in_a_clean_environment(self) -> None:
        with tempfile.TemporaryDirectory() as at:
            copy, migrations = pathlib.Path(at, "clients/python"), ROOT.parents[1] / "db/migrations"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("node_modules"))
            shutil.copytree(migrations, pathlib.Path(at, "db/migrations"))
            build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", at, str(copy)]
            subprocess.run(build, check=True, capture_output=True)
            (wheel,) = pathlib.Path(at).glob("pgtasker-*.whl")
            # The environment has no pip of its own, which takes longer to install than all else.
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", f"{at}/venv"], check=True)
            install = [sys.executable, "-m", "pip", "--python", f"{at}/venv/bin/python", "install", "-q", "--no-index", str(wheel)]
            subprocess.run(install, check=True, capture_output=True)
            code = "import pgtasker, pgtasker.testing, pathlib; print(pathlib.Path(pgtasker.__file__).with_name('py.typed').exists(), pgtasker.Workflow.__name__)"
            out = subprocess.run([f"{at}/venv/bin/python", "-c", code], cwd=at, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
            self.assertEqual(out.stdout, "True Workflow\n", out.stderr)
            shutil.rmtree(pathlib.Path(at, "db"))
            schema = subprocess.run([f"{at}/venv/bin/python", "-m", "pgtasker.schema"], cwd=at, capture_output=True, text=True, check=True)
            self.assertEqual(schema.stdout.count("insert into tasker_meta.schema_migrations values"), len(list(migrations.glob("*.sql"))))
            self.assertNotIn("-- migrate:down", schema.stdout)


if __name__ == "__main__":
    unittest.main()
