"""The schema as one script for psql: python -m pgtasker.schema | psql -X -q -v ON_ERROR_STOP=1 shop"""

from __future__ import annotations

import pathlib
import re
import sys

_HERE = pathlib.Path(__file__).resolve().parent


def compose(migrations: pathlib.Path) -> str:
    """All migrations of a folder, each in a separate transaction."""
    parts = ["create schema if not exists tasker_meta;\ncreate table if not exists tasker_meta.schema_migrations (version varchar primary key);\n"]
    for file in sorted(migrations.glob("*.sql")):
        up = re.split(r"^-- migrate:down$", file.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[0]
        parts.append(f"begin;\n{up}\ninsert into tasker_meta.schema_migrations values ('{file.name.partition('_')[0]}');\ncommit;\n")
    return "\n".join(parts)


def sql() -> str:
    """The schema of this version: from the wheel, or from the checkout of this module."""
    packed = _HERE / "schema.sql"
    return packed.read_text(encoding="utf-8") if packed.exists() else compose(_HERE.parents[2] / "db/migrations")


if __name__ == "__main__":
    sys.stdout.write(sql())
