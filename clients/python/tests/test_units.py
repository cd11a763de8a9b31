"""What needs no server."""

from __future__ import annotations

import http.server
import pathlib
import sys
import tempfile
import threading
import unittest
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Optional

from pgtasker.client import Client
from pgtasker.durable import parsed, timestamp
from pgtasker.fit import Misfit, fit
from pgtasker.jsontext import decode, encode, plain
from pgtasker.worker import Worker


@dataclass
class Line:
    name: str
    price: float = 1.0


@dataclass
class Basket:
    lines: list[Line]
    note: Optional[str] = None
    tags: dict[str, int] = field(default_factory=dict)


class Fit(unittest.TestCase):
    def test_a_dataclass_is_made_of_an_object(self) -> None:
        value: Any = {"lines": [{"name": "a", "price": 2}], "tags": {"x": 1}, "other": True}
        basket = fit("it", value, Basket)
        self.assertEqual(basket, Basket([Line("a", 2.0)], None, {"x": 1}))
        self.assertEqual(plain(basket), {"lines": [{"name": "a", "price": 2.0}], "note": None, "tags": {"x": 1}})

    def test_what_does_not_fit_says_where(self) -> None:
        for value, where in (
            ({}, "it has no lines"),
            ({"lines": [{"name": 1}]}, r"it.lines\[0\].name is not str, but 1"),
            ({"lines": [], "note": 1}, "it.note is not NoneType, but 1"),
            ([], "it is not an object for Basket"),
            ({"lines": [{"name": "a", "price": True}]}, "price is not float, but True"),
        ):
            with self.assertRaisesRegex(Misfit, where):
                fit("it", value, Basket)

    def test_numbers_have_any_number_of_digits(self) -> None:
        self.assertEqual(encode({"n": 10**40}), b'{"n":1' + b"0" * 40 + b"}")
        with self.assertRaises(ValueError):
            encode(float("nan"))


class Json(unittest.TestCase):
    def test_depth_and_digits_have_no_limit(self) -> None:
        for text in ("7" * 5000, "[" * 5000 + "]" * 5000, '{"a":' * 3000 + "-" + "7" * 9000 + "}" * 3000):
            self.assertEqual(encode(decode(text.encode())), text.encode())
        text = '{"a":[1,-2.5,1e3,true,false,null,"\\u00e4\\"]}",{"":{}},[]],"n":' + "9" * 5000 + "}"
        value = decode(text.encode())
        self.assertEqual(value["a"], [1, -2.5, 1000.0, True, False, None, 'ä"]}', {"": {}}, []])
        self.assertEqual(decode(encode({"n": value["n"], "basket": Basket([])}))["basket"], {"lines": [], "note": None, "tags": {}})

    def test_what_json_does_not_have_is_refused_at_any_depth(self) -> None:
        deep: Any = float("inf")
        for _ in range(2000):
            deep = [deep]
        itself: list[Any] = []
        itself.append(itself)
        for value in (deep, itself, {1, 2}, object()):
            with self.assertRaises((TypeError, ValueError)):
                encode(value)


class Stop(unittest.TestCase):
    def test_a_second_signal_may_interrupt_the_first(self) -> None:
        worker = Worker(Client("http://localhost", "a token"))
        interruptions: list[int] = []

        def interrupt(_frame: Any, _event: str, _argument: Any) -> None:
            sys.settrace(None)
            interruptions.append(1)
            worker.stop()
            sys.settrace(interrupt)

        def stop() -> None:
            sys.settrace(interrupt)
            worker.stop()
            sys.settrace(None)

        thread = threading.Thread(target=stop, daemon=True)
        thread.start()
        thread.join(20)
        self.assertFalse(thread.is_alive(), "a stop that interrupts a stop waits for ever")
        self.assertTrue(interruptions)


class Times(unittest.TestCase):
    def test_any_number_of_digits_is_read(self) -> None:
        at = datetime(2026, 1, 31, 12, 0, 1, 250000, timezone.utc)
        for text in ("2026-01-31T12:00:01.25Z", "2026-01-31T13:00:01.250000123+01:00", timestamp(at)):
            self.assertEqual(parsed(text), at)
        self.assertEqual(parsed("2026-01-31T12:00:00Z").microsecond, 0)
        with self.assertRaises(ValueError):
            parsed("yesterday")


class Tokens(unittest.TestCase):
    def test_a_token_is_a_text_a_file_or_a_function_and_is_replaced_while_the_program_runs(self) -> None:
        seen: list[str | None] = []

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(self.headers["Authorization"])
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: object) -> None: ...

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}"
        with tempfile.TemporaryDirectory() as at:
            file = pathlib.Path(at, "token")
            file.write_text("one\n")
            tokens = iter(["three", "four"])
            with Client(url, file) as over, Client(url, lambda: next(tokens)) as asking, Client(url, "five") as text:
                over.request("GET", "/v1/x")
                file.write_text("number two\n")
                over.request("GET", "/v1/x")
                asking.request("GET", "/v1/x")
                asking.request("GET", "/v1/x")
                text.request("GET", "/v1/x")
        self.assertEqual(seen, ["Bearer one", "Bearer number two", "Bearer three", "Bearer four", "Bearer five"])


if __name__ == "__main__":
    unittest.main()
