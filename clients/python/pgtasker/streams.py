"""Values, streams and the log of a running step."""

from __future__ import annotations

import logging
import threading
import time
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from .errors import Cancelled, Lost, Permanent
from .jsontext import encode

if TYPE_CHECKING:
    from .source import Source

_LINES = 999
_LINE = 8_000
_EVERY = 0.5


class Writer:
    """The part of a job that writes values and streams."""

    _claimed: dict[str, Any]
    _source: Source
    _path: str
    claim_no: int
    _log: LogHandler | None = None

    def check(self) -> None:
        raise NotImplementedError

    def end(self, why: BaseException) -> None:
        raise NotImplementedError

    def _repeats(self) -> bool:
        """Whether a durable function passes through calls that an earlier run has made."""
        raise NotImplementedError

    def set_value(self, name: str, value: Any) -> None:
        """Sets a value of the step: the last value wins, and readers see it at once. Raises Lost or Cancelled if the
        step no longer belongs to this worker. A durable function that runs again does not repeat values that it has
        already set."""
        self._write(f"/values/{name}", {"value": value})

    def progress(self, done: float, text: str = "") -> None:
        """Sets the step's progress, from 0 to 1, and its present work. Lists of tasks show both."""
        self.set_value("progress", {"done": done, **({"text": text} if text else {})})

    def append(self, stream: str, items: list[Any]) -> None:
        """Appends items to a stream of the step, at most 1,000: readers get them in order, once. A call costs more than an item."""
        if not items or self._repeats():
            return
        lock: threading.Lock = self._claimed.setdefault("_appending", threading.Lock())
        with lock:  # Batches are counted through all runs under a claim, and written in their order.
            batches: dict[str, int] = self._claimed.setdefault("_batches", {})
            batches[stream] = batches.get(stream, 0) + 1
            self._write(f"/streams/{stream}", {"items": items, "batch_no": batches[stream]})

    def log_handler(self) -> LogHandler:
        """A handler of the module logging that writes its lines to the stream log of the step. Lines are written
        together, twice a second and before the step ends or waits, at most 999 at a time. Further lines are dropped,
        and a line says how many."""
        if self._log is None:
            self._log = LogHandler(self)
        return self._log

    def flush_log(self) -> None:
        """Writes the waiting lines. The worker calls this method."""
        if self._log is not None:
            self._log.flush()

    def _write(self, path: str, body: dict[str, Any]) -> None:
        if self._repeats():
            return
        self.check()
        try:
            data = encode({"claim_no": self.claim_no, **body})
        except (TypeError, ValueError) as error:
            raise Permanent(f"the value or the items cannot be encoded: {error}") from error
        answer = self._source.send("POST", self._path + path, data)["answer"]
        if answer != "saved":
            self.end(Cancelled("the step was cancelled") if answer == "cancelled" else Lost("the step is no longer this worker's"))
            self.check()


class LogHandler(logging.Handler):
    """Writes records to the stream log of a step."""

    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self._writer = writer
        self._lines: list[dict[str, Any]] = []
        self._dropped = 0
        self._written = time.monotonic()
        self._timer: threading.Timer | None = None
        self._flushing = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        if self._writer._repeats():
            return
        text = self.format(record).replace("\0", "\ufffd")
        line = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(), "level": record.levelname, "logger": record.name,
            "msg": text[:_LINE // 4] if len(text.encode()) > _LINE else text,
        }  # fmt: skip
        if len(self._lines) >= _LINES:
            self._dropped += 1
            return
        self._lines.append(line)
        if self._timer is None:
            self._timer = threading.Timer(_EVERY, self.flush)
            self._timer.daemon = True
            self._timer.start()

    def flush(self) -> None:
        with self._flushing:
            self.acquire()
            try:
                lines, dropped, self._lines, self._dropped = self._lines, self._dropped, [], 0
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
            finally:
                self.release()
            if dropped:
                lines.append({"level": "WARNING", "msg": "lines were dropped", "dropped": dropped})
            # Lines with long texts need several calls, since a call takes 1 MiB.
            while lines:
                batch, lines = lines[:100], lines[100:]
                try:
                    self._writer.append("log", batch)
                except Exception:  # A log does not fail its step: the step hears of its claim by itself.
                    return
