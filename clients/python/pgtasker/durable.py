"""Durable functions: handlers that may stop and continue on another worker with their kept results."""

from __future__ import annotations

import dataclasses
import random
import re
import secrets
import threading
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, cast
from uuid import UUID, uuid5

from .errors import ApiError, Cancelled, Ended, Lost, Permanent, Snooze
from .fit import fit, misfit_in
from .jsontext import encode, plain

if TYPE_CHECKING:
    from .source import Source

R = TypeVar("R")
P = TypeVar("P")

_NAMES = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.:/-]{0,99}")
_MISUSE = "a durable function makes one call after the other, in the thread of its handler"


class KeptError(Exception):
    """The error with which a call of a durable function failed for good, in this run or in an earlier one. A handler
    that raises a KeptError fails its step for good, since another attempt would get the same error."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text


class Suspended(Exception):
    """Ends a run because the function waits."""


class Continued(Exception):
    """Ends a run because the function begins again."""

    def __init__(self, state: Any, round: int) -> None:
        super().__init__("the function begins again")
        self.state = state
        self.round = round


@dataclass(frozen=True)
class Answer(Generic[P]):
    """The end of a wait. by is signal, for, until or timeout. name, payload and sent_at belong to the signal. sent_at
    is None if time ended the wait."""

    by: str
    name: str
    payload: P | None
    sent_at: datetime | None = None


@dataclass(frozen=True)
class _Call:
    position: int
    name: str
    occurrence: int


class Function:
    """The state of one run of a durable function."""

    step_uuid: str
    attempt: int
    max_attempts: int
    claim_no: int
    ended: threading.Event
    _source: Source
    _path: str

    def __init__(self, kept: dict[str, Any] | None) -> None:
        self._raw = kept
        self._loaded = False
        self._kept: list[dict[str, Any]] = []
        self._at = 0
        self._seen: dict[str, int] = {}
        self._round = 0
        self._fresh = False
        self._busy = False
        self._home: int | None = threading.get_ident()  # None: the calls of an async handler run in many
        self.used = False
        self.over: BaseException | None = None
        """The reason why the run has ended before its handler returned."""
        self.misuse: str | None = None

    def end(self, why: BaseException) -> None:
        raise NotImplementedError

    # The calls.

    def once(
        self, name: str, f: Callable[[UUID], R], to: type[R] | None = None, *, tries: int | None = None, pause: float = 0.0
    ) -> R:
        """Makes a call that later runs do not make again: they get the kept result of f. f gets a key that is the same
        in every run.

        f runs at least once. It runs again, with the same key, if its worker is lost before the result is kept. An
        exception of f ends the attempt before the function sees it, and the step is tried again as its template says.
        An error is kept, and raised as a KeptError, only if it is a Permanent, comes in the last attempt, or comes in
        the last of the tries in a row. to is the type of results that are not plain JSON, such as a dataclass."""
        with self._entered(f"once({name!r})"):
            self._named(name)
            call = self._call(name)
            kept = self._recall(call)
            made = 0
            while kept is None:
                made += 1
                try:
                    value = f(self._key(call))
                except Exception as error:
                    if self.misuse is not None or self.ended.is_set():
                        self._stop(error)
                    if not isinstance(error, Permanent) and misfit_in(error) is not None:
                        self._stop(error)
                    last = self.attempt_now() >= self.max_attempts if tries is None else made >= tries
                    if isinstance(error, Permanent) or last:
                        kept = self._keep(call, error=stored(text_of(error)))
                    elif tries is None:
                        self._stop(error)
                    else:
                        self._pause(pause * 2 ** min(made - 1, 20))
                else:
                    if to is None and dataclasses.is_dataclass(value):
                        self._stop(Permanent(f"the result of {name!r} is a {type(value).__name__}: say so to once with to"))
                    kept = self._keep(call, value=value)
            if kept.get("error") is not None:
                raise KeptError(name, kept["error"])
            return fit(f"what is kept as {name!r}", kept.get("value"), to or object)  # type: ignore[return-value]

    def sleep(self, seconds: float) -> None:
        """Lets time pass. The step is suspended meanwhile, however short the time is: it holds no worker, no limit and
        no lease. Then the function runs again from the top. With 0 or less the function continues at once."""
        self._sleep("sleep", {"for": seconds})

    def sleep_until(self, at: datetime) -> None:
        """sleep until a time, which must have a time zone."""
        if at.tzinfo is None:
            raise Permanent("sleep_until needs a time with a time zone")
        self._sleep("sleep_until", {"until": timestamp(at)})

    def await_signal(
        self,
        signal: str,
        payload: type[P] | None = None,
        *,
        timeout: float | None = None,
        when: str | None = None,
        schema: dict[str, Any] | None = None,
        alternatives: list[dict[str, Any]] | None = None,
        assignee: str | None = None,
    ) -> Answer[P]:
        """Waits for a signal to the task, or one of the alternatives, in the form of a template's step. The step is
        suspended meanwhile. when is a jsonpath predicate on the payload, timeout in seconds."""
        first = {key: value for key, value in {"signal": signal, "when": when, "schema": schema}.items() if value is not None}
        value = self.await_one(signal, first, timeout, alternatives, assignee)
        got = value.get("payload")
        if value["by"] == "signal" and payload is not None:
            got = fit(f"signal {signal!r}", got, payload)
        return Answer(value["by"], value.get("name", ""), got, sent_at(value))

    def await_one(
        self, name: str, first: dict[str, Any], timeout: float | None, others: list[dict[str, Any]] | None = None, assignee: str | None = None
    ) -> dict[str, Any]:
        """Waits for the first of these alternatives, and returns the end of the wait in the database's form."""
        with self._entered(f"a wait for {name!r}"):
            call = self._call("$await." + name)
            kept = self._recall(call)
            if kept is None:
                wait = {"await": [first, *(others or [])], "timeout": timeout, "assignee": assignee}
                kept = self._suspend(call, {key: value for key, value in wait.items() if value is not None})
            return cast("dict[str, Any]", kept["value"])

    def now(self) -> datetime:
        """The time, the same in every run of the function."""
        return parsed(self._builtin("now", "$now", lambda: timestamp(utc_now())))

    def random(self) -> random.Random:
        """A source of random numbers that are the same in every run. Each call returns another source."""
        seed = self._builtin("random", "$rand", lambda: [secrets.randbits(64), secrets.randbits(64)])
        return random.Random(seed[0] << 64 | seed[1])

    def changed(self, name: str) -> bool:
        """Lets running functions take new code. Returns True in functions that reach this place for the first time, and
        in their later runs. Returns False in functions that have passed this place with the old code."""
        with self._entered(f"changed({name!r})"):
            self._named(name)
            call = self._call("$changed." + name)
            if self._at < len(self._kept):
                if self._kept[self._at]["name"] != call.name:
                    return False
                return self._recall(call) is not None
            self._keep(call, value=True)
            return True

    def continue_as(self, state: Any) -> None:
        """Ends this run and begins the function again with a state, which job.state returns. The kept results are
        deleted. The call does not return."""
        with self._entered("continue_as"):
            if self._at < len(self._kept):
                self._diverge("$continue")
            answer = self._ask("continue", {"round": self._round, "state": self._plain("continue_as", state)})
            self._stop(Continued(plain(state), answer["round"] or 0))

    # How they are made.

    def returns(self) -> None:
        """Checks a function that has returned: the function must have asked for all its kept results."""
        if self.used and self.over is None and self.misuse is None and self._at < len(self._kept):
            self._diverge("$end")

    def leave(self, step: str) -> Exception:
        """Suspends the step until a worker takes it whose build fits the result of the step above. Returns the reason
        for the end of the run. An element of a map has the name of its map."""
        body = {"claim_no": self.claim_no, "position": 0, "name": step.partition("[")[0]}
        answer = self._source.send("POST", self._path + "/diverge", encode(body))["answer"]
        return _gone(answer) or Suspended()

    def snooze(self, asked: Snooze) -> Exception:
        """Suspends the step until a worker runs it again. Returns the reason for the end of the run."""
        body = {"claim_no": self.claim_no, "seconds": asked.after, "reason": str(asked)[:2000]}
        answer = self._source.send("POST", self._path + "/snooze", encode(body))["answer"]
        return _gone(answer) or Suspended()

    def attempt_now(self) -> int:
        """Attempts count from the last kept result."""
        return 1 if self._fresh else self.attempt

    def _entered(self, what: str) -> _Entered:
        if self.over is not None:
            raise Ended(self.over)
        if self._home is not None and threading.get_ident() != self._home:
            self.misuse = f"{what} was called in another thread: {_MISUSE}"
        elif self._busy:
            self.misuse = f"{what} was called inside of another call: {_MISUSE}"
        if self.misuse is not None:
            raise Permanent(self.misuse)
        self._busy = self.used = True
        self._load()
        return _Entered(self)

    def _load(self) -> None:
        if self._loaded or self._raw is None:
            return
        self._round = self._raw["round"]
        self._kept = self._raw["results"]
        if self._kept is None:
            self._kept = list(self._source.pages(self._path + "/kept"))
        self._loaded = True

    def _stop(self, why: BaseException) -> None:
        if self.over is None:
            self.over = why
        self.end(why)
        raise Ended(why)

    def _call(self, name: str) -> _Call:
        return _Call(self._at + 1, name, self._seen.get(name, 0) + 1)

    def _recall(self, call: _Call) -> dict[str, Any] | None:
        if self._at >= len(self._kept):
            return None
        kept = self._kept[self._at]
        if (kept["name"], kept["occurrence"]) != (call.name, call.occurrence):
            self._diverge(call.name)
        self._pass(call)
        return kept

    def _pass(self, call: _Call) -> None:
        self._at += 1
        self._seen[call.name] = call.occurrence

    def _diverge(self, asked: str) -> None:
        self._ask("diverge", {"position": self._at + 1, "name": asked})
        self._stop(Suspended())

    def _keep(self, call: _Call, value: Any = None, error: str | None = None) -> dict[str, Any]:
        body = {"error": error} if error is not None else {"value": self._plain(call.name, value)}
        return self._took(call, self._ask("kept", {**dataclasses.asdict(call), **body}))

    def flush_log(self) -> None:
        """Writes the waiting lines of the step's log."""

    def _suspend(self, call: _Call, wait: dict[str, Any]) -> dict[str, Any]:
        self.flush_log()
        return self._took(call, self._ask("suspend", {**dataclasses.asdict(call), "wait": wait}))

    def _took(self, call: _Call, answer: dict[str, Any]) -> dict[str, Any]:
        if answer["answer"] == "suspended":
            self._stop(Suspended())
        if answer["answer"] == "diverged":
            self._diverge(call.name)
        kept = {"name": call.name, "occurrence": call.occurrence, "value": answer["value"], "error": answer["error"]}
        self._kept.append(kept)
        self._fresh = True
        self._pass(call)
        return kept

    def _ask(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            data = encode({"claim_no": self.claim_no, **body})
            answer: dict[str, Any] = self._source.send("POST", f"{self._path}/{what}", data)
        except ApiError as error:
            self._stop(Permanent(str(error)) if error.status in (413, 422) else error)
        except (TypeError, ValueError) as error:
            self._stop(Permanent(f"what {what} was given cannot be encoded: {error}"))
        gone = _gone(answer["answer"])
        if gone is not None:
            self._stop(gone)
        return answer

    def _plain(self, name: str, value: Any) -> Any:
        try:
            return plain(value)
        except (TypeError, ValueError) as error:
            self._stop(Permanent(f"the result of {name!r}, a {type(value).__name__}, cannot be kept: {error}"))

    def _builtin(self, what: str, name: str, make: Callable[[], Any]) -> Any:
        with self._entered(what):
            call = self._call(name)
            kept = self._recall(call)
            return (self._keep(call, value=make()) if kept is None else kept)["value"]

    def _sleep(self, what: str, wait: dict[str, Any]) -> None:
        with self._entered(what):
            call = self._call("$sleep")
            if self._recall(call) is None:
                self._suspend(call, {"await": [wait]})

    def _pause(self, seconds: float) -> None:
        if seconds > 0 and self.ended.wait(seconds):
            self._stop(Lost("the run of the function has ended"))

    def _named(self, name: str) -> None:
        if not _NAMES.fullmatch(name):
            self._stop(
                Permanent(
                    f"{name!r} is not a name for a call: a letter or digit, then at most 99 of these, underscores, dots, colons, "
                    "slashes and hyphens"
                )
            )

    def _key(self, call: _Call) -> UUID:
        suffix = f"/{self._round}" if self._round > 0 else ""
        return uuid5(UUID(self.step_uuid), f"{call.name}/{call.occurrence}{suffix}")


def _gone(answer: str) -> Exception | None:
    """The reason for the end of a run whose claim has ended."""
    if answer == "stale":
        return Lost("the step is no longer this worker's")
    return Cancelled("the step was cancelled") if answer == "cancelled" else None


class _Entered:
    """One call of a function, which no other call may interrupt."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        self._function._busy = False


_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def text_of(error: BaseException) -> str:
    """The recorded text of an error. An attribute error_class names the class by which incidents distinguish causes."""
    name = getattr(error, "error_class", None)
    if isinstance(name, str) and name:
        return f"[class={name}] {error}"
    text = str(error)
    if isinstance(error, (Permanent, KeptError)) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def stored(text: str) -> str:
    """The text in the form that the database takes: no zero byte, no half of a surrogate pair, 65,536 characters at
    most."""
    return _UNSTORABLE.sub("\ufffd", text[:65_536])


def utc_now() -> datetime:
    return datetime.now(timezone.utc)


def timestamp(at: datetime) -> str:
    """A time in JSON's form."""
    return at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def sent_at(ended: dict[str, Any]) -> datetime | None:
    """The time at which the signal or event that ended a wait was sent. None if a time ended the wait or a person
    completed the step."""
    return parsed(ended["sent_at"]) if "sent_at" in ended else None


def parsed(text: str) -> datetime:
    """A time in JSON's form, with any number of digits after the seconds."""
    found = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", text)
    if found is None:
        raise ValueError(f"{text!r} is not a time")
    fraction = (found[2] or "")[:6].ljust(6, "0")
    return datetime.fromisoformat(f"{found[1]}.{fraction}{'+00:00' if found[3] == 'Z' else found[3]}").astimezone(timezone.utc)
