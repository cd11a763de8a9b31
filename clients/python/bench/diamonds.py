"""Diamonds of empty handlers over PostgreSQL: bench.py DSN TASKS CONCURRENCY"""
import sys
import time
from dataclasses import dataclass
import psycopg

from pgtasker import AsyncJob, Worker, Workflow
from pgtasker.postgres import Postgres

@dataclass
class In:
    n: int

w = Workflow("bench", "py", In, version="1", identity="new")
@w.step()
async def a(job: AsyncJob[In]) -> int: return 1
@w.step(after=a)
async def b(job: AsyncJob[In], x: int) -> int: return 1
@w.step(after=a)
async def c(job: AsyncJob[In], x: int) -> int: return 1
@w.step(after=(b, c))
async def d(job: AsyncJob[In], x: int, y: int) -> int: return 1
flow = w.returns(d)

def main(dsn: str, n: int, concurrency: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as db:
        flow.register(db)
        db.execute("select count(*) from tasker.create_tasks('bench', 'py', array_fill('{\"n\": 1}'::jsonb, array[%s]))" % n)
        t, cpu = time.monotonic(), time.process_time()
        with Worker(Postgres(dsn), [flow], concurrency=concurrency):
            while db.execute("select count(*) from tasker.step_queue where namespace = 'bench'").fetchone() != (0,):
                time.sleep(0.1)
            dt = time.monotonic() - t
            print(f"python, concurrency {concurrency}: {4 * n / dt:.0f} steps/s, {(time.process_time() - cpu) * 1000 / (4 * n) * 1000:.0f} ms CPU a thousand")

main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
