"""The way to the server: its outages, and the calls of running steps, which are repeated until the server has judged
them."""

from __future__ import annotations

import copy
import logging
import random
import threading
import time
from concurrent.futures import Future
from typing import Any, Callable, Iterator

from .client import Client
from .errors import ApiError, Unavailable, awaits_a_person
from .jsontext import encode

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0
_LONGEST_FOR_A_PERSON = 30.0
_SAID_AGAIN = 60.0
_SAID_SELDOM = 600.0
_WITHIN = 30.0
# Only few contexts are kept, since a large context may have a megabyte. A small context is cheaper to send again than
# to refer to.
_CONTEXTS = 64
_SMALL = 1_000


class Abandoned(Exception):
    """The worker has given up."""


class Weather:
    """The outages of a server. The log has a line when an outage begins, a line when it ends, and a line a minute
    between. The first success of any call ends the pauses of the others."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._changed = threading.Condition()
        self._since: float | None = None
        self._said = -_SAID_AGAIN
        self._pause = 0.0
        self._texts: dict[str, float] = {}
        self.until = 0.0
        """The time at which the worker's own exchanges may be tried again."""
        self.worked = False
        """Whether any call has succeeded yet."""
        self.returned: Callable[[], None] = lambda: None
        """Called when an outage has ended, since a request from before the outage may wait in vain."""

    def failed(self, what: str, error: Unavailable) -> None:
        """A call was not judged."""
        with self._changed:
            now = time.monotonic()
            if self._since is None:
                self._since = now
            if now - self._said >= _SAID_AGAIN:
                self._said = now
                self._log.warning("%s failed; it is repeated until the server answers: %s", what, error)
            if now >= self.until:
                self._pause = min(max(2 * self._pause, _FIRST_PAUSE), _LONGEST_PAUSE)
                self.until = now + self._pause * random.uniform(0.9, 1.1)

    @property
    def away(self) -> bool:
        """Whether calls fail."""
        return self._since is not None

    def succeeded(self) -> None:
        """The server has answered."""
        if self.worked and self._since is None:
            return
        with self._changed:
            self.worked = True
            if self._since is not None and self._said >= self._since:
                self._log.warning("the server answers again after %.1f s", time.monotonic() - self._since)
            returned = self._since is not None
            self._since, self._pause, self.until = None, 0.0, 0.0
            self._changed.notify_all()
        if returned:
            self.returned()

    def answered(self) -> None:
        """The server has answered, with a refusal."""
        if self.worked:
            self.succeeded()

    def refused(self, what: str, error: ApiError) -> None:
        """A call waits until a person mends the token or its rights."""
        with self._changed:
            now = time.monotonic()
            if now - self._texts.get(str(error), -_SAID_SELDOM) >= _SAID_SELDOM:
                self._texts = {text: at for text, at in self._texts.items() if now - at < _SAID_SELDOM}
                self._texts[str(error)] = now
                self._log.error("%s is kept and repeated until a person has mended it: %s", what, error)

    def wait(self, seconds: float, ended: threading.Event) -> None:
        """Lets time pass, or less time if a call succeeds or the worker ends."""
        until = time.monotonic() + seconds * random.uniform(0.9, 1.1)
        with self._changed:
            away = self._since is not None
            while not ended.is_set() and (left := until - time.monotonic()) > 0 and away == (self._since is not None):
                self._changed.wait(min(left, 0.05))


class Source:
    """Calls that are repeated while the server is away."""

    def __init__(self, client: Client, lease: int, log: logging.Logger) -> None:
        self.lease = lease
        self.abandoned = threading.Event()
        self.weather = Weather(log)
        self.client = self._client = client
        self._contexts: dict[str, Future[Any]] = {}
        self._parents: dict[str, Future[Any]] = {}
        self._lock = threading.Lock()

    def known_tasks(self) -> list[str]:
        """The tasks whose contexts are kept, so that no claim sends them again."""
        with self._lock:
            return [task for task, context in self._contexts.items() if context.done()]

    def take_contexts(self, given: dict[str, Any] | None) -> Callable[[str], Any]:
        """Keeps the large contexts that came with claimed steps, and returns a function that finds a step's context.
        The function returns None if the context must be loaded. Steps of one task do not share a small context."""
        contexts = given or {}
        for task_uuid, context in contexts.items():
            if len(encode(context)) > _SMALL:
                kept: Future[Any] = Future()
                kept.set_result(context)
                with self._lock:
                    _keep(self._contexts, task_uuid, kept)
        taken: set[str] = set()

        def find(task_uuid: str) -> Any:
            with self._lock:
                kept = self._contexts.get(task_uuid)
            if kept is not None and kept.done() and kept.exception() is None:
                return kept.result()
            context = contexts.get(task_uuid)
            if task_uuid in taken:
                return copy.deepcopy(context)
            taken.add(task_uuid)
            return context

        return find

    def context(self, task_uuid: str) -> Any:
        """A context that is too large for claims, or that is no longer kept. It is loaded once for all steps of its
        task that run at the same time."""
        return self._shared(self._contexts, task_uuid, lambda: self.call("GET", "/v1/tasks/" + task_uuid)["context"])

    def parents(self, key: str, load: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The results of the parents that the elements of a map share, loaded once for the elements that run at the
        same time."""
        found: dict[str, Any] = self._shared(self._parents, key, load)
        return found

    def _shared(self, kept: dict[str, Future[Any]], key: str, load: Callable[[], Any]) -> Any:
        with self._lock:
            value = kept.get(key)
            mine = value is None
            if value is None:
                value = Future()
                _keep(kept, key, value)
        if mine:
            try:
                value.set_result(load())
            except BaseException as error:
                with self._lock:
                    if kept.get(key) is value:
                        del kept[key]
                value.set_exception(error)
        return value.result()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self.send(method, path, None if body is None else encode(body))

    def send(self, method: str, path: str, data: bytes | None) -> Any:
        return self.persist(lambda: self._client.send(method, path, data, _WITHIN), path)

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        cursor: str | None = ""
        while cursor is not None:
            page = self.call("GET", f"{path}?limit=100&cursor={cursor}")
            yield from page["items"]
            cursor = page["next_cursor"]

    def once(self, call: Callable[[], Any], what: str) -> Any:
        """Makes a call, and notes its outcome."""
        try:
            answer = call()
        except Unavailable as error:
            self.weather.failed(what, error)
            raise
        except ApiError:
            self.weather.answered()
            raise
        self.weather.succeeded()
        return answer

    def persist(self, call: Callable[[], Any], what: str) -> Any:
        """Makes a call until the server has judged it. Raises Abandoned if the worker gives up before."""
        pause, longest = _FIRST_PAUSE, _LONGEST_PAUSE
        while True:
            try:
                return self.once(call, what)
            except Unavailable as error:
                failure: Exception = error
                longest = _LONGEST_PAUSE
            except ApiError as error:
                if not awaits_a_person(error):
                    raise
                self.weather.refused(what, error)
                failure, longest = error, _LONGEST_FOR_A_PERSON
            if self.abandoned.is_set():
                raise Abandoned(str(failure)) from failure
            self.weather.wait(pause, self.abandoned)
            pause = min(2 * pause, longest)


def _keep(kept: dict[str, Future[Any]], key: str, value: Future[Any]) -> None:
    """Keeps a value beside the newest values. The caller must hold the lock."""
    kept[key] = value
    while len(kept) > _CONTEXTS:
        del kept[next(iter(kept))]
