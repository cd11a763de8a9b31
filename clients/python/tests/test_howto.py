"""The programs of docs/howto: in memory, and on the database of DATABASE_URL. make test-python has one."""

from __future__ import annotations

import asyncio
import os
import threading
import time
import unittest
import uuid
from typing import Any
from unittest import mock

from examples.howto import broadcasts, children, compensation, deadlines, durable, encrypted, erase, failure_branches, fan_out, growing, idempotency, input, joins, later, limits, pause_and_change, results, retries, schedules, streams, triggers, tutorial_yaml, waiting
from pgtasker import Job, Permanent, Received, Retry, Returning, TaskFailed, Worker, Workflow, testing
from pgtasker.codec import Encrypted, Keys

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from examples.howto import transactions, tutorial
    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


def run(of: Any, input: Any, **options: Any) -> Any:
    return asyncio.run(testing.run(of, input, **options))


def step(flow: Workflow[Any], name: str) -> Any:
    return next(s for s in flow.template()["steps"] if s["name"] == name)


class Memory(unittest.TestCase):
    def test_retries(self) -> None:
        job = testing.job(retries.Payment(700))
        self.assertEqual(run(retries.pay, retries.Payment(700)).result(), "paid: R-700")
        with mock.patch.object(retries.bank, "charge", side_effect=retries.CardExpired), self.assertRaises(Permanent):
            retries.charge(job)
        with mock.patch.object(retries.bank, "charge", side_effect=retries.TooManyRequests), self.assertRaises(Retry) as caught:
            retries.charge(job)
        self.assertEqual(caught.exception.after, 600)
        with mock.patch.object(retries.bank, "charge", side_effect=ValueError), self.assertRaises(ValueError):
            retries.charge(job)
        charge, notify = step(retries.payments, "charge"), step(retries.payments, "notify")
        self.assertEqual(charge["retry"], {"max_attempts": 5, "base_seconds": 2, "multiplier": 3, "max_seconds": 60})
        self.assertEqual(notify["retry"], {"max_attempts": 10, "base_seconds": 30, "backoff": "constant"})

    def test_waiting(self) -> None:
        given = {"approved": waiting.Approval(True), "paid": waiting.Payment(120)}
        self.assertEqual(run(waiting.order, waiting.Order("A"), signals=given).result(), "paid 120")
        given = {"approved": waiting.Approval(True), "waived": waiting.Waiver("ann")}
        self.assertEqual(run(waiting.order, waiting.Order("A"), signals=given).result(), "unpaid")
        self.assertEqual(run(waiting.order, waiting.Order("A"), signals={"approved": waiting.Approval(False)}).skipped, {"settle", "ship"})
        self.assertEqual(run(waiting.order, waiting.Order("A")).skipped, {"approve", "settle", "ship"})
        self.assertEqual(waiting.ship(testing.job(waiting.Order("A")), Received(waiting.Payment(7), "paid")), "paid 7")

    def test_durable_functions(self) -> None:
        purchase = durable.Purchase(7, 12)
        with mock.patch.object(durable, "bank", durable.Bank()):
            self.assertEqual(testing.crash_everywhere(durable.fulfil, purchase, signals={"approved": durable.Approval(True)}), "receipt")
            self.assertEqual(len(durable.bank.charged), 1)
        self.assertEqual(testing.crash_everywhere(durable.fulfil, purchase, signals={"approved": durable.Approval(False)}), "refunded")
        self.assertEqual(testing.crash_everywhere(durable.fulfil, purchase), "refunded")
        self.assertEqual(testing.crash_everywhere(durable.changed, purchase), "receipt")
        calls = testing.Calls()
        calls.kept.append(("charge", "kept by the old code"))
        self.assertEqual(durable.changed(testing.job(purchase, calls=calls)), "kept by the old code")

    def test_schedules(self) -> None:
        self.assertEqual(run(schedules.report, schedules.Region("eu")).result(), "report for eu")
        self.assertEqual(schedules.reports.schedules["nightly_eu"]["cron"], "0 2 * * *")

    def test_deadlines(self) -> None:
        video = deadlines.Video("cat", 3)
        self.assertEqual(run(deadlines.published, video).result(), "https://videos.example/cat.webm")
        self.assertEqual(step(deadlines.videos, "transcode")["timeout_seconds"], 3600)
        job = testing.job(video)
        parts: list[int] = []
        with (
            mock.patch.object(deadlines, "transcode_part", parts.append),
            mock.patch.object(job, "check", side_effect=[None, TimeoutError]),
            self.assertRaises(TimeoutError),
        ):
            deadlines.transcode(job)
        self.assertEqual(parts, [0])

    def test_compensation(self) -> None:
        with mock.patch.object(compensation, "flights", compensation.Flights()):
            self.assertEqual(run(compensation.trip, compensation.Trip("Rome")).result(), "paid for X7")
            self.assertEqual(len(compensation.flights.booked), 1)
            gone = run(compensation.trip, compensation.Trip("Atlantis"))
            self.assertEqual((gone.failed, gone.undone, compensation.flights.booked), ("pay", ["flight"], {}))

    def test_an_effect_without_a_known_result_is_undone(self) -> None:
        class Lost(compensation.Flights):
            def book(self, key: str, to: str) -> compensation.Booking:
                super().book(key, to)
                raise ConnectionError("no answer")

        with mock.patch.object(compensation, "flights", Lost()):
            gone = run(compensation.trip, compensation.Trip("Rome"))
            self.assertEqual((gone.failed, gone.undone, compensation.flights.booked), ("flight", ["flight"], {}))

    def test_joins(self) -> None:
        small, large = run(joins.claim, joins.Damage(50)), run(joins.claim, joins.Damage(5000))
        self.assertEqual((small.result(), small.skipped), ("paid, approved", {"investigate"}))
        self.assertEqual((large.result(), large.skipped), ("paid, investigated", {"approve"}))
        refused = run(joins.charging, joins.Damage(1, "expired"))
        self.assertEqual(refused.of_step(joins.remind), "reminded: the card has expired")
        self.assertEqual(run(joins.charging, joins.Damage(1)).skipped, {"remind"})

    def test_fan_out(self) -> None:
        basket = fan_out.Basket([fan_out.Line("a"), fan_out.Line("b")])
        done = run(fan_out.basket, basket)
        self.assertEqual((done.result(), done.of_step(fan_out.total).cents), (2, 500))
        self.assertEqual(done.of_step(fan_out.ship), ["parcel 0: a", "parcel 1: b"])
        heavy = run(fan_out.basket, fan_out.Basket([fan_out.Line("anvil"), fan_out.Line("b")]))
        self.assertEqual((heavy.result(), heavy.of_step(fan_out.ship)), (1, [None, "parcel 1: b"]))
        self.assertEqual(run(fan_out.basket, fan_out.Basket([fan_out.Line("anvil")] * 2)).failed, "ship")
        self.assertEqual(step(fan_out.baskets, "ship")["for_each"], {"step": "total", "path": "$.parcels"})

    def test_children(self) -> None:
        self.assertEqual(run(children.parcel, children.Parcel(1, [1, 2], True)).result(), children.Label(20))
        self.assertEqual(run(children.purchase, children.Purchase(1), signals={"ship": children.Label(20)}).result(), 100)
        context = step(children.purchases, "ship")["task"]["context"]
        self.assertEqual(context, {"order": "$.order", "lines": {"step": "pick", "path": "$.lines"}, "express": True})

    def test_idempotency(self) -> None:
        self.assertEqual(run(idempotency.webhook, idempotency.Event(1)).result(), 1)
        self.assertEqual(run(idempotency.imported, idempotency.Import(3)).result(), 3)
        calls, lines = testing.Calls(), list[int]()
        with mock.patch.object(idempotency, "import_line", side_effect=[None, ConnectionError]), self.assertRaises(ConnectionError):
            idempotency.import_file(testing.job(idempotency.Import(3), calls=calls))
        with mock.patch.object(idempotency, "import_line", lines.append):
            idempotency.import_file(testing.job(idempotency.Import(3), calls=calls))
        self.assertEqual(lines, [1, 2])

    def test_input(self) -> None:
        self.assertEqual(run(input.refund, input.Refund(7)).result(), 7)
        self.assertEqual(
            input.refunds.template()["input_schema"],
            {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "integer"}, "note": {"type": ["string", "null"]}}},
        )

    def test_later(self) -> None:
        self.assertEqual(run(later.reminder, later.Note("tea")).result(), "tea")

    def test_limits(self) -> None:
        self.assertEqual(run(limits.bill, limits.Bill("ann", 7)).result(), "ann: 7")
        report = step(limits.bills, "report")
        self.assertEqual((report["limit"], report["limit_key"], report["priority"]), ("tenant", "$.customer", 5))

        (transfer,) = limits.transfers.template()["steps"]
        self.assertEqual({name: value for name, value in transfer.items() if name.startswith("limit")}, {
            "limit": "account", "limit_key": "$.account", "limit_hold": "run", "limits": [{"limit": "bank", "limit_units": 2}],
        })  # fmt: skip
        (export,) = limits.exports.template()["steps"]
        self.assertEqual((export["limit"], export["limit_key"], export["limit_bound"], export["limit_bound_max"]), ("exports", "$.customer", "$.places", 50))
        self.assertEqual(run(limits.exported, limits.Export("ann", 3)).result(), "ann")

    def test_failure_branches(self) -> None:
        broken = run(failure_branches.delivery, failure_branches.Delivery("17", "broken"))
        self.assertEqual((broken.state, broken.result()), ("complete", ("send: the van is broken", 1)))
        self.assertEqual(run(failure_branches.delivery, failure_branches.Delivery("17")).skipped, {"alert"})
        self.assertEqual(run(failure_branches.quote, failure_branches.Delivery("17")).result(), "ups for 700")

    def test_results(self) -> None:
        self.assertEqual(run(results.words, results.Pages(["a b", "c"])).result(), 3)


