"""Failure branches, races and limits: in memory, and the same programs on the database of DATABASE_URL. make test-python has one."""

from __future__ import annotations

import asyncio
import inspect
import os
import random
import time
import unittest
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Callable

from examples.howto import failure_branches
from examples.howto.failure_branches import Delivery
from pgtasker import Event, Failure, Job, Permanent, Retries, Undo, Worker, Workflow, any_of, ended, failed, first_of, settled, testing

DSN = os.environ.get("DATABASE_URL", "")
try:
    import psycopg

    from pgtasker.postgres import Postgres
except ImportError:
    DSN = ""


@dataclass
class Plan:
    fail: list[str] = field(default_factory=list)
    skip: list[str] = field(default_factory=list)


@dataclass
class Paid:
    order: str
    cents: int


JOINS: dict[str, Callable[..., Any]] = {"all": lambda *steps: steps, "any": any_of, "settled": settled, "first": first_of, "failed": failed, "ended": ended}


class Graph:
    """A workflow whose steps fail and are skipped as its input says. Every step that has parents may be skipped."""

    def __init__(self, policy: Any = "continue") -> None:
        self.flow: Workflow[Plan] = Workflow("branches", f"g{uuid.uuid4().hex[:12]}", Plan, version="1", identity="new", on_failure=policy)
        self.steps: dict[str, Any] = {}

    def step(self, name: str, join: str = "all", *parents: str, undo: bool = False) -> Graph:
        def run(job: Job[Plan], *results: Any) -> bool:
            if name in job.input.fail:
                raise Permanent(f"{name} was to fail")
            return name not in job.input.skip

        takes = ["failures"] if join in ("failed", "ended") else list(parents)
        run.__annotations__ = {"job": Job[Plan], **{n: list[Failure] if n == "failures" else Any for n in takes}, "return": bool}
        parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in ("job", *takes)]
        setattr(run, "__signature__", inspect.Signature(parameters))
        deps = [self.steps[p] if join in ("failed", "ended") else self.steps[p].when(lambda ok: ok == True) for p in parents]  # noqa: E712
        after: Any = None if not parents else JOINS[join](*deps)
        self.steps[name] = self.flow.step(name=name, after=after, retry=Retries(attempts=1))(run)
        if undo:
            self.steps[name].undo(self.back)
        return self

    def returning(self) -> Any:
        return self.flow.returns(next(iter(self.steps.values())))

    def back(self, job: Job[Plan], undo: Undo[bool]) -> None:
        """Undoes a step."""

    def in_memory(self, plan: Plan) -> tuple[str, dict[str, str]]:
        """The state of the task and of its steps, as the engine has them."""
        run = asyncio.run(testing.run(self.returning(), plan))
        cancelled = run.skipped | run.cancelled | {f.step for f in run.failures}
        states = {n: "complete" if n in run.results else "cancelled" if n in cancelled else "other" for n in self.steps}
        return run.state, states


def joined(policy: str, join: str) -> Graph:
    return Graph(policy).step("root").step("a", "all", "root").step("b", "all", "root").step("x", join, "a", "b")


