"""Wrong programs: mypy --strict reports each line of tests/wrong/wrong.py that is marked E, and no other. pyright, which PYRIGHT names, does too."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parent.parent
WRONG = ROOT / "tests/wrong/wrong.py"
MARKED = {n: m[1] for n, line in enumerate(WRONG.read_text().splitlines(), 1) if (m := re.search(r"# E (\d+ .*)", line))}


class Types(unittest.TestCase):
    def check(self, found: dict[int, str]) -> None:
        self.assertGreater(len(MARKED), 40)
        self.assertEqual([], [f"not reported: {MARKED[n]}" for n in MARKED if n not in found])
        self.assertEqual([], [f"line {n} is reported: {found[n]}" for n in found if n not in MARKED])

    @unittest.skipUnless(shutil.which("mypy"), "there is no mypy")
    def test_mypy_refuses_each_wrong_program(self) -> None:
        cache = os.environ.get("MYPY_CACHE", ".mypy_cache")
        arguments = ["mypy", "--strict", "--no-error-summary", "--hide-error-context", "--cache-dir", cache, "tests/wrong/wrong.py"]
        out = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True).stdout
        found: dict[int, str] = {}
        for m in re.finditer(r"^(\S+?):(\d+): error: (.*)$", out, re.M):
            self.assertEqual("tests/wrong/wrong.py", m[1], m[0])
            found.setdefault(int(m[2]), m[3])
        self.check(found)

    @unittest.skipUnless("PYRIGHT" in os.environ, "PYRIGHT names no pyright")
    def test_pyright_refuses_each_wrong_program(self) -> None:
        arguments = [os.environ["PYRIGHT"], "--outputjson", "--pythonpath", sys.executable, "tests/wrong"]
        out = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True).stdout
        found: dict[int, str] = {}
        for d in json.loads(out)["generalDiagnostics"]:
            if d["severity"] == "error":
                self.assertTrue(d["file"].endswith("wrong/wrong.py"), d)
                found.setdefault(d["range"]["start"]["line"] + 1, d["message"])
        self.check(found)

    def test_the_overloads_are_as_generated(self) -> None:
        before = (ROOT / "pgtasker/workflow.py").read_text()
        code = (ROOT / "gen/workflow.py").read_text().replace('open("pgtasker/workflow.py", "w").write(', "print(")
        made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        self.assertEqual(before.rstrip("\n"), made.rstrip("\n"), "run python3 gen/workflow.py")

    def test_the_workflows_are_short(self) -> None:
        """The invoice workflow has 35 lines without imports and models at most, and a first workflow has 20."""
        source = (ROOT / "examples/invoice.py").read_text()
        parts = [part for part in ast.parse(source).body if not isinstance(part, (ast.Import, ast.ImportFrom, ast.ClassDef))]
        parts = [part for part in parts if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
        decorated = [(min([part.lineno] + [d.lineno for d in getattr(part, "decorator_list", [])]), part.end_lineno or 0) for part in parts]
        written = [line for first, last in decorated for line in source.splitlines()[first - 1 : last] if line.strip()]
        self.assertGreater(len(written), 25, written)
        self.assertLessEqual(len(written), 35)
        self.assertLessEqual(max(map(len, written)), 140)
        self.assertLessEqual(len([line for line in (ROOT / "examples/first.py").read_text().splitlines() if line.strip()]), 20)
