"""Writes pgtasker/workflow.py: the overloads of Workflow for up to six parents. Run it in clients/python: python3 gen/workflow.py"""
T = "ABCDEF"
OPT = "name: str | None = None, retry: Retries | None = None, timeout: Seconds | None = None, start_within: Seconds | None = None, priority: int = 0, limit: str | None = None, limit_key: Callable[[In], str | int | bool] | None = None, limits: Sequence[Limit[In]] = (), description: str | None = None, permanent: tuple[type[BaseException], ...] = (), retry_after: Mapping[type[BaseException], Seconds] = {}"
out = [open("gen/head.py.in").read()]
for n in range(7):
    ts = ", ".join(T[:n]); g = f"In, {ts}" if n else "In"; a = f", {ts}" if n else ""
    out.append(f'''
class _Step{n}(_Decorator, Generic[{g}]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In]{a}], Coroutine[Any, Any, R]]) -> Step[In, R, [AsyncJob[In]{a}], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, f: Callable[[Job[In]{a}], R]) -> Step[In, R, [Job[In]{a}], R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)
''')
for n in range(3):
    ts = ", ".join(T[:n]); g = f"In, E, {ts}" if n else "In, E"; a = f", {ts}" if n else ""
    for kind, elem in (("", "R"), ("Allowing", "R | None")):
        out.append(f'''
class _Map{kind}{n}(_Decorator, Generic[{g}]):
    @overload
    def __call__(self, f: Callable[[AsyncJob[In], E{a}], Coroutine[Any, Any, R]]) -> MapStep[In, list[{elem}], [AsyncJob[In], E{a}], Coroutine[Any, Any, R], E, R]: ...
    @overload
    def __call__(self, f: Callable[[Job[In], E{a}], R]) -> MapStep[In, list[{elem}], [Job[In], E{a}], R, E, R]: ...
    def __call__(self, f: Any) -> Any:
        return self.make(f)
''')
for n in range(2, 7):
    ts = T[:n]
    out.append(f"\nclass _Maybe{n}(_Join, Generic[In, {', '.join(ts)}]):\n    pass\n")
for name in ("any_of", "first_of", "settled"):
    join = name.split("_")[0]
    out.append(f"\n@overload\ndef {name}(a: Dep[In, A], /) -> _Maybe1[In, A]: ...")
    for n in range(2, 7):
        out.append(f"@overload\ndef {name}({', '.join(f'{t.lower()}: Dep[In, {t}]' for t in T[:n])}, /) -> _Maybe{n}[In, {', '.join(T[:n])}]: ...")
    out.append(f"def {name}(*deps: Any) -> Any:\n    return _Join({join!r}, deps)\n")
out.append("\nclass Workflow(_Flow[In]):")
w = out.append
w(f"    @overload\n    def step(self, *, {OPT}) -> _Step0[In]: ...")
w(f"    @overload\n    def step(self, *, after: Dep[In, A], {OPT}) -> _Step1[In, A]: ...")
for n in range(2, 7):
    w(f"    @overload\n    def step(self, *, after: tuple[{', '.join(f'Dep[In, {t}]' for t in T[:n])}], {OPT}) -> _Step{n}[In, {', '.join(T[:n])}]: ...")
w(f"    @overload\n    def step(self, *, after: _Maybe1[In, A], {OPT}) -> _Step1[In, A | None]: ...")
for n in range(2, 7):
    w(f"    @overload\n    def step(self, *, after: _Maybe{n}[In, {', '.join(T[:n])}], {OPT}) -> _Step{n}[In, {', '.join(t + ' | None' for t in T[:n])}]: ...")
w(f"    @overload\n    def step(self, *, after: _Ends[In], {OPT}) -> _Step1[In, list[Failure]]: ...")
w(f"    def step(self, *, after: Any = None, **options: Any) -> Any:\n        return _Step0(self, after, options)\n")
M = "max_parallel: int | None = None"
for kind, extra in (("", ""), ("Allowing", "allow_failures: int, ")):
    w(f"    @overload\n    def map(self, over: Source[In, E], /, *, {extra}{M}, {OPT}) -> _Map{kind}0[In, E]: ...")
    w(f"    @overload\n    def map(self, over: Source[In, E], /, *, after: Dep[In, A], {extra}{M}, {OPT}) -> _Map{kind}1[In, E, A]: ...")
    w(f"    @overload\n    def map(self, over: Source[In, E], /, *, after: tuple[Dep[In, A], Dep[In, B]], {extra}{M}, {OPT}) -> _Map{kind}2[In, E, A, B]: ...")
w("    def map(self, over: Any, /, *, after: Any = None, **options: Any) -> Any:\n        return _Map0(self, after, {**options, 'over': over})\n")
for n in range(3):
    after = ["", "after: Dep[In, A], ", "after: tuple[Dep[In, A], Dep[In, B]], "][n]
    w(f"    @overload\n    def child(self, name: str, of: Returning[CI, R], context: Callable[[In{''.join(', ' + t for t in T[:n])}], CI], /, *, {after}abandon: bool = False, timeout: Seconds | None = None, on_timeout: Literal['fail', 'skip'] | None = None) -> Step[In, R, [], None]: ...")
w("    def child(self, name: str, of: Any, context: Any, /, *, after: Any = None, abandon: bool = False, timeout: Any = None, on_timeout: Any = None) -> Any:\n        return self._child(name, of, context, after, abandon, timeout, on_timeout)\n")
W = "after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, timeout: Seconds | None = None, assignee: str | None = None, description: str | None = None"
for n in range(1, 4):
    on = ", ".join(f"{t.lower()}: Awaited[W{i + 1}]" for i, t in enumerate(T[:n])); r = " | ".join(f"W{i + 1}" for i in range(n))
    w(f"    @overload\n    def wait(self, name: str, {on}, /, *, on_timeout: Literal['fail', 'skip'] = 'fail', {W}) -> Step[In, {r}, [], None]: ...")
    w(f"    @overload\n    def wait(self, name: str, {on}, /, *, on_timeout: Literal['complete'], {W}) -> Step[In, {r} | TimedOut, [], None]: ...")
w("    def wait(self, name: str, /, *on: Any, after: Any = None, **options: Any) -> Any:\n        return self._wait(name, on, after, options)\n")
D = OPT[OPT.index("retry"):OPT.index(", permanent")]
w(f"    def declare(self, name: str, result: type[R], /, *, handler: str, after: Dep[In, Any] | tuple[Dep[In, Any], ...] | _Join | None = None, {D}) -> Step[In, R, [], None]:")
w('        """A step that another program runs, in any language, by the name of its handler. result is the type of its result."""')
w("        options = dict(retry=retry, timeout=timeout, start_within=start_within, priority=priority, limit=limit, limit_key=limit_key, limits=limits, description=description)")
w("        return self._declare(name, result, handler, after, options)  # type: ignore[no-any-return]\n")
open("pgtasker/workflow.py", "w").write("\n".join(out))