class Memory(unittest.TestCase):
    def test_a_failure_runs_the_steps_that_wait_for_it(self) -> None:
        run = asyncio.run(testing.run(failure_branches.delivery, Delivery("17", "broken")))
        self.assertEqual((run.state, run.result()), ("complete", ("send: the van is broken", 1)))
        self.assertEqual([(f.step, f.attempts) for f in run.failures], [("send", 1)])
        run = asyncio.run(testing.run(failure_branches.delivery, Delivery("17")))
        self.assertEqual((run.state, run.result(), run.skipped), ("complete", (None, 0), {"alert"}))

    def test_a_step_above_fails_for_those_below(self) -> None:
        g = Graph().step("a").step("b", "all", "a").step("alert", "failed", "b").step("after", "all", "alert")
        self.assertEqual(g.in_memory(Plan(["a"])), ("complete", {"a": "cancelled", "b": "cancelled", "alert": "complete", "after": "complete"}))
        self.assertEqual(g.in_memory(Plan([], ["a"])), ("complete", {"a": "complete", "b": "cancelled", "alert": "cancelled", "after": "cancelled"}))

    def test_the_first_result_wins(self) -> None:
        run = asyncio.run(testing.run(failure_branches.quote, Delivery("17")))
        self.assertEqual((run.result(), run.cancelled), ("ups for 700", {"ask_dhl"}))

    def test_a_branch_that_failed_loses_and_one_that_others_need_is_kept(self) -> None:
        g = Graph().step("a").step("b").step("c", "all", "b").step("x", "first", "a", "c").step("y", "all", "b")
        self.assertEqual(g.in_memory(Plan()), ("complete", {"a": "complete", "b": "complete", "c": "cancelled", "x": "complete", "y": "complete"}))
        race = Graph().step("a").step("b").step("x", "first", "a", "b")
        self.assertEqual(race.in_memory(Plan(["a"])), ("complete", {"a": "cancelled", "b": "complete", "x": "complete"}))
        self.assertEqual(race.in_memory(Plan(["a", "b"])), ("blocked_by_failures", {"a": "other", "b": "other", "x": "other"}))

    def test_on_failure_fail_runs_the_branches_and_then_undoes(self) -> None:
        g = Graph("fail").step("a", undo=True).step("b", "all", "a", undo=True).step("alert", "failed", "b")
        run = asyncio.run(testing.run(g.flow.returns(g.steps["alert"]), Plan(["b"])))
        self.assertEqual((run.state, run.failed, run.undone, run.of_step(g.steps["alert"])), ("error", "b", ["b", "a"], True))
        with self.assertRaisesRegex(Permanent, "b was to fail"):
            run.result()

    def test_what_cannot_be_waited_for_is_refused(self) -> None:
        g = Graph().step("a")
        with self.assertRaisesRegex(ValueError, "no result for a condition"):
            failed(g.steps["a"].when(lambda ok: ok == True))  # noqa: E712
        with self.assertRaisesRegex(ValueError, "the end of no step"):
            ended()
        with self.assertRaisesRegex(ValueError, "limit_key is of a limit"):
            g.flow.step(limit_key=lambda plan: plan.fail[0])(lambda job: 1)


# The template of internal/tests/conformance/testdata/branches.yaml. TestPython_MakesTheTemplateOfYAML compares them.
paid, withdrawn = Event("paid", Paid, when=lambda p: p.cents > 0), Event("withdrawn", Paid, key="eu")
branches = Workflow("branches", "branches", Delivery, version="1", identity="key", on_failure="fail", on_undo="drain")
branches.start_on(paid, lambda p: Delivery(parcel=p.order, van="$5"), identity=lambda p: p.order)
branches.cancel_on(withdrawn)
branches.cancel_on(Event("lost", Paid), identity=lambda p: p.order)


@branches.step(limits=[branches.limit("account", lambda d: d.parcel, whole_run=True), branches.limit("bank", units=2)])
def transfer(job: Job[Delivery]) -> int:
    return 1


@branches.step(limit="stripe", limits=[branches.limit("tenant", lambda d: d.van)], start_within=600)
def charge(job: Job[Delivery]) -> int:
    return 2


@branches.step(after=first_of(transfer, charge.when(lambda n: n > 1)))
def book(job: Job[Delivery], transferred: int | None, charged: int | None) -> int:
    return 3


@branches.step(after=failed(book, transfer))
def alert(job: Job[Delivery], failures: list[Failure]) -> int:
    return len(failures)


@branches.step(after=ended(book))
def clean_up(job: Job[Delivery], failures: list[Failure]) -> int:
    return len(failures)


@branches.step()
def split(job: Job[Delivery]) -> list[Delivery]:
    return [job.input, job.input]


boxing = Workflow("branches", "boxing", Delivery, version="1", identity="new", on_failure="fail")


@boxing.step()
def pack(job: Job[Delivery]) -> str:
    return f"{job.input.parcel} is packed"


parcels = branches.each_child("parcels", split.each(lambda all: all), boxing.returns(pack), max_parallel=2, allow_failures=1, timeout=60)


@branches.step(after=parcels)
def tell(job: Job[Delivery], packed: list[str | None]) -> list[str | None]:
    return packed


approval = branches.wait("approval", Event("approved", Paid, key=lambda d: d.parcel), after=failed(alert), timeout=60, on_timeout="skip")


class Template(unittest.TestCase):
    def test_an_event_is_mapped_to_the_input(self) -> None:
        template = branches.template()
        self.assertEqual(template["start_on"], [{"event": "paid", "when": "$.cents > 0", "context": {"parcel": "$.order", "van": {"value": "$5"}}, "identity": "$.order"}])
        self.assertEqual(template["cancel_on"], [{"event": "withdrawn", "key": "eu"}, {"event": "lost", "identity": "$.order"}])
        self.assertEqual(template["on_undo"], "drain")

    def test_a_child_has_a_time_out(self) -> None:
        flow: Workflow[Delivery] = Workflow("branches", "parent", Delivery, version="1")
        flow.child("ship", failure_branches.delivery, lambda d: Delivery(d.parcel), timeout=timedelta(minutes=2), on_timeout="skip")
        (step,) = flow.template()["steps"]
        self.assertEqual((step["timeout"], step["on_timeout"], step["task"]["name"]), (120, "skip", "deliveries"))

    def test_a_step_has_several_limits(self) -> None:
        step = branches.template()["steps"][0]
        self.assertEqual({k: v for k, v in step.items() if k.startswith("limit")}, {
            "limit": "account", "limit_key": "$.parcel", "limit_hold": "run", "limits": [{"limit": "bank", "limit_units": 2}],
        })  # fmt: skip