@unittest.skipUnless(DSN, "there is no database, or no psycopg")
class Database(unittest.TestCase):
    """On a database: what a test in memory does not show."""

    def setUp(self) -> None:
        self.client = Postgres(DSN)
        self.addCleanup(self.client.close)

    def work(self, *flows: Any) -> None:
        """Runs a worker until the test has ended."""
        worker = Worker(self.client, list(flows))
        thread = threading.Thread(target=worker.run)
        thread.start()
        self.addCleanup(thread.join, 20)
        self.addCleanup(worker.stop)

    def test_the_database_takes_each_template(self) -> None:
        flows: tuple[Returning[Any, Any], ...] = (
            retries.pay, waiting.order, durable.fulfilment, durable.subscribed, durable.checked, schedules.report, deadlines.published,
            compensation.trip, joins.claim, joins.charging, fan_out.basket, children.parcel, children.purchase, transactions.printed,
            idempotency.webhook, idempotency.imported, input.refund, later.reminder, limits.bill, limits.transferred, limits.exported,
            failure_branches.delivery, failure_branches.quote, triggers.shipment, results.words, tutorial.fulfil,
        )  # fmt: skip
        with psycopg.connect(DSN, autocommit=True) as db:
            for flow in flows:
                flow.register(db)
            found = db.execute("select cron from tasker.list_schedules('guide') where schedule = 'nightly_eu'").fetchall()
        self.assertEqual(found, [("0 2 * * *",)])

    def handle(self, handle: Any, *steps: dict[str, Any]) -> str:
        """Registers a template for plain handlers, runs them, and returns the template's name."""
        name = "plain_" + uuid.uuid4().hex[:8]
        self.client.register_template({"namespace": name, "name": name, "version": "1.0.0", "identity_strategy": "always_unique", "steps": list(steps)})
        worker = Worker(self.client, namespaces=[name])
        handle(worker)
        thread = threading.Thread(target=worker.run)
        thread.start()
        self.addCleanup(thread.join, 20)
        self.addCleanup(worker.stop)
        return name

    def test_an_event_ends_a_wait(self) -> None:
        self.work(broadcasts.trade)
        broadcasts.trade.register(self.client)
        number = str(uuid.uuid4())
        task = broadcasts.trade.start(self.client, broadcasts.Trade(number, 17), key=number)
        broadcasts.open_market(self.client, number, "today")
        broadcasts.trade.emit(self.client, broadcasts.filled, broadcasts.Fill(7), key="17")
        self.assertEqual(task.result(within=60), "7 filled")

    def test_an_event_starts_a_task_and_another_cancels_it(self) -> None:
        triggers.shipment.register(self.client)
        order = uuid.uuid4().hex
        triggers.shipment.emit(self.client, triggers.paid, triggers.Paid(order, 7, triggers.Address("eu")))
        self.work(triggers.shipment)
        paid = triggers.shipment.start(self.client, triggers.Shipment(order, "eu"), key=order)
        self.assertEqual((paid.created, paid.result(within=60)), (False, f"{order} to eu"))
        triggers.shipment.emit(self.client, triggers.withdrawn, triggers.Withdrawn(), key=order)

    def test_the_runs_of_a_customer_are_erased(self) -> None:
        limits.bill.register(self.client)
        customer, runs = uuid.uuid4().hex, []
        with psycopg.connect(DSN, autocommit=True) as db:
            for _ in range(3):
                runs.append(limits.bill.start(db, limits.Bill(customer, 7), tags=[f"customer:{customer}"]))
            for task in runs[1:]:
                task.cancel("the customer leaves")
            self.assertEqual(erase.erase_one(self.client, runs[1].uuid), "erased")
            self.assertEqual(erase.erase_all(self.client, customer), 1)
            runs[0].cancel("the customer leaves")
            self.assertEqual((erase.erase_all(self.client, customer), erase.erase_all(self.client, customer)), (1, 0))

    def test_handlers_see_what_the_database_does_not(self) -> None:
        self.client.register_template({"namespace": "guide", "name": "claim", "encrypted": {"clear": ["customer"]}, "steps": [{"name": "pay"}]})
        task, worker = encrypted.claims(self.client, Keys("2026-11", {"2026-11": b"k" * 32}))
        with worker:
            until = time.monotonic() + 60
            while not self.client.get_task(task)["complete"] and time.monotonic() < until:
                threading.Event().wait(0.05)
        stored = self.client.get_task(task)["context"]
        self.assertEqual((7, False), (stored["customer"], "card" in stored))
        self.assertEqual({"pay": "paid with 4111 1111"}, Encrypted(self.client, Keys("2026-11", {"2026-11": b"k" * 32})).get_result(task)["results"])

    def test_a_running_step_says_what_it_does(self) -> None:
        name = self.handle(lambda worker: worker.handler("load", dict)(streams.load), {"name": "load"})
        task = self.client.create_task(name, name, {}).task_uuid
        with psycopg.connect(DSN, autocommit=True) as db:
            until = time.monotonic() + 60
            while not self.client.get_task(task)["complete"] and time.monotonic() < until:
                threading.Event().wait(0.05)
            found: Any = db.execute("select name, value #>> '{text}', last_no from tasker.list_streams(%s) order by name", (task,)).fetchall()
        self.assertEqual([("log", None, 1), ("progress", "row 400 of 1,000", 1), ("rejected", None, 2), ("rows", None, 1)], found)

    def test_a_step_adds_steps(self) -> None:
        name = self.handle(growing.handle, {"name": "list"})
        task = self.client.create_task(name, name, {"files": ["a", "bcd"]}).task_uuid
        self.assertEqual(self.client.wait_for_task(task, 60)["state"], "complete")
        self.assertEqual(self.client.get_result(task)["results"], {"sum": 4})

    def test_the_order_of_the_tutorial_in_yaml(self) -> None:
        after: dict[str, list[str]] = {"reserve": [], "charge": ["reserve"], "pack": ["reserve"], "ship": ["charge", "pack"]}
        name = self.handle(tutorial_yaml.handle, *({"name": step, "dependencies": parents} for step, parents in after.items()))
        task = self.client.create_task(name, name, {"number": 7, "customer": "Ada", "cents": 1299}).task_uuid
        self.assertEqual(self.client.wait_for_task(task, 60)["state"], "complete")
        self.assertEqual(self.client.get_result(task)["results"], {"ship": "sent to Ada, from shelf 7"})

    def test_a_signal_ends_a_wait(self) -> None:
        self.work(waiting.order)
        key = str(uuid.uuid4())
        waiting.order.register(self.client)
        task = waiting.place(self.client, key)
        task.send(waiting.paid, waiting.Payment(1))  # too little: it waits on
        task.send(waiting.waived, waiting.Waiver("ann"))
        self.assertEqual(task.result(within=60), "unpaid")

    def test_a_failing_element_is_tolerated(self) -> None:
        fan_out.basket.register(self.client)
        self.work(fan_out.basket)
        lines = [fan_out.Line("a"), fan_out.Line("anvil"), fan_out.Line("b")]
        task = fan_out.basket.start(self.client, fan_out.Basket(lines))
        self.assertEqual(task.result(within=60), 2)
        self.assertEqual(task.result(None, fan_out.ship), ["parcel 0: a", None, "parcel 2: b"])

    def test_a_task_that_a_step_starts(self) -> None:
        children.parcel.register(self.client)
        children.purchase.register(self.client)
        self.work(children.parcel, children.purchase)
        self.assertEqual(children.purchase.start(self.client, children.Purchase(1)).result(within=60), 100)

    def test_what_was_done_is_undone(self) -> None:
        compensation.trip.register(self.client)
        self.work(compensation.trip)
        task = compensation.trip.start(self.client, compensation.Trip("Atlantis"))
        with self.assertRaises(TaskFailed):
            task.result(within=60)
        self.assertEqual(compensation.flights.booked, {})

    def test_changed_code_is_let_in(self) -> None:
        durable.checked.register(self.client)
        self.work(durable.checked)
        self.assertEqual(durable.checked.start(self.client, durable.Purchase(1, 5)).result(within=60), "receipt")

    def test_a_loop_forgets_and_goes_on(self) -> None:
        durable.subscribed.register(self.client)
        with mock.patch.object(durable, "MONTH", 0.001):
            self.work(durable.subscribed)
            task = durable.subscribed.start(self.client, durable.Purchase(1, 5))
            self.assertEqual(task.result(within=60), 60)

    def test_a_task_and_a_result_in_a_transaction(self) -> None:
        with psycopg.connect(DSN, autocommit=True) as db:
            db.execute("create table if not exists invoices (number text, booked boolean default false)")
            db.execute("alter table invoices add column if not exists task_uuid uuid")
            db.execute("create table prints (step_uuid uuid primary key, invoice integer not null)")
            transactions.printed.register(db)
            self.work(transactions.printed)
            task = transactions.book(db, 7)
            self.assertEqual(task.result(self.client, within=60), 7)
            self.assertEqual(db.execute("select invoice from prints").fetchall(), [(7,)])

    def test_a_task_ends_at_its_deadline_and_is_cancelled_once(self) -> None:
        deadlines.published.register(self.client)
        self.assertTrue(deadlines.upload(self.client, "cat"))

    def test_a_task_starts_later(self) -> None:
        later.reminder.register(self.client)
        self.assertEqual(self.client.get_task(str(later.later(self.client, "tea").uuid))["state"], "pending")

    def test_a_paused_task_is_changed(self) -> None:
        pause_and_change.paid.register(self.client)
        refund = pause_and_change.Refund(70)
        task = pause_and_change.paid.start(self.client, refund)
        self.assertTrue(pause_and_change.lower(task, refund))
        self.work(pause_and_change.paid)
        self.assertEqual(task.result(within=60), 60)

    def test_the_order_of_the_tutorial(self) -> None:
        order = tutorial.Order(12, "Ada", 4200)
        self.assertEqual(run(tutorial.fulfil, order).result(), "sent to Ada, from shelf 2")
        with self.assertRaisesRegex(Permanent, "nothing to pay"):
            run(tutorial.fulfil, tutorial.Order(12, "Ada", 0)).result()
        with psycopg.connect(DSN, autocommit=True) as db:
            db.execute("create table orders_py (number integer primary key, task_uuid uuid not null)")
            tutorial.fulfil.register(db)
            self.work(tutorial.fulfil)
            task = tutorial.place(db, order)
            self.assertEqual(tutorial.place(db, order).uuid, task.uuid)
            self.assertEqual(task.result(self.client, within=60), "sent to Ada, from shelf 2")
            self.assertEqual(db.execute("select task_uuid from orders_py").fetchall(), [(task.uuid,)])

    def test_a_key_finds_its_task(self) -> None:
        idempotency.webhook.register(self.client)
        self.assertEqual(idempotency.receive(self.client, int(uuid.uuid4()) % 10**9), (True, False))

    def test_an_attempt_goes_on_from_its_checkpoint(self) -> None:
        seen: list[int] = []

        def import_line(number: int) -> None:
            seen.append(number)
            if seen == [0, 1]:
                raise ConnectionError("once")

        idempotency.imported.register(self.client)
        with mock.patch.object(idempotency, "import_line", import_line):
            self.work(idempotency.imported)
            self.assertEqual(idempotency.imported.start(self.client, idempotency.Import(3)).result(within=60), 3)
        self.assertEqual(seen, [0, 1, 1, 2])


if __name__ == "__main__":
    unittest.main()
