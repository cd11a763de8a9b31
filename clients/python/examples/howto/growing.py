"""docs/howto/growing.md"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pgtasker import Job, Worker


@dataclass
class Files:
    files: list[str]


def handle(worker: Worker) -> None:
    @worker.handler("list", Files)
    def list_files(job: Job[Files]) -> int:
        steps: list[dict[str, Any]] = [
            {"name": f"count_{i}", "handler": "count", "dependencies": [job.name], "initialization": {"file": file}}
            for i, file in enumerate(job.input.files, 1)
        ]
        steps.append({"name": "sum", "dependencies": [step["name"] for step in steps]})
        job.tx().execute("select tasker.add_steps(%s, %s::jsonb)", (job.task_uuid, json.dumps(steps)))
        return len(job.input.files)

    @worker.handler("count", Files)
    def count(job: Job[Files]) -> int:
        return len(job.inputs["file"])  # the initialization of the step

    @worker.handler("sum", Files)
    def total(job: Job[Files]) -> int:
        return sum(job.results().values())  # of all steps that it depends on
