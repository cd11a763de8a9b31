"""Puts the schema into the wheel, as pgtasker/schema.sql. The rest is in pyproject.toml."""

import pathlib
import runpy

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent


class WithSchema(build_py):
    def run(self) -> None:
        super().run()
        compose = runpy.run_path(str(HERE / "pgtasker/schema.py"))["compose"]
        migrations = HERE.parents[1] / "db/migrations"
        if not any(migrations.glob("*.sql")):
            raise FileNotFoundError(f"build the wheel in a checkout of pgtasker: {migrations} has no migrations")
        (pathlib.Path(self.build_lib) / "pgtasker/schema.sql").write_text(compose(migrations), encoding="utf-8")


setup(cmdclass={"build_py": WithSchema})
