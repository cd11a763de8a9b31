"""docs/howto/results.md"""

from __future__ import annotations

from dataclasses import dataclass

from pgtasker import Job, Workflow


@dataclass
class Pages:
    documents: list[str]


sums = Workflow("guide", "sums", Pages, version="1.0.0", identity="new")


@sums.map(sums.each(lambda pages: pages.documents))
def count(job: Job[Pages], document: str) -> int:
    return len(document.split())


@sums.step(after=count)
def add_up(job: Job[Pages], counts: list[int]) -> int:  # fetched in pages if a claim has no place for them
    return sum(counts)


words = sums.returns(add_up)
