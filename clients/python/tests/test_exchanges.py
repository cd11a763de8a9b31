"""Several exchanges under way: a client that answers when the test says so."""

from __future__ import annotations

import json
import logging
import threading
import time
import unittest
import uuid
from typing import Any, Callable
from unittest import mock

from pgtasker import ApiError, Client, Job, Lost, Unavailable, Worker
from pgtasker import worker as worker_module
from pgtasker.worker import _Outcome, _calls_of, _outcome

_QUIET = logging.getLogger("pgtasker.tests.exchanges")
_QUIET.setLevel(logging.CRITICAL)


class Call:
    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.done = threading.Event()
        self.claimed: list[Any] = []
        self.lost = False
        self.refused: ApiError | None = None

    def answer(self, claimed: list[Any] | None = None) -> None:
        self.claimed = claimed or []
        self.done.set()

    def lose(self) -> None:
        self.lost = True
        self.done.set()

    def refuse(self, error: ApiError | None = None) -> None:
        self.refused = error or ApiError(403, "42501", "permission denied for schema tasker")
        self.done.set()

    def steps(self) -> list[str]:
        """The steps whose results it carries."""
        return [result["step_uuid"] for result in self.body["results"]]


class Slow(Client):
    """Its connection is itself, as that of a worker over PostgreSQL can be ended at no cost."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1", "none")
        self.under: list[Call] = []
        self.begin = None  # so that results end a poll
        self._polls: list[Call] = []
        self._missed = False  # a poll was ended before it came here
        self.leases: dict[tuple[str, int], str] = {}  # answers to renewals; "refused" refuses the call; default: extended
        self.renewed: dict[tuple[str, int], float] = {}  # when a claim was renewed last
        self.twice = 0  # refusals of calls that name a step twice
        self.token_ends: str | None = None

    def differ(self, claims: list[dict[str, Any]]) -> None:
        """Refuses a call that names a step twice, as the database does."""
        if len({claim["step_uuid"] for claim in claims}) < len(claims):
            self.twice += 1
            raise ApiError(422, "TK422", "a call names the same step twice")

    def _extend(self, claims: list[dict[str, Any]]) -> dict[str, Any]:
        self.differ(claims)
        keys = [(claim["step_uuid"], claim["claim_no"]) for claim in claims]
        answers = [self.leases.get(key, "extended") for key in keys]
        if "refused" in answers:
            raise ApiError(422, "TK422", "one is refused")
        self.renewed.update({key: time.monotonic() for key, answer in zip(keys, answers) if answer == "extended"})
        return {"items": [{**claim, "answer": answer} for claim, answer in zip(claims, answers)]}

    def connection(self) -> Any:
        return self

    def hearing(self) -> Any:
        return self

    def duties(self) -> None: ...
    def stir(self) -> None: ...

    def abort(self) -> None:
        polls = [call for call in self._polls if not call.done.is_set()]
        self._missed = not polls
        for call in polls:
            call.done.set()

    cut = abort

    def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
        body = json.loads(data or b"{}")
        if path == "/v1/workers":
            return {"clock": "2026-01-01T00:00:00Z", "token_expires_at": self.token_ends}
        if path != "/v1/exchange":
            if body.get("wait_seconds"):
                self.differ(body["claims"])
                raise Unavailable("it hears of nothing")
            return self._extend(body["claims"])
        call = Call(body)
        if "wait_seconds" in body:
            self._polls.append(call)
            if self._missed:
                self._missed = False
                call.done.set()
        self.under.append(call)
        call.done.wait(30)
        self.under.remove(call)
        if call.lost:
            raise Unavailable("the answer is lost")
        if call.refused is not None:
            raise call.refused
        return {"answers": [{"answer": "completed"} for _ in body["results"]], "claimed": call.claimed}


def step(handler: str) -> dict[str, Any]:
    return {
        "step_uuid": str(uuid.uuid4()), "claim_no": 1, "task_uuid": str(uuid.uuid4()), "namespace": "n", "task_name": "t", "task_version": "1",
        "name": handler, "handler": handler, "attempt": 1, "max_attempts": 1, "lost_count": 0, "timeout_seconds": None, "correlation_id": "",
        "headers": None, "inputs": None, "checkpoint": None, "last_error": None, "context": {}, "parent_results": {}, "kept": None,
    }  # fmt: skip


class Exchanges(unittest.TestCase):
    def until(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + 30
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.001)

    def start(self) -> None:
        """Runs a worker whose first claim finds a step that ends at once, and one that ends when the gate is opened."""
        self.client, self.gate = Slow(), threading.Event()
        worker = Worker(self.client, concurrency=10, logger=_QUIET)

        @worker.handler("quick", object)
        def quick(job: Job[object]) -> int:
            return 1

        @worker.handler("slow", object)
        def slow(job: Job[object]) -> int:
            self.gate.wait(30)
            return 2

        worker.__enter__()

        def end() -> None:
            self.gate.set()
            worker.stop()
            while worker._thread is not None and worker._thread.is_alive():
                for call in list(self.client.under):
                    call.answer()
                time.sleep(0.005)
            worker.__exit__()

        self.addCleanup(end)
        self.until(lambda: len(self.client.under) == 1, "it claims")
        self.client.under[0].answer([step("quick"), step("slow")])
        self.until(lambda: [len(c.body["results"]) for c in self.client.under] == [1], "it records what has ended")

    def test_results_travel_while_another_exchange_is_under_way(self) -> None:
        self.start()
        self.gate.set()
        self.until(lambda: len(self.client.under) == 2, "a second exchange begins")
        first, second = (call.body for call in self.client.under)
        self.assertEqual(len(second["results"]), 1)
        self.assertNotEqual(first["worker_uuid"], second["worker_uuid"], "the database hands out a worker's newest claim again")
        self.assertNotEqual(first["request_uuid"], second["request_uuid"])

    def test_what_got_no_answer_is_repeated_first_with_the_same_claim(self) -> None:
        self.start()
        lost = self.client.under[0]
        lost.lose()
        self.until(lambda: self.client.under != [] and self.client.under[0] is not lost, "one call tries")
        again = self.client.under[0]
        self.assertEqual(again.body["results"], lost.body["results"])
        for field in ("worker_uuid", "request_uuid", "limit"):
            self.assertEqual(again.body[field], lost.body[field], field)
        self.gate.set()
        quiet = time.monotonic() + 0.3
        while time.monotonic() < quiet:
            self.assertEqual(len(self.client.under), 1, "while calls fail, one at a time tries")
            time.sleep(0.01)
        again.answer()
        self.until(lambda: any(c.body["limit"] > 0 and c.body["request_uuid"] != lost.body["request_uuid"] for c in self.client.under), "a new claim has a new number")

    def test_a_result_that_was_refused_is_kept_while_another_exchange_begins(self) -> None:
        """A person has revoked a right: results that came together are sent one by one. Another exchange begins when the first of them was
        refused and is owed again, and the second is still under way. The worker's loop stands still, and the test takes its steps."""
        self.client = Slow()
        worker = Worker(self.client, concurrency=10, logger=_QUIET)
        self.addCleanup(worker._calls.close)
        first, second, last = (_outcome((str(uuid.uuid4()), 1), name, {"result": 1}, None) for name in ("first", "second", "last"))

        def carry(*outcomes: _Outcome) -> Call:
            """The exchange under way that carries these results."""
            steps = [outcome.claim[0] for outcome in outcomes]
            self.until(lambda: steps in [c.steps() for c in list(self.client.under)], f"an exchange carries {len(steps)} results")
            return next(c for c in list(self.client.under) if c.steps() == steps)

        def begin(*outcomes: _Outcome) -> None:
            with worker._changed:
                worker._owed += outcomes
                worker._step(time.monotonic(), False)

        begin(first, second)
        together = carry(first, second)
        together.refuse()
        self.until(lambda: together not in self.client.under, "they are refused")
        carry(first, second).refuse()  # without the claim
        carry(first).refuse()
        alone = carry(second)
        begin(last)
        carry(last).answer()
        self.assertEqual(worker._owed, [first])
        alone.answer()
        self.until(lambda: not worker._sending, "nothing is under way")
        self.assertEqual(worker._owed, [first])

    def test_one_refused_result_of_ten_does_not_harm_the_others(self) -> None:
        """The database refuses each exchange that has the result of one step. The others are recorded once, and that step fails for good."""
        self.client = Slow()
        worker = Worker(self.client, concurrency=20, logger=_QUIET)
        worker.handler("quick", object)(lambda job: 1)
        self.end_with(worker)
        self.until(lambda: len(self.client.under) == 1, "it claims")
        steps = [step("quick") for _ in range(10)]
        poison = steps[7]["step_uuid"]
        self.client.under[0].answer(steps)
        recorded: list[dict[str, Any]] = []

        def all_recorded() -> bool:
            for call in [c for c in list(self.client.under) if not c.done.is_set()]:
                if any(r["step_uuid"] == poison and "error" not in r for r in call.body["results"]):
                    call.refuse(ApiError(422, "22003", "numeric field overflow"))
                else:
                    recorded.extend(call.body["results"])
                    call.answer()
            return len(recorded) >= 10

        self.until(all_recorded, "all have an outcome")
        self.assertEqual(sorted(r["step_uuid"] for r in recorded), sorted(s["step_uuid"] for s in steps), "each is recorded once")
        failed = [r for r in recorded if "error" in r]
        self.assertEqual([(r["step_uuid"], r["permanent"]) for r in failed], [(poison, True)])
        self.assertIn("numeric field overflow", failed[0]["error"])

    def test_a_token_that_ends_within_a_week_is_warned_of(self) -> None:
        """By the database's clock, which the answer of the registration has, and once a day at most, however many slots register."""
        for ends, warnings in ((None, 0), ("2026-01-08T00:00:00Z", 0), ("2026-01-07T23:59:59Z", 1)):
            with self.subTest(ends=ends):
                log = logging.getLogger(f"pgtasker.tests.token.{warnings}")
                log.setLevel(logging.INFO)
                self.client = Slow()
                self.client.token_ends = ends
                worker = Worker(self.client, concurrency=10, logger=log)
                worker.handler("any", object)(lambda job: None)
                with self.assertLogs(log, "INFO") as said:
                    worker._register()
                    worker._register()
                    log.info("that is all")
                self.assertEqual([line for line in said.output if "WARNING" in line], [f"WARNING:{log.name}:the token of this worker ends at {ends}: replace it"] * warnings)

    def test_a_result_is_bounded_and_an_error_cut(self) -> None:
        """A result from half of what a request carries on is warned of, one above is a failure for good; an error has as many characters as
        the database keeps, and the end of its traceback."""
        log = logging.getLogger("pgtasker.tests.bounds")
        self.client = Slow()
        worker = Worker(self.client, concurrency=10, logger=log)
        worker.handler("half", object)(lambda job: "x" * (worker_module._LARGEST // 2))
        worker.handler("large", object)(lambda job: "x" * worker_module._LARGEST)

        @worker.handler("long", object)
        def long(job: Job[object]) -> None:
            raise ValueError("e" * 100_000)

        @worker.handler("deep", object)
        def deep(job: Job[object]) -> None:
            error: Exception | None = None
            for cause in ["c" * 1000] * 100 + ["bottom"]:
                try:
                    raise KeyError(cause) from error
                except KeyError as caught:
                    error = caught
            assert error is not None
            raise error

        with self.assertLogs(log, "WARNING") as said:
            self.end_with(worker)
            self.until(lambda: len(self.client.under) == 1, "it claims")
            steps = {name: step(name) for name in ("half", "large", "long", "deep")}
            self.client.under[0].answer(list(steps.values()))
            found: dict[str, dict[str, Any]] = {}

            def all_recorded() -> bool:
                for call in [c for c in list(self.client.under) if not c.done.is_set()]:
                    found.update({r["step_uuid"]: r for r in call.body["results"]})
                    call.answer()
                return len(found) == 4

            self.until(all_recorded, "all have an outcome")
        half, large, long_, deep_ = (found[steps[name]["step_uuid"]] for name in ("half", "large", "long", "deep"))
        self.assertIn("result", half)
        self.assertEqual(len([line for line in said.output if "a request carries" in line and "step 'half'" in line]), 1)
        self.assertNotIn("result", large)
        self.assertTrue(large["permanent"])
        self.assertIn("more than a request carries", large["error"])
        self.assertEqual(len(long_["error"]), 65_536)
        self.assertEqual(len(deep_["error"]), len("KeyError: 'bottom'\n\n") + worker_module._TRACEBACK)
        self.assertTrue(deep_["error"].rstrip().endswith("KeyError: 'bottom'"), "the end of the traceback is kept")

    def test_a_client_that_owes_much_claims_nothing(self) -> None:
        worker = Worker(Slow(), concurrency=10, logger=_QUIET)
        slot, now = worker._slots[0], time.monotonic()
        owed = _outcome((str(uuid.uuid4()), 1), "s", {}, None, b'"' + b"x" * 1000 + b'"')
        with mock.patch.object(worker_module, "_MOST_OWED", len(owed.body)):
            worker._owed = [owed]
            self.assertEqual(worker._free(now, slot, []), 10)
            worker._sending = {_outcome((str(uuid.uuid4()), 1), "t", {}, None, b"1"): slot}
            self.assertEqual(worker._free(now, slot, []), 0, "what is under way is owed, too")

    def test_leaving_a_step_for_another_build_is_repeated_and_ends_with_the_claim(self) -> None:
        """Once the answer is lost; then the claim has ended, and nothing is recorded."""
        for answer in ("stale", "cancelled", "suspended"):
            asked: list[dict[str, Any]] = []

            class Leaving(Slow):
                def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
                    if not path.endswith("/diverge"):
                        return super().send(method, path, data, timeout)
                    asked.append({"path": path, **json.loads(data or b"{}")})
                    if len(asked) == 1:
                        raise Unavailable("the answer is lost")
                    return {"answer": answer, "round": 0, "name": None, "value": None, "error": None}

            self.client = Leaving()
            self.run_worker(lambda job: job.result("make[3]", str))
            self.client.under[0].answer([{**step("misfit"), "parent_results": {"make[3]": 7}}, step("quick")])
            self.until(lambda: len(asked) == 2, "what got no answer is repeated")
            self.until(lambda: [len(c.body["results"]) for c in self.client.under] == [1], "only the other step has a result")
            self.assertEqual(asked[0], asked[1])
            self.assertRegex(asked[0].pop("path"), "/v1/tasks/.*/workflow_steps/.*/diverge")
            self.assertEqual(asked[0], {"claim_no": 1, "position": 0, "name": "make"}, "the step above, of which it is an element")
            self.doCleanups()

    def test_a_step_that_cannot_be_left_has_failed(self) -> None:
        """Such as while its task is locked: the attempt counts, and another one may follow."""

        class Refusing(Slow):
            def send(self, method: str, path: str, data: bytes | None, timeout: float) -> Any:
                if path.endswith("/diverge"):
                    raise ApiError(409, "TK409", "the task is locked")
                return super().send(method, path, data, timeout)

        self.client = Refusing()
        self.run_worker(lambda job: job.result("make", str))
        self.client.under[0].answer([{**step("misfit"), "parent_results": {"make": 7}}])
        self.until(lambda: [len(c.body["results"]) for c in self.client.under] == [1], "the failure is recorded")
        (failed,) = self.client.under[0].body["results"]
        self.assertEqual(failed["error"], "Misfit: the result of 'make' is not str, but 7")
        self.assertNotIn("permanent", failed)

    def run_worker(self, misfit: Callable[[Job[object]], Any]) -> None:
        worker = Worker(self.client, concurrency=10, logger=_QUIET)
        worker.handler("misfit", object)(misfit)
        worker.handler("quick", object)(lambda job: 1)
        self.end_with(worker)
        self.until(lambda: len(self.client.under) == 1, "it claims")

    def twofold(self, name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Runs a worker with two claims of a step: the result of the first is under way and gets no answer, or its handler still runs. Returns
        the two claims, and another step that runs."""
        self.client = Slow()
        self.reasons: list[BaseException | None] = []
        opened = threading.Event()
        self.log = logging.getLogger("pgtasker.tests.leases")
        worker = Worker(self.client, concurrency=10, logger=self.log, lease=1)
        worker.handler("quick", object)(lambda job: 1)
        worker.handler("gated", object)(lambda job: opened.wait(30))

        @worker.handler("slow", object)
        def slow(job: Job[object]) -> None:
            job.ended.wait(60)
            self.reasons.append(job._why)

        self.end_with(worker)

        def end_handlers() -> None:
            for running in list(worker._running.values()):
                running.job.end(Lost("the test ends"))

        self.addCleanup(end_handlers)
        self.until(lambda: len(self.client.under) == 1, "it claims")
        first, other = step(name), step("slow")
        second = {**first, "claim_no": 2, "handler": "slow"}
        poll = self.client.under[0]
        poll.answer([first, other, step("gated")] if name == "quick" else [first, other])
        if name == "quick":
            self.until(lambda: any(first["step_uuid"] in call.steps() for call in list(self.client.under)), "the result is under way")

        def again() -> list[Call]:
            return [c for c in list(self.client.under) if c is not poll and first["step_uuid"] not in c.steps() and c.body["limit"] > 0]

        opened.set()  # A second exchange claims beside the first one.
        self.until(lambda: again() != [], "it claims again")
        again()[0].answer([second])
        return first, second, other

    def last(self, *steps: dict[str, Any]) -> None:
        """Waits until the leases of these have been renewed again and again, for longer than a lease."""
        since = time.monotonic() + 1.5
        self.until(lambda: all(self.client.renewed.get((s["step_uuid"], s["claim_no"]), 0.0) > since for s in steps), "leases are renewed")

    def test_a_renewal_names_a_step_once_if_the_result_of_an_earlier_claim_is_owed(self) -> None:
        _, second, other = self.twofold("quick")
        with self.assertNoLogs(self.log, "ERROR"):
            self.last(second, other)
        self.assertEqual((self.client.twice, self.reasons), (0, []))

    def test_a_renewal_names_a_step_once_if_the_handler_of_an_earlier_claim_still_runs(self) -> None:
        first, second, other = self.twofold("slow")
        with self.assertNoLogs(self.log, "ERROR"):
            self.last(second, other)
            self.assertEqual((self.client.twice, self.reasons), (0, []))
            self.client.leases[(first["step_uuid"], 1)] = "stale"
            self.until(lambda: self.reasons != [], "the handler is told")
            self.last(second, other)
        self.assertIn("no longer this worker's", str(self.reasons[0]))
        self.assertEqual((self.client.twice, len(self.reasons)), (0, 1))

    def test_one_refused_claim_costs_no_other_one_its_lease(self) -> None:
        _, second, other = self.twofold("quick")
        with self.assertLogs(self.log, "ERROR") as said:
            self.client.leases[(second["step_uuid"], 2)] = "refused"
            self.last(other)
        self.assertIn("a renewal of leases is kept and repeated", "\n".join(said.output))
        self.assertEqual(len(self.reasons), 1, "the lease of the refused one has ended")

    def test_an_exchange_has_one_result_of_a_step(self) -> None:
        worker = Worker(Slow(), concurrency=10, logger=_QUIET)
        first, second, other = claims = [("a", 1), ("a", 2), ("b", 1)]
        worker._owed = [_outcome(claim, "a step", {}, None) for claim in claims]
        self.assertEqual([outcome.claim for outcome in worker._due(time.monotonic())], [first, other])
        worker._owed = [_outcome(second, "a step", {}, None)]
        self.assertEqual([outcome.claim for outcome in worker._due(time.monotonic())], [second])

    def test_claims_are_parted_so_that_no_call_names_a_step_twice(self) -> None:
        steps = [str(uuid.uuid4()) for _ in range(2000)]
        claims = [(s, 1) for s in steps] + [(s, 2) for s in steps[:500]]
        calls = _calls_of(claims + claims[:10])
        self.assertTrue(all(len(call) <= 1000 and len({s for s, _ in call}) == len(call) for call in calls))
        self.assertEqual(sorted(claim for call in calls for claim in call), sorted(claims))

    def end_with(self, worker: Worker) -> None:
        """Runs a worker that ends with the test."""
        worker.__enter__()

        def end() -> None:
            worker.stop()
            while worker._thread is not None and worker._thread.is_alive():
                for call in list(self.client.under):
                    call.answer()
                time.sleep(0.005)
            worker.__exit__()

        self.addCleanup(end)
