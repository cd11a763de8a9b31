"""The invoice workflow in memory: no server, no database, no waiting."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any
from uuid import UUID

from examples import services
from examples.invoice import Approval, Invoice, Line, Total, charge, flow, invoice, price, total
from pgtasker import Job, Misfit, Signal, Workflow, testing
from pgtasker.workflow import Bound

SMALL = Invoice("1", "ann", [Line("abc", 1), Line("de", 2)])
LARGE = Invoice("2", "ann", [Line("abc", 1000)])


class Tx:
    def __init__(self) -> None:
        self.booked: list[str] = []

    async def execute(self, sql: str, values: Any) -> None:
        self.booked.append(sql.split("booked = ")[1].split()[0])


class Memory(unittest.TestCase):
    def test_a_step_is_a_function(self) -> None:
        self.assertEqual(total(testing.job(SMALL), [1, 2]), Total(3))
        self.assertEqual(price(testing.job(SMALL), Line("abc", 2)), 600)

    def test_small_invoices_need_no_approval(self) -> None:
        run = asyncio.run(testing.run(invoice, SMALL, tx=Tx()))
        self.assertEqual(run.result(), (Total(700), services.Receipt("R-ann", 700)))
        self.assertEqual((run.of_step(price), run.skipped), ([300, 400], {"approve"}))

    def test_large_ones_wait(self) -> None:
        for ok, skipped in ((True, set()), (False, {"book", "charge", "mail"})):
            run = asyncio.run(testing.run(invoice, LARGE, signals={"approved": Approval(ok)}, tx=Tx()))
            self.assertEqual(run.skipped, skipped)

    def test_a_mail_that_fails_undoes_all(self) -> None:
        tx = Tx()
        run = asyncio.run(testing.run(invoice, Invoice("3", "bounce", [Line("a", 1)]), tx=tx))
        self.assertEqual((run.failed, run.undone, tx.booked), ("mail", ["charge", "book"], ["true", "false"]))

    def test_it_charges_once_wherever_its_worker_is_lost(self) -> None:
        keys: list[UUID] = []

        async def bank(key: UUID, customer: str, cents: int) -> services.Receipt:
            keys.append(key)
            return services.Receipt("R", cents)

        services.charge, before = bank, services.charge
        self.addCleanup(setattr, services, "charge", before)
        self.assertEqual(testing.crash_everywhere(charge, SMALL, Total(7), None), services.Receipt("R", 7))
        self.assertEqual(len(set(keys)), 1)
        self.assertGreater(len(keys), 3)

    def test_a_function_that_keeps_nothing_is_found(self) -> None:
        made: list[int] = []

        def careless(job: Job[Invoice]) -> int:
            made.append(1)
            return job.once("a", lambda key: len(made))

        with self.assertRaisesRegex(AssertionError, "after a crash at 1 the end is 3, not 1"):
            testing.crash_everywhere(careless, SMALL)


class Imports(unittest.TestCase):
    """What no type checker sees fails at import, with a sentence."""

    def test_a_step_has_the_job_of_its_kind(self) -> None:
        other: Workflow[Invoice] = Workflow("billing", "other", Invoice, version="1")
        with self.assertRaisesRegex(TypeError, "an async def function takes an AsyncJob"):

            @other.step()  # type: ignore[arg-type]
            async def wrong(job: Job[Invoice]) -> int:
                return 1

    def test_a_step_belongs_to_its_workflow_and_is_named_once(self) -> None:
        other: Workflow[Invoice] = Workflow("billing", "other", Invoice, version="1")
        with self.assertRaisesRegex(ValueError, "'total' is not of workflow"):
            other.wait("w", Signal("s", Approval), after=total)
        other.wait("w", Signal("s", Approval))
        with self.assertRaisesRegex(ValueError, "two steps 'w'"):
            other.wait("w", Signal("s", Approval))

    def test_a_condition_is_recorded(self) -> None:
        other: Workflow[Invoice] = Workflow("billing", "other", Invoice, version="1")

        @other.step()
        def one(job: Job[Invoice]) -> Total:
            return Total(1)

        with self.assertRaisesRegex(TypeError, "recorded, not computed"):
            other.wait("w", Signal("s", Approval), after=one.when(lambda t: t.cents > 1 and t.cents < 5))

    def test_the_template_is_the_engines(self) -> None:
        template = flow.template()
        self.assertEqual((template["namespace"], template["identity_strategy"], template["on_failure"]), ("billing", "caller_provided", "fail"))
        steps = {step["name"]: step for step in template["steps"]}
        self.assertEqual(steps["price"]["for_each"], {"step": "fetch"})
        self.assertEqual(steps["approve"]["dependencies"], [{"step": "total", "when": "$.cents >= 100000"}])
        self.assertEqual(steps["charge"]["limit_key"], "$.customer")


class Border(unittest.TestCase):
    """Values are checked before a handler's effects, and results before they are recorded."""

    def test_a_wrong_parent_result_fails_before_the_function_runs(self) -> None:
        ran: list[int] = []
        border: Workflow[Invoice] = Workflow("billing", "border", Invoice, version="1")

        @border.step()
        def first(job: Job[Invoice]) -> Total:
            return Total(1)

        @border.step(after=first)
        def second(job: Job[Invoice], t: Total) -> int:
            ran.append(1)
            return t.cents

        class Fake:
            inputs: Any = None

            def results(self) -> Any:
                return {"first": {"cents": "one"}}

        handlers = dict(border.handlers())
        bound: Bound = handlers["billing.border:1.second"]
        with self.assertRaisesRegex(Misfit, "the result of 'first'.cents is not int, but 'one'"):
            bound.run(Fake())
        self.assertEqual(ran, [])

    def test_the_kit_names_the_step_above_whose_result_does_not_fit(self) -> None:
        flow: Workflow[Invoice] = Workflow("billing", "kit", Invoice, version="1")

        @flow.step()
        def first(job: Job[Invoice]) -> int:
            return 7

        @flow.step(after=first)  # type: ignore[arg-type]
        def second(job: Job[Invoice], text: str) -> str:
            return text

        ran: Any = asyncio.run(testing.run(flow.returns(second), Invoice("1", "ann", [])))
        self.assertEqual(ran.failed, "second")
        with self.assertRaisesRegex(Misfit, "the result of 'first' is not str, but 7") as raised:
            ran.result()
        self.assertEqual(raised.exception.step, "first")

    def test_models_of_pydantic_are_checked(self) -> None:
        try:
            from pydantic import BaseModel
        except ImportError:
            self.skipTest("there is no pydantic")
        from pgtasker.fit import fit
        from pgtasker.jsontext import plain
        from pgtasker.values import schema

        class Model(BaseModel):
            n: int
            note: str = ""

        self.assertEqual(plain(fit("it", {"n": 1}, Model)), {"n": 1, "note": ""})
        self.assertEqual(schema(Model)["required"], ["n"])
        with self.assertRaisesRegex(Misfit, "it does not fit Model"):
            fit("it", {"n": "x"}, Model)


if __name__ == "__main__":
    unittest.main()
