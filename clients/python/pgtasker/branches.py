"""The states of the steps of a workflow in memory, by the engine's rules of joins, failures, branches and races."""

from __future__ import annotations

from typing import Callable, Iterable, Literal, Sequence

from .workflow import Failure, Info

State = Literal["pending", "ready", "complete", "skipped", "timed out", "failed", "cancelled", "error"]
_SETTLED = ("complete", "skipped", "timed out", "failed", "cancelled")


class Branches:
    """The states of the steps. A step that has failed is in state failed if another step waits for its failure,
    otherwise in error. met says whether the result of a parent satisfies a step, by the place of the parent."""

    def __init__(self, steps: Iterable[Info], halts: bool, met: Callable[[Info, int], bool]) -> None:
        self.steps = {info.name: info for info in steps}
        self.halts, self.met = halts, met
        self.state: dict[str, State] = {name: "pending" for name in self.steps}
        self.failures: list[Failure] = []
        self._before: dict[str, set[str]] = {}
        for name in self.steps:
            near = self._parents(name)
            self._before[name] = set(near).union(*(self._before[n] for n in near))
        ends = [n for info in self.steps.values() if info.on is not None for n in info.parents]
        self._waited_for = set(ends).union(*(self._before[n] for n in ends))

    def next(self) -> Info | None:
        """The step to run, None if no step can run. Waiting steps come last, as their signals do."""
        while self._decide():
            pass
        ready = [info for name, info in self.steps.items() if self.state[name] == "ready"]
        return min(ready, key=lambda info: "await" in info.fields) if ready else None

    def failed(self, failure: Failure) -> None:
        """Notes the failure of a step for good."""
        self.state[failure.step] = "failed" if failure.step in self._waited_for else "error"
        self.failures.append(failure)

    def failures_above(self, info: Info) -> list[Failure]:
        """The failures for a step that waits for a failure, the first failure first."""
        return [f for f in self.failures if f.step in self._before[info.name] and self.state[f.step] == "failed"]

    def holds(self, info: Info) -> list[bool]:
        """The parents of a step that satisfy it."""
        return [self._met(info, at) for at in range(len(self._parents(info.name)))]

    def _parents(self, name: str) -> Sequence[str]:
        info = self.steps[name]
        source = None if info.over is None else info.over.step
        return info.parents if source is None or source.name in info.parents else [*info.parents, source.name]

    def _met(self, info: Info, at: int) -> bool:
        name = self._parents(info.name)[at]
        if info.on is None:
            return self.state[name] == "complete" and (at >= len(info.parents) or self.met(info, at))
        return self._broken(name) or (info.on == "ended" and self.state[name] == "complete")

    def _broken(self, name: str) -> bool:
        """Whether a step failed, or was skipped because an earlier step failed."""
        if self.state[name] != "skipped":
            return self.state[name] == "failed"
        return self.steps[name].on is None and any(self._broken(n) for n in self._parents(name))

    def _decide(self) -> bool:
        """Decides the first step that can be decided: the step becomes ready, or is skipped. After a failure that halts
        the task no step becomes ready."""
        halted = self.halts and "error" in self.state.values()
        for name, info in self.steps.items():
            if self.state[name] != "pending":
                continue
            holds = self.holds(info)
            settled = all(self.state[n] in _SETTLED for n in self._parents(name))
            met = any(holds) if info.join in ("any", "first") else info.join == "settled" or all(holds)
            runs = met and (settled or info.join == "first")
            if runs and not halted:
                self.state[name] = "ready"
                for loser in self._losers(name) if info.join == "first" and not settled else ():
                    self.state[loser] = "cancelled"
            elif settled and not runs:
                self.state[name] = "skipped"
            else:
                continue
            return True
        return False

    def _losers(self, race: str) -> set[str]:
        """The steps before a race that have not settled and that no other step needs."""
        above = self._before[race]
        open = {n for n in above if self.state[n] not in _SETTLED}
        others = [n for n in self.steps if n != race and n not in above and self.state[n] == "pending"]
        kept: set[str] = set()
        while found := (open - kept) & {p for n in [*others, *kept] for p in self._parents(n)}:
            kept |= found
        return open - kept
