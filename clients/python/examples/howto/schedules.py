"""docs/howto/schedules.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow


@dataclass
class Region:
    region: str


reports = Workflow("guide", "regional_reports", Region, version="1.0.0", identity="new")


@reports.step()
def write(job: Job[Region]) -> str:
    return f"report for {job.input.region}"


reports.schedule("nightly_eu", Region("eu"), cron="0 2 * * *", timezone="Europe/Berlin", overlap="skip")
report = reports.returns(write)
