"""docs/howto/deadlines.md"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from pgtasker import AsyncJob, Client, Job, Workflow


@dataclass
class Video:
    name: str
    parts: int


def transcode_part(part: int) -> None: ...


videos = Workflow("guide", "videos", Video, version="1.0.0", identity="new")


@videos.step(timeout=3600)
def transcode(job: Job[Video]) -> str:
    for part in range(job.input.parts):
        job.check()  # raises Cancelled, Lost or TimeoutError: let it pass
        transcode_part(part)
    return job.input.name + ".webm"


@videos.step(after=transcode, timeout=600, start_within=1800)
async def publish(job: AsyncJob[Video], file: str) -> str:
    await asyncio.sleep(0.01)  # an async step is cancelled here: asyncio.CancelledError
    return "https://videos.example/" + file


published = videos.returns(publish)


def upload(client: Client, name: str) -> bool:
    task = published.start(client, Video(name, 3), deadline=datetime.now(timezone.utc) + timedelta(hours=2))
    return task.cancel("uploaded twice")  # whether this call has cancelled it
