"""Runs tests by their names, and prints the slowest: python3 -m tests tests.test_units tests.test_direct"""

from __future__ import annotations

import sys
import time
import unittest
from typing import Any


class Timed(unittest.TextTestResult):
    took: list[tuple[float, str]] = []

    def startTest(self, test: unittest.TestCase) -> None:
        self._began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.took.append((time.monotonic() - self._began, test.id()))


if __name__ == "__main__":
    loader: Any = unittest.defaultTestLoader
    names = sys.argv[1:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover("tests", top_level_dir=".")
    result = unittest.TextTestRunner(verbosity=2, resultclass=Timed).run(suite)
    for seconds, name in sorted(Timed.took, reverse=True)[:12]:
        print(f"{seconds:6.1f} s {name}")
    sys.exit(not result.wasSuccessful())
