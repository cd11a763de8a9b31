"""The worker of the conformance suite (internal/tests/conformance): what its handlers do is said there."""

from __future__ import annotations

import logging
import os
import time
import uuid
from typing import Any

from pgtasker import Answer, Client, Job, KeptError, Permanent, Worker


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    if "TASKER_DIRECT" in os.environ:
        from pgtasker.postgres import Postgres

        client: Client = Postgres(os.environ["DATABASE_URL"])
    else:
        client = Client(os.environ["TASKER_URL"], os.environ["TASKER_TOKEN"])
    worker = Worker(
        client,
        namespaces=[os.environ["TASKER_NAMESPACE"]],
        lease=int(os.environ["TASKER_LEASE_SECONDS"]),
        stop_timeout=float(os.environ["TASKER_STOP_SECONDS"]),
        concurrency=4,
        name="conformance",
        version="1.4.2",
    )

    @worker.handler("echo", object)
    def echo(job: Job[Any]) -> Any:
        return job.input

    @worker.handler("twice", object)
    def twice(job: Job[Any]) -> Any:
        if job.attempt == 1:
            raise RuntimeError("not yet")
        return {"attempt": job.attempt, "last_error": job.last_error}

    @worker.handler("final", object)
    def final(job: Job[Any]) -> Any:
        raise Permanent("no")

    class Declined(Permanent):
        error_class = "card_declined"

    @worker.handler("declined", dict)
    def declined(job: Job[dict[str, Any]]) -> Any:
        raise Declined(f"the card of {job.input['card']} was declined")

    @worker.handler("join", object)
    def join(job: Job[Any]) -> Any:
        return job.results()

    @worker.handler("ancestor", object)
    def ancestor(job: Job[Any]) -> Any:
        return job.result("first", object)

    @worker.handler("slow", dict)
    def slow(job: Job[dict[str, Any]]) -> Any:
        job.checkpoint("began")
        job.ended.wait(job.input["seconds"])
        return {"slow": True}

    @worker.handler("hold", dict)
    def hold(job: Job[dict[str, Any]]) -> Any:
        with open(job.input["begun"], "a") as begun:
            begun.write(job.step_uuid + "\n")
        while not os.path.exists(job.input["gate"]) and not job.ended.wait(0.02):
            pass
        return job.input["client"]

    @worker.handler("compute", dict)
    def compute(job: Job[dict[str, Any]]) -> Any:
        job.checkpoint("began")
        end = time.monotonic() + job.input["seconds"]
        while time.monotonic() < end:
            pass
        return {"computed": job.attempt}

    @worker.handler("large", dict)
    def large(job: Job[dict[str, Any]]) -> Any:
        return "x" * job.input["bytes"]

    @worker.handler("length", object)
    def length(job: Job[Any]) -> Any:
        return {name: len(result) for name, result in job.results().items()}

    @worker.handler("undo", object)
    def undo(job: Job[Any]) -> Any:
        return {"step": job.inputs["step"], "length": len(job.inputs["result"])}

    @worker.handler("zero", dict)
    def zero(job: Job[dict[str, Any]]) -> str:
        job.ended.wait(job.input.get("seconds", 0))
        return "a\0b"

    @worker.handler("half", object)
    def half(job: Job[Any]) -> str:
        return "\ud800"

    @worker.handler("mark", object)
    def mark(job: Job[Any]) -> Any:
        return {"n": 12345678901234567890, "text": "\0pgtasker:5"}

    @worker.handler("long", object)
    def long(job: Job[Any]) -> None:
        raise Permanent("a\0" + "x" * 70_000)

    @worker.handler("checkpoint", object)
    def checkpoint(job: Job[Any]) -> Any:
        if job.attempt == 1:
            job.checkpoint({"at": 7})
            raise RuntimeError("again")
        return job.last_checkpoint()

    @worker.handler("function", object)
    def function(job: Job[Any]) -> Any:
        key = job.once("charge", lambda key: str(key))
        second = job.once("charge", lambda key: str(key))
        now = job.now()
        number = job.random().getrandbits(32)
        changed = job.changed("v2")
        job.sleep(0.05)
        answer: Answer[Any] = job.await_signal("approved", timeout=3600)
        return {
            "keys": [key, second], "same_time": job.once("time", lambda _: now.isoformat()) == now.isoformat(),
            "same_number": job.once("number", lambda _: number) == number, "changed": changed,
            "by": answer.by, "payload": answer.payload, "sent_at": None if answer.sent_at is None else answer.sent_at.isoformat(),
        }

    @worker.handler("refund", object)
    def refund(job: Job[Any]) -> Any:
        def bank(_: uuid.UUID) -> None:
            raise Permanent("the bank refuses")

        try:
            job.once("charge", bank)
        except KeptError as error:
            job.await_signal("go")
            return {"kept": error.text}
        return {}

    @worker.handler("rounds", object)
    def rounds(job: Job[Any]) -> Any:
        state = job.state() or {"n": 0, "keys": []}
        state = {"n": state["n"] + 1, "keys": [*state["keys"], job.once("key", lambda key: str(key))]}
        if state["n"] < 3:
            job.continue_as(state)
        return state

    @worker.handler("diverge", object)
    def diverge(job: Job[Any]) -> Any:
        job.once(f"call-{uuid.uuid4()}", lambda _: 1)
        job.await_signal("go")
        return {}

    worker.run_until_signalled()


if __name__ == "__main__":
    main()
