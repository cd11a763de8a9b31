# An empty directory, PostgreSQL, Python, and the wheel.
ls -A
createdb shop
python3 -m venv --system-site-packages venv
venv/bin/pip install -q --no-index /srv/packages/pgtasker-0.1.0-py3-none-any.whl
# The schema, from the wheel.
venv/bin/python -m pgtasker.schema | psql -X -q -v ON_ERROR_STOP=1 shop
psql -X -At shop -c "select count(*) from tasker.list_namespaces()"
# A first workflow: it is typed, so a wrong program is refused before it runs.
cat > trips.py <<'EOF'
from dataclasses import dataclass

from pgtasker import AsyncJob, Job, Permanent, Signal, Workflow, any_of


@dataclass
class Trip:
    city: str
    nights: int


@dataclass
class Yes:
    by: str


approved = Signal("approved", Yes)
trips = Workflow("travel", "trip", Trip, version="1.0.0", identity="new")


@trips.step()
def price(job: Job[Trip]) -> int:
    if job.input.city == "Atlantis":
        raise Permanent("there is no hotel in Atlantis")
    return 90 * job.input.nights


approve = trips.wait("approve", approved, after=price.when(lambda p: p >= 500))


@trips.step(after=any_of(price.when(lambda p: p < 500), approve))
async def book(job: AsyncJob[Trip], cents: int | None, answer: object) -> str:
    return f"{job.input.nights} nights in {job.input.city}"


trip = trips.returns(book)
EOF
mypy --strict --python-executable venv/bin/python trips.py
cat > wrong.py <<'EOF'
from pgtasker import Job
from trips import Trip, price, trips


@trips.step(after=price)
def insure(job: Job[Trip], price: str) -> str:
    return price + job.input.town
EOF
mypy --strict --python-executable venv/bin/python wrong.py || true
# Tests without a database: the steps are functions, and a workflow runs in memory.
cat > test_trips.py <<'EOF'
import asyncio

import pytest
from pgtasker import Permanent, testing

from trips import Trip, Yes, price, trip


def test_two_nights_have_a_price() -> None:
    assert price(testing.job(Trip("Rome", 2))) == 180


def test_there_is_no_hotel_in_atlantis() -> None:
    with pytest.raises(Permanent):
        price(testing.job(Trip("Atlantis", 2)))


def test_a_whole_trip() -> None:
    run = asyncio.run(testing.run(trip, Trip("Rome", 7), signals={"approved": Yes("ada")}))
    assert run.result() == "7 nights in Rome"
EOF
venv/bin/python -m pytest -q -p no:cacheprovider test_trips.py | head -1
# A worker, and a program that starts tasks. The first worker is killed, and another one does the work.
cat > worker.py <<'EOF'
import os

from pgtasker import Worker
from pgtasker.postgres import Postgres

from trips import trip

Worker(Postgres(os.environ["DATABASE_URL"]), [trip], lease=2).run_until_signalled()
EOF
cat > place.py <<'EOF'
import os

from pgtasker import TaskFailed
from pgtasker.postgres import Postgres

from trips import Trip, Yes, approved, trip

database = Postgres(os.environ["DATABASE_URL"])
trip.register(database)
placed = [trip.start(database, Trip(city, nights)) for city, nights in (("Rome", 2), ("Oslo", 7), ("Atlantis", 1))]
placed[1].send(approved, Yes("ada"))
for task in placed:
    try:
        print(task.result(within=60))
    except TaskFailed as error:
        print("failed:", error.step, error.state)
EOF
venv/bin/python worker.py >worker.log 2>&1 & KILLED=$!
sh -c "kill -9 $KILLED"; wait $KILLED 2>/dev/null || true
venv/bin/python worker.py >worker.log 2>&1 & WORKER=$!
venv/bin/python place.py
kill -TERM $WORKER; wait $WORKER
psql -X -At shop -c "select state, count(*) from tasker.list_tasks('travel') group by state order by state"