@unittest.skipUnless(DSN, "there is no database, or no psycopg")
class Engine(unittest.TestCase):
    """The kit says what the engine does."""

    def setUp(self) -> None:
        self.db = psycopg.connect(DSN, autocommit=True)
        self.addCleanup(self.db.close)

    def test_a_map_of_tasks_has_their_results_in_order(self) -> None:
        flow: Workflow[Delivery] = Workflow("branches", f"g{uuid.uuid4().hex[:12]}", Delivery, version="1", identity="new")

        @flow.step()
        def split(job: Job[Delivery]) -> list[Delivery]:
            return [Delivery(f"{job.input.parcel}{i}") for i in range(3)]

        parcels = flow.each_child("parcels", split.each(lambda all: all), boxing.returns(pack), max_parallel=1)

        @flow.step(after=parcels)
        def tell(job: Job[Delivery], packed: list[str]) -> str:
            return ", ".join(packed)

        child, of = boxing.returns(pack), flow.returns(tell)
        client = Postgres(DSN)
        self.addCleanup(client.close)
        child.register(self.db)
        of.register(self.db)
        with Worker(client, [child, of]):
            task = of.start(self.db, Delivery("p"))
            self.assertEqual(task.result(self.db), "p0 is packed, p1 is packed, p2 is packed")
            self.assertEqual(task.result(self.db, parcels), ["p0 is packed", "p1 is packed", "p2 is packed"])
        with self.assertRaisesRegex(TypeError, "is a map of tasks"):
            flow.step(name="more", after=parcels.when(lambda all: all == []))(lambda job, packed: None)

    def ends(self, graphs: list[tuple[Graph, Plan]]) -> None:
        """Runs each graph on the database, and the kit in memory, and compares the states."""
        for graph, _ in graphs:
            graph.returning().register(self.db)
        client = Postgres(DSN)
        self.addCleanup(client.close)
        flows = [graph.returning() for graph, _ in graphs]
        with Worker(client, flows):
            started = [of.start(self.db, plan) for of, (_, plan) in zip(flows, graphs)]
            for task in started:
                self.settle(task)
        for task, (graph, plan) in zip(started, graphs):
            self.same(task, graph, plan)

    def same(self, task: Any, graph: Graph, plan: Plan) -> None:
        rows = self.db.execute("select name, state::text from tasker.workflow_steps where task_uuid = %s and undo_no is null", (task.uuid,))
        states = {name: at if at in ("complete", "cancelled") else "other" for name, at in rows}
        (state,) = self.db.execute("select state::text from tasker.tasks where task_uuid = %s", (task.uuid,)).fetchone() or ("",)
        with self.subTest(plan=plan, template=graph.flow.template()):
            self.assertEqual(graph.in_memory(plan), (state, states))

    def by_hand(self, graph: Graph, plan: Plan) -> None:
        """Runs a graph on the database, one step after the other, the first one first that can be claimed, and compares the states."""
        graph.returning().register(self.db)
        task, places = graph.returning().start(self.db, plan), dict(enumerate(graph.steps, 1))
        while places:
            for no, name in places.items():
                uuid_no = "tasker.step_uuid(%s, %s)"
                claim = self.db.execute(f"select claim_no from tasker.claim_step({uuid_no}, gen_random_uuid())", (task.uuid, no)).fetchone()
                if claim is None:
                    continue
                report = f"fail_steps(array[{uuid_no}], array[%s], array[%s])" if name in plan.fail else f"complete_steps(array[{uuid_no}], array[%s], array[%s]::jsonb[])"
                self.db.execute(f"select from tasker.{report}", (task.uuid, no, claim[0], "false" if name in plan.skip else "true"))
                self.db.execute("select tasker.fire_due_timers()")
                del places[no]
                break
            else:
                break
        undos = [step["compensate"] for step in graph.flow.template()["steps"] if "compensate" in step]
        sql = "select step_uuid, claim_no from tasker.claim_steps('{branches}', gen_random_uuid(), 1, p_handlers => %s)"
        while undos and (claimed := self.db.execute(sql, (undos,)).fetchone()):
            self.db.execute("select from tasker.complete_steps(array[%s], array[%s], array['{}']::jsonb[])", claimed)
        self.same(task, graph, plan)

    def settle(self, task: Any) -> None:
        """Waits until a task has ended, or cannot go on by itself, and has no step that runs."""
        sql = """select t.state in ('complete', 'error', 'blocked_by_failures')
                    and not exists (select from tasker.workflow_steps as s where s.task_uuid = t.task_uuid and s.state = 'in_progress')
                   from tasker.get_task(%s) as t"""
        until = time.monotonic() + 60
        while not (self.db.execute(sql, (task.uuid,)).fetchone() or (False,))[0]:
            self.assertLess(time.monotonic(), until, self.db.execute("select * from tasker.get_task(%s)", (task.uuid,)).fetchone())
            time.sleep(0.01)

    def test_joins_of_two_steps(self) -> None:
        ends = [Plan(), Plan(["b"]), Plan(["a", "b"]), Plan(["b"], ["root"]), Plan([], ["root"]), Plan(["root"])]
        graphs = [(joined(policy, join), plan) for policy in ("continue", "fail") for join in JOINS if join != "first" for plan in ends]
        self.ends(graphs)

    def test_random_graphs(self) -> None:
        dice = random.Random(46)
        for _ in range(40):
            graph, names = Graph(dice.choice(["continue", "fail", "halt"])), list("abcdefg")
            for at, name in enumerate(names):
                parents = dice.sample(names[:at], min(at, dice.randrange(3)))
                join = dice.choice([j for j in JOINS if j != "first" or len(parents) > 1]) if parents else "all"
                graph.step(name, join, *parents, undo=dice.random() < 0.3)
            self.by_hand(graph, Plan([n for n in names if dice.random() < 0.25], [n for n in names if dice.random() < 0.25]))

    def test_races(self) -> None:
        def needed() -> Graph:
            return Graph().step("a").step("b").step("c", "all", "b").step("x", "first", "a", "c").step("y", "all", "b")

        def two() -> Graph:
            return Graph("fail").step("a").step("b").step("x", "first", "a", "b").step("c").step("y", "first", "x", "c").step("alert", "failed", "a")

        def halting() -> Graph:
            return Graph("halt").step("a").step("b", "all", "a").step("c", "all", "a").step("alert", "failed", "b")

        graphs = [(joined(policy, "first"), plan) for policy in ("continue", "fail", "halt") for plan in (Plan(), Plan(["a"]), Plan(["a", "b"]), Plan([], ["root"]), Plan(["root"]))]
        graphs += [(needed(), Plan()), (needed(), Plan(["a"])), (needed(), Plan(["b"])), (two(), Plan()), (two(), Plan(["a"])), (two(), Plan(["a", "b"]))]
        graphs += [(halting(), Plan(["b"])), (halting(), Plan(["a"])), (halting(), Plan(["c"]))]
        # One step at a time, so that the first one is the same in both.
        for graph, plan in graphs:
            self.by_hand(graph, plan)

    def test_a_branch_gets_the_failures(self) -> None:
        failure_branches.delivery.register(self.db)
        failure_branches.quote.register(self.db)
        client = Postgres(DSN)
        self.addCleanup(client.close)
        with Worker(client, [failure_branches.delivery, failure_branches.quote]):
            broken = failure_branches.delivery.start(self.db, Delivery("17", "broken"))
            fine = failure_branches.delivery.start(self.db, Delivery("17"))
            quote = failure_branches.quote.start(self.db, Delivery("17"))
            self.assertEqual(broken.result(self.db, within=60), ("send: the van is broken", 1))
            self.assertEqual(fine.result(self.db, within=60), (None, 0))
            self.assertIn(quote.result(self.db, within=60), ("ups for 700", "dhl for 800"))

    def test_an_event_starts_and_cancels_tasks(self) -> None:
        of, order = branches.returns(book), uuid.uuid4().hex
        of.register(self.db)
        self.assertTrue(of.emit(self.db, paid, Paid(order, 7)))
        self.assertTrue(of.emit(self.db, paid, Paid(order, 0)))
        sql = """select t.state::text, d.context from tasker.list_tasks('branches', 'branches') as t
                   cross join lateral tasker.get_task(t.task_uuid) as d where d.context ->> 'parcel' = %s"""
        self.assertEqual([context for _, context in self.db.execute(sql, (order,))], [{"parcel": order, "van": "$5"}])
        of.emit(self.db, Event("lost", Paid), Paid(order, 7))
        self.assertEqual([state for state, _ in self.db.execute(sql, (order,))], ["cancelled"])


if __name__ == "__main__":
    unittest.main()
