"""Events, pauses, steps of other programs, signals by key and policies: in memory, over PostgreSQL and over HTTP, blocking and not."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pgtasker import ApiError, AsyncClient, AsyncJob, Client, Event, Happened, Job, Pause, Paused, Permanent, Policy, Received, Signal, TimedOut, Worker, Workflow, testing
from examples.howto import broadcasts

try:
    import psycopg

    from pgtasker.postgres import Postgres
except ImportError:
    pass


@dataclass
class Door:
    number: str
    floor: int = 1


@dataclass
class Opening:
    by: str


@dataclass
class Code:
    digits: int


opening = Event("opening", Opening, key=lambda door: door.number)
knock, code = Signal("knock", Opening), Signal("code", Code)
doors = Workflow("waits", "doors_py", Door, version="1.0.0", identity="key")
first = doors.wait("first", opening.when(lambda o: o.by != "nobody"), knock)
rest = doors.wait("rest", Pause(0.05), after=first)
floor = doors.declare("floor", int, handler="waits.floor_py", after=rest)


@doors.step(after=(first, floor))
def enter(job: Job[Door], came: Happened[Opening] | Received[Opening], at: int) -> str:
    return f"{came.by} {came.name} of {came.payload.by} at {at}"


door = doors.returns(enter)
guards = Workflow("waits", "guards_py", Door, version="1.0.0", identity="new")


@guards.step()
async def watch(job: AsyncJob[Door]) -> str:
    came = await job.wait(Event("opening", Opening, key=job.input.number))
    await job.wait(Pause(0.01))
    late = await job.wait(Event("never", Opening), timeout=0.05)
    return f"{came.payload.by} {came.key == job.input.number} {late.by}"


guard = guards.returns(watch)


class Memory(unittest.TestCase):
    def test_an_event_ends_a_wait(self) -> None:
        given = {"opening": Opening("ann"), "floor": 3}
        self.assertEqual(asyncio.run(testing.run(door, Door("A"), signals=given)).result(), "event opening of ann at 3")
        given = {"opening": Opening("nobody"), "knock": Opening("bob"), "floor": 3}
        self.assertEqual(asyncio.run(testing.run(door, Door("A"), signals=given)).result(), "signal knock of bob at 3")
        with self.assertRaisesRegex(Permanent, "nothing came"):
            asyncio.run(testing.run(door, Door("A"), signals={"floor": 3})).result()

    def test_an_answer_has_the_time_of_sending(self) -> None:
        at = datetime(2026, 11, 21, 17, 31, 42, 70391, timezone.utc)
        answer: dict[str, Any] = {"by": "event", "name": "opening", "key": "A", "payload": {"by": "ann"}, "sent_at": "2026-11-21T17:31:42.070391Z"}
        read = doors.steps["first"].returns.read
        self.assertEqual(read("it", answer).sent_at, at)
        self.assertEqual(read("it", {**answer, "by": "signal", "name": "knock"}).sent_at, at)
        self.assertIsNone(read("it", {"by": "signal", "name": "knock", "payload": {"by": "ann"}}).sent_at, "a person completed the step")
        report = asyncio.run(testing.run(door, Door("A"), signals={"knock": Opening("bob"), "floor": 3}))
        self.assertIsNotNone(report.results["first"].sent_at)

    def test_a_durable_function_waits_for_an_event(self) -> None:
        self.assertEqual(testing.crash_everywhere(watch, Door("A"), signals={"opening": Opening("ann")}), "ann False timeout")

    def test_the_template_says_what_a_step_waits_for(self) -> None:
        steps = {s["name"]: s for s in doors.template()["steps"]}
        one = {"event": "opening", "key": "$.number", "when": '$.by != "nobody"'}
        self.assertEqual(steps["first"]["await"][0], one)
        self.assertEqual(steps["rest"]["await"], {"for": 0.05})
        self.assertEqual(steps["floor"]["handler"], "waits.floor_py")
        self.assertNotIn("waits.floor_py", [name for name, _ in doors.handlers()])

    def test_the_page(self) -> None:
        def run(signals: dict[str, Any]) -> Any:
            return asyncio.run(testing.run(broadcasts.trade, broadcasts.Trade("XETRA", 17), signals=signals)).result()

        opened = {"market_open": broadcasts.Opened("09:00")}
        self.assertEqual(run({**opened, "filled": broadcasts.Fill(7)}), "7 filled")
        self.assertEqual(run({**opened, "filled": broadcasts.Fill(0)}), "nothing came in eight hours")
        self.assertEqual(run({**opened, "withdrawn": broadcasts.Withdrawal("ann")}), "withdrawn by ann")

    def test_a_policy_has_seconds(self) -> None:
        self.assertEqual(Policy(debounce=2, throttle=5, throttle_period=60, scope="open").fields(), {
            "debounce_seconds": 2, "throttle_seconds": 60, "throttle_limit": 5, "identity_scope": "open",
        })  # fmt: skip


class OnADatabase:
    """The same over each transport: client makes one."""

    def client(self) -> Client:
        raise NotImplementedError

    def registered(self: Any) -> Client:
        client: Client = self.client()
        self.addCleanup(client.close)
        self.operator = self.operators()
        self.addCleanup(self.operator.close)
        flows: list[Any] = [door, guard, broadcasts.trade]
        for flow in flows:
            flow.register(self.operator)
        worker = Worker(client, flows)

        @worker.handler("waits.floor_py", Door)
        def floor_of(job: Job[Door]) -> int:
            return job.input.floor

        thread = threading.Thread(target=worker.run)
        thread.start()
        self.addCleanup(thread.join, 20)
        self.addCleanup(worker.stop)
        return client

    def test_an_event_a_pause_and_a_step_of_another_program(self: Any) -> None:
        client = self.registered()
        number = str(uuid.uuid4())
        task = door.start(client, Door(number, 3), key=number)
        self.assertTrue(door.emit(client, opening, Opening("nobody"), key=number))
        self.assertTrue(door.emit(client, opening, Opening("ann"), key=number, idempotency_key=number))
        self.assertFalse(door.emit(client, opening, Opening("ann"), key=number, idempotency_key=number))
        self.assertEqual(task.result(within=60), "event opening of ann at 3")
        self.assertEqual(task.result(None, first), Happened(Opening("ann"), "opening", number))
        sent_at = task.result(None, first).sent_at
        self.assertTrue(sent_at is not None and abs(datetime.now(timezone.utc) - sent_at) < timedelta(minutes=5), sent_at)
        self.assertEqual(task.result(None, rest), Paused())

    def test_a_durable_function_waits_for_an_event(self: Any) -> None:
        client = self.registered()
        number = str(uuid.uuid4())
        task = guard.start(client, Door(number))
        door.emit(client, opening, Opening("ann"), key=number)
        self.assertEqual(task.result(within=60), "ann True timeout")

    def test_a_signal_by_key_starts_a_task(self: Any) -> None:
        client = self.registered()
        number = str(uuid.uuid4())
        with self.assertRaises(ApiError if self.http else (ApiError, psycopg.Error)):
            door.send_by_key(client, number, knock, Opening("bob"))
        self.assertIn(door.send_by_key(client, number, knock, Opening("bob"), idempotency_key="a", start=Door(number, 2)), ("kept", "delivered"))
        self.assertEqual(door.send_by_key(client, number, knock, Opening("bob"), idempotency_key="a"), "repeated")
        self.assertEqual(door.start(client, Door(number, 2), key=number).result(within=60), "signal knock of bob at 2")
        wrong: Any = Code(1)
        with self.assertRaisesRegex(Exception, "the payload of signal 'knock'"):
            door.send_by_key(client, number, knock, wrong)

    def test_the_last_of_several_requests_starts(self: Any) -> None:
        client = self.registered()
        number, policy = str(uuid.uuid4()), Policy(debounce=3600, debounce_longest=7200)
        tasks = [door.start(client, Door(number, n), key=number, policy=policy) for n in range(3)]
        self.assertEqual([client.get_task(str(t.uuid))["state"] for t in tasks], ["cancelled", "cancelled", "pending"])
        key = str(uuid.uuid4())
        with self.assertRaisesRegex(ApiError, "too many tasks"):
            for n in range(2):
                door.start(client, Door(f"{key} {n}"), key=f"{key} {n}", policy=Policy(throttle=1, throttle_period=3600, throttle_key=key))
        again = [door.start(client, Door(key), key=key, policy=Policy(scope="period", period=3600)) for _ in range(2)]
        self.assertEqual([t.created for t in again], [True, False])

    def test_the_page(self: Any) -> None:
        client = self.registered()
        number = str(uuid.uuid4())
        task = broadcasts.trade.start(client, broadcasts.Trade(number, 17), key=number)
        self.assertTrue(broadcasts.open_market(client, number, "today"))
        self.assertFalse(broadcasts.open_market(client, number, "today"))
        self.assertIn(broadcasts.withdraw(client, number, "ann"), ("kept", "delivered"))
        self.assertEqual(task.result(within=60), "withdrawn by ann")
        self.assertTrue(broadcasts.place(client, number + "b", broadcasts.Trade("XETRA", 1)).created)

    def test_coroutines(self: Any) -> None:
        client = self.registered()
        number = str(uuid.uuid4())

        async def go() -> str:
            on = AsyncClient(client)
            self.assertIn(await door.send_by_key(on, number, knock, Opening("eve"), start=Door(number)), ("kept", "delivered"))
            self.assertTrue(await door.emit(on, opening, Opening("eve"), key=number))
            task = await door.start(on, Door(number), key=number)
            return await task.result(within=60)

        self.assertIn(asyncio.run(go()), ("signal knock of eve at 1", "event opening of eve at 1"))


@unittest.skipUnless("DATABASE_URL" in os.environ, "there is no database")
class OverPostgreSQL(OnADatabase, unittest.TestCase):
    http = False

    def client(self) -> Client:
        return Postgres(os.environ["DATABASE_URL"])

    operators = client

    def test_in_the_callers_own_transaction(self) -> None:
        self.registered()
        number = str(uuid.uuid4())
        with psycopg.connect(os.environ["DATABASE_URL"]) as db:
            door.send_by_key(db, number, knock, Opening("bob"), start=Door(number))
            door.emit(db, opening, Opening("bob"), key=number)
            door.start(db, Door(number + "b"), key=number + "b", policy=Policy(scope="period", period=7200))
            db.rollback()
            found = db.execute("select count(*) from tasker.find_tasks_by_key(%s)", (number,)).fetchone()
            self.assertEqual(found, (0,))


@unittest.skipUnless("TASKER_URL" in os.environ, "there is no server")
class OverHTTP(OnADatabase, unittest.TestCase):
    http = True

    def client(self) -> Client:
        return Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"])

    def operators(self) -> Client:
        return Client(os.environ["TASKER_URL"], os.environ["TASKER_OPERATOR_TOKEN"])
