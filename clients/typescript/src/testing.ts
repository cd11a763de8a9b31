/**
 * Tests of steps and workflows without a server and without a database, in any test runner:
 *
 *     assert.deepEqual(await call(total, invoice, { results: [700] }), { cents: 700 });
 *     const report = await run(order, { number: 7 }, { signals: [sent(approved, { ok: true })] });
 *     await crashEverywhere(() => new Function(charge, invoice), (f, result) => assert.equal(bank.charges.size, 1));
 */
import { randomBytes, randomUUID } from "node:crypto";

import { Branches } from "./branches.js";
import type { Claimed, Kept } from "./claimed.js";
import { uuid5 } from "./durable.js";
import { TaskFailed, textOf } from "./errors.js";
import { type Dep, type Duration, type Event, type Failure, type Got, type Graph, isEvent, MapStep, type Node, resultOf, seconds, type Signal, type Step } from "./graph.js";
import { invoke, taken, undo } from "./invoke.js";
import { Job } from "./job.js";
import { parse, stringify } from "./json.js";
import { check } from "./schema.js";
import { type Logger, Source } from "./source.js";
import type { Pool } from "./postgres.js";
import type { Queryable, Transaction, Transport } from "./transport.js";
import { attempt } from "./worker.js";
import type { Returning } from "./workflow.js";

const begin = Date.UTC(2026, 0, 1, 12);
const mostRuns = 1000;
const quiet: Logger = { info() {}, warn() {}, error() {} };

/** wire returns a value in the form that another process gets. */
function wire<T>(value: T): T {
  return parse(stringify(value)) as T;
}

/** Waiting says that a function or a workflow waits for a signal that the test has not sent. */
export class Waiting extends Error {
  override name = "Waiting";
}

/** Sent is a signal or an event with its payload. */
export interface Sent {
  readonly by: "signal" | "event";
  readonly key?: string;
  readonly name: string;
  readonly payload: unknown;
  /** The time at which it was sent, in JSON's form. Default: the time at which the function takes it, by the clock of the test. */
  readonly sent_at?: string;
}

/** sent returns a signal or an event for a test to send. The payload has the type of the signal or event. */
export function sent<N extends string, P>(of: Signal<N, P> | Event<N, P>, payload: NoInfer<P>): Sent {
  if (!isEvent(of)) return { by: "signal", name: of.name, payload: wire(payload) };
  return { by: "event", name: of.name, key: typeof of.key === "string" ? of.key : "", payload: wire(payload) };
}

/** CallOptions are the arguments of a step's function beside the context. */
export type CallOptions<A> = {
  attempt?: number;
  lastError?: string;
  checkpoint?: unknown;
  headers?: Record<string, unknown>;
  signals?: Sent[];
  /** The return value of job.tx(). Without it job.tx() fails. */
  tx?: Queryable;
  /** The time at which the function begins. Default: noon of 1 January 2026, UTC. */
  now?: Date;
  /** How many attempts the function has. Default: 1, so that the first error is thrown. */
  attempts?: number;
} & ([A] extends [undefined] ? { results?: undefined } : { results: Got<A> });

type CallArgs<A> = [A] extends [undefined] ? [options?: CallOptions<A>] : [options: CallOptions<A>];
type EachArgs<A> = CallArgs<A>;

/** call calls a step's function as a worker would, through JSON, and returns its result. Its error is thrown. */
export async function call<I, R, A>(step: Step<I, R, A>, input: I, ...[options]: CallArgs<A>): Promise<R> {
  if (step instanceof MapStep) throw new TypeError("a map is called element by element: callEach");
  return new Function<I, R, A>(step, input, ...([options] as CallArgs<A>)).run();
}

/** callEach calls the function of a map for one element. */
export async function callEach<I, E, R, A>(step: MapStep<I, E, R, any, A>, input: I, element: NoInfer<E>, ...[options]: EachArgs<A>): Promise<R> {
  return new Function<I, any, A>(step as Step<I, any, A>, input, ...([options] as CallArgs<A>)).of(element).run();
}

interface Suspension {
  kept: Pick<Kept, "name" | "occurrence">;
  signals: string[];
  until: number | undefined;
  by: string;
}

/** Memory is the database of one step. */
class Memory implements Transport {
  now = begin;
  kept: Kept[] = [];
  round = 0;
  state: unknown;
  checkpoint: unknown = null;
  signals: Sent[] = [];
  waits: Suspension | undefined;
  diverged: string | undefined;
  committed: string | undefined;
  places: string[] = [];
  /** The place at which the worker is lost. lost says whether the function reached the place. */
  crashAt = -1;
  lost = false;
  tx: Queryable | undefined;

  async send<R>(method: string, path: string, text: string | undefined): Promise<R> {
    const what = /[^/]+$/.exec(path.split("?")[0]!)![0];
    if (/\/(values|streams)\/[^/]+$/.test(path)) return { answer: "saved" } as R; // A test keeps no values and streams.
    const body = text === undefined ? {} : (parse(text) as any);
    if (method === "GET" && what === "kept") return { items: this.kept, next_cursor: null } as R;
    if (method === "GET") throw new Error(`a test has no ${what}`);
    return (await this.#answer(what, body)) as R;
  }

  exchange(): never {
    throw new Error("a test claims nothing");
  }

  async #answer(what: string, body: any): Promise<unknown> {
    if (what === "checkpoint") {
      this.checkpoint = body.checkpoint;
      return { answer: "saved" };
    }
    if (what === "diverge" && body.position === 0) return { answer: "suspended" };
    if (what === "diverge") {
      this.diverged = `the function asks for ${body.name}, but ${this.kept[body.position - 1]?.name ?? "nothing"} was kept at position ${body.position}: it differs from run to run`;
      return { answer: "suspended" };
    }
    this.#crash(`before ${body.name ?? what}`);
    let answer: unknown;
    if (what === "kept") {
      const kept = { name: body.name, occurrence: body.occurrence, value: body.value, error: body.error };
      this.kept.push(kept);
      answer = { answer: "kept", value: kept.value, error: kept.error };
    } else if (what === "continue") {
      [this.kept, this.state] = [[], body.state];
      answer = { answer: "continued", round: ++this.round };
    } else {
      answer = this.#suspend(body);
    }
    this.#crash(`after ${body.name ?? what}`);
    return answer;
  }

  #suspend({ name, occurrence, wait }: { name: string; occurrence: number; wait: { await: any[]; timeout?: unknown } }): unknown {
    const times = wait.await.flatMap((a): [number, string][] =>
      a.for !== undefined ? [[this.now + seconds(a.for) * 1000, "for"]] : a.until !== undefined ? [[Date.parse(a.until), "until"]] : []);
    if (wait.timeout !== undefined) times.push([this.now + seconds(wait.timeout as Duration) * 1000, "timeout"]);
    const [until, by] = times.sort(([a], [b]) => a - b)[0] ?? [undefined, ""];
    this.waits = { kept: { name, occurrence }, signals: wait.await.flatMap((a) => (a.signal ?? a.event) === undefined ? [] : [a.signal ?? a.event]), until, by: by };
    if (this.resume(false)) return { answer: "ended", value: this.kept.at(-1)!.value };
    return { answer: "suspended" };
  }

  /** resume ends a wait: by a signal, or, if time may pass, by its time. */
  resume(timePasses: boolean): boolean {
    const { kept, signals, until, by } = this.waits!;
    const at = this.signals.findIndex(({ name }) => signals.includes(name));
    if (at >= 0) this.#end({ ...kept, value: { sent_at: new Date(this.now).toISOString(), ...this.signals.splice(at, 1)[0]! } });
    else if (until !== undefined && (this.now >= until || (timePasses && signals.length === 0))) {
      this.now = Math.max(this.now, until);
      this.#end({ ...kept, value: { by } });
    } else return false;
    return true;
  }

  #end(kept: Kept): void {
    this.kept.push(kept);
    this.waits = undefined;
  }

  #crash(place: string): void {
    if (this.crashAt < 0) this.places.push(place);
    else if (this.crashAt-- === 0) {
      this.lost = true;
      throw new Error("the worker is lost");
    }
  }

  async begin(): Promise<Transaction> {
    const tx = this.tx;
    if (!tx) throw new Error("the test gives no transaction: pass it as tx");
    return { tx, commit: async (_, result) => void (this.committed = result), rollback: async () => {} };
  }
}

/** TestSource is a source with the test's clock. */
class TestSource extends Source {
  constructor(readonly memory: Memory) {
    super(memory, 60, quiet);
  }

  override now(): number {
    return this.memory.now;
  }

  override async pause(milliseconds: number): Promise<void> {
    this.memory.now += milliseconds;
  }

  override async persist<R>(_: string, made: () => Promise<R>): Promise<R> {
    return made();
  }
}

/** Function is a step's function in a test: a durable function is suspended, runs again and continues as in a worker, and its sleeps pass
 * at once. */
export class Function<I, R, A = any> {
  readonly #node: Node;
  readonly #memory = new Memory();
  readonly #claimed: Claimed;
  readonly #attempts: number;
  #invoke: (job: Job<any>) => unknown;
  #runs = 0;

  constructor(step: Step<I, R, A>, input: I, ...[given]: CallArgs<A>) {
    const options = (given ?? {}) as CallOptions<any>;
    const node = step.step;
    if (!node.run) throw new TypeError(`step "${node.name}" has no function`);
    this.#node = node;
    this.#attempts = options.attempts ?? 1;
    this.#claimed = claimOf(node, wire(input), options.attempt ?? 1, Math.max(this.#attempts, options.attempt ?? 1));
    this.#claimed.last_error = options.lastError ?? null;
    this.#claimed.headers = options.headers ?? null;
    this.#memory.checkpoint = options.checkpoint ?? null;
    this.#memory.signals = [...(options.signals ?? [])];
    this.#memory.tx = options.tx;
    if (options.now) this.#memory.now = options.now.getTime();
    const results = node.takes.shape === "none" ? [] : [wire((options as { results?: unknown }).results)];
    this.#invoke = (job) => node.run!(job, ...(node.over ? [(this.#claimed.inputs as { element: unknown }).element] : []), ...results);
  }

  /** of makes the function run as a map's function for one element. */
  of(element: unknown, index = 0): this {
    this.#claimed.inputs = { element: wire(element), index };
    this.#claimed.step_uuid = stepUUID(this.#node, index);
    return this;
  }

  /** by replaces the function by another function. The in-memory run of a workflow uses it. */
  by(run: (job: Job<any>) => unknown, change: (claimed: Claimed) => void = () => {}): this {
    this.#invoke = run;
    change(this.#claimed);
    return this;
  }

  /** send sends a signal, which the function takes at its next wait for it. Conditions in the waits of durable functions are not
   * evaluated. */
  send<N extends string, P>(signal: Signal<N, P> | Event<N, P>, payload: NoInfer<P>): this {
    this.#memory.signals.push({ ...sent(signal, payload), sent_at: this.now.toISOString() });
    return this;
  }

  /** advance moves the clock, such as to the timeout of a wait. */
  advance(duration: Duration): this {
    this.#memory.now += seconds(duration) * 1000;
    return this;
  }

  get now(): Date {
    return new Date(this.#memory.now);
  }

  /** runs returns how often the function has run. */
  get runs(): number {
    return this.#runs;
  }

  /** attempt is the number of the running attempt, or of the last attempt. */
  get attempt(): number {
    return this.#claimed.attempt;
  }

  /** kept are the names of the calls that the function has kept. */
  get kept(): string[] {
    return this.#memory.kept.map(({ name }) => name);
  }

  /** lastCheckpoint is the value that the function has saved with job.checkpoint. */
  get lastCheckpoint(): unknown {
    return this.#memory.checkpoint;
  }

  /** places are the places where a worker may be lost. crashEverywhere uses them. */
  get places(): readonly string[] {
    return this.#memory.places;
  }

  /** crashAt lets the worker be lost once at a place. */
  crashAt(place: number): this {
    this.#memory.crashAt = place;
    return this;
  }

  /** run runs the function until it has ended. It throws the error that the function throws, and Waiting if the function waits for a
   * signal. The test then sends the signal, or moves the clock, and calls run again. */
  async run(): Promise<R> {
    const memory = this.#memory;
    const source = new TestSource(memory);
    for (let left = mostRuns; left > 0; left--) {
      if (memory.waits && !memory.resume(true)) throw new Waiting(`step "${this.#node.name}" waits for ${memory.waits.signals.join(" or ")}`);
      const { kept, round, state } = memory;
      const claimed: Claimed = {
        ...wire({ ...this.#claimed, checkpoint: memory.checkpoint }), parent_results: this.#claimed.parent_results,
        kept: kept.length > 0 || round > 0 ? { round, count: kept.length, results: wire(kept), state: wire(state ?? null) } : null,
      };
      const job = new Job<any>(claimed, source);
      let failure: { error: unknown } | undefined;
      this.#runs++;
      const onError = (error: unknown): void => void (failure = { error });
      const ended = await attempt({ job, step: claimed, unjudged: false }, { run: this.#invoke, input: (context) => context },
        { logger: quiet, onError, permanent: [], retryAfter: [] });
      await job.rollback();
      if (job.left) throw job.left; // No other build is there.
      if (memory.diverged !== undefined) throw new Error(memory.diverged);
      if (memory.lost) {
        memory.lost = false; // Another worker takes over, and the attempt does not count.
        continue;
      }
      if (memory.committed !== undefined) return parse(memory.committed) as R;
      if (ended === undefined || ended instanceof Error) continue;
      if (ended.error === undefined) return parse(ended.result!) as R;
      if (ended.permanent || this.#claimed.attempt >= this.#attempts) throw failure ? failure.error : new Error(ended.error);
      this.#claimed.attempt++;
      this.#claimed.last_error = ended.error;
    }
    throw new Error(`step "${this.#node.name}" does not end`);
  }
}

const none = "00000000-0000-0000-0000-000000000000";

/** stepUUID is the same in every run of a test, so that the keys of calls are the same, too. */
function stepUUID(node: Node, index?: number): string {
  return uuid5(none, `${node.prefix}/${node.name}${index === undefined ? "" : `/${index}`}`);
}

function claimOf(node: Node, context: unknown, attempt: number, attempts: number): Claimed {
  return {
    step_uuid: stepUUID(node), claim_no: 1, task_uuid: uuid5(none, node.prefix),
    namespace: "test", task_name: node.prefix, task_version: "test", name: node.name, handler: String(node.fields["handler"]), attempt, max_attempts: attempts,
    lost_count: 0, timeout_seconds: null, correlation_id: randomUUID(), headers: null, inputs: null, checkpoint: null, last_error: null, context,
    parent_results: null, kept: null,
  };
}

/** crashEverywhere runs a function once without a crash, and then once for each place where a worker may be lost: before and after each
 * result that the function keeps. At that place the function runs again from the top, as in another worker. Every run must have the same
 * result, and judge checks the effects of the run, such as that a bank was charged once for each key. make returns the function with its
 * signals and new fakes of its services. */
export async function crashEverywhere<I, R, A>(
  make: () => Function<I, R, A>, judge: (f: Function<I, R, A>, result: R, place: string) => void | Promise<void> = () => {},
): Promise<void> {
  const whole = make();
  const expected = await whole.run();
  await judge(whole, expected, "nowhere");
  for (const [at, place] of whole.places.entries()) {
    const f = make().crashAt(at);
    const result = await f.run();
    if (stringify(result) !== stringify(expected)) throw new Error(`lost ${place}, the function returns ${stringify(result)} instead of ${stringify(expected)}`);
    await judge(f, result, place);
  }
}

export interface RunOptions {
  signals?: Sent[];
  /** The return value of job.tx(). Without it job.tx() fails. */
  tx?: Queryable;
  /** Whether a wait times out if the test does not send its signal. Default: the run stops there, and its report says so. */
  timeouts?: boolean;
  /** The time at which the workflow begins. */
  now?: Date;
}

/** Report is the outcome of a workflow in the memory of a test. */
export interface Report<I, O> {
  readonly state: "complete" | "blocked_by_failures" | "error" | "waiting";
  /** Names of steps, in the order in which they reached this state. */
  readonly done: string[];
  readonly skipped: string[];
  readonly undone: string[];
  /** Steps that lost a race, or had not begun when the task was undone. */
  readonly cancelled: string[];
  /** The failures for which other steps waited, the first failure first. */
  readonly failures: readonly Failure[];
  readonly failed: string | undefined;
  readonly error: unknown;
  readonly waiting: string | undefined;
  /** The time of the end, by the workflow's clock. */
  readonly now: Date;
  /** of returns the result of a step, undefined if the step has none. */
  of<R>(step: Dep<I, R>): R | undefined;
  /** result returns the result of the workflow. It throws the error of the failed step, or Waiting. */
  result(): O;
}

/** run runs a whole workflow in the memory of a test, one step after the other: with its conditions, maps, children, waits, retries,
 * failure branches, races and undos. It does not wait for time to pass. */
export async function run<I, O>(of: Returning<I, any, O>, input: I, options: RunOptions = {}): Promise<Report<I, O>> {
  const memory = new Running(of.workflow as Graph, options);
  await memory.run(wire(input));
  const { branches } = memory;
  const value = (node: Node): unknown => (memory.results.has(node.name) ? resultOf(node, memory.results.get(node.name)) : undefined);
  return {
    state: memory.waiting ? "waiting" : memory.failed === undefined ? "complete" : of.workflow.config.onFailure === "fail" ? "error" : "blocked_by_failures",
    done: memory.done.map(({ name }) => name), skipped: branches.of("skipped", "timed out"),
    cancelled: branches.of("cancelled", ...(memory.undone.length > 0 ? (["pending", "ready"] as const) : [])),
    failures: branches.failures.filter(({ step }) => branches.state.get(step) === "failed"), undone: memory.undone, failed: memory.failed, error: memory.error,
    waiting: memory.waiting, now: new Date(memory.now), of: (step) => value(step.step) as any,
    result(): O {
      if (memory.waiting) throw new Waiting(`step "${memory.waiting}" waits: pass its signal in signals`);
      if (memory.failed !== undefined) throw memory.error;
      const last = of.last!;
      return ("one" in last ? value(last.one) : Object.fromEntries(Object.entries(last.several).map(([alias, node]) => [alias, value(node)]))) as O;
    },
  };
}

/** Running is a task in memory. */
class Running {
  readonly results = new Map<string, unknown>();
  readonly done: Node[] = [];
  declare branches: Branches;
  readonly undone: string[] = [];
  failed: string | undefined;
  error: unknown;
  waiting: string | undefined;
  now: number;
  readonly #signals: Sent[];
  #attempts = 1; // of the last step

  constructor(readonly graph: Graph, readonly options: RunOptions) {
    this.now = options.now?.getTime() ?? begin;
    this.#signals = [...(options.signals ?? [])];
  }

  async run(input: unknown): Promise<void> {
    const context = await check(this.graph.config.input, input);
    const { onFailure } = this.graph.config;
    const branches = (this.branches = new Branches(this.graph.steps, onFailure === "halt", (node, at) => this.#holds(node.deps[at]!)));
    const errors = new Map<string, unknown>();
    for (let node = branches.next(); node; node = branches.next()) {
      try {
        const result = await this.#step(node, context);
        this.results.set(node.name, result === undefined ? null : wire(result));
        this.done.push(node);
        branches.state.set(node.name, "complete");
      } catch (error) {
        if (error instanceof Skipped) branches.state.set(node.name, "timed out");
        else if (error instanceof Waiting) branches.state.set(node.name, "waiting");
        else {
          errors.set(node.name, error);
          branches.failed({ step: node.name, error: textOf(error), attempts: this.#attempts, failed_at: new Date(this.now).toISOString() });
        }
      }
    }
    this.waiting = branches.of("waiting")[0];
    this.failed = branches.failures.find(({ step }) => branches.state.get(step) === "error" || (branches.state.get(step) === "failed" && onFailure === "fail"))?.step;
    if (this.failed === undefined) return;
    this.error = errors.get(this.failed);
    if (onFailure === "fail" && this.waiting === undefined) await this.#undo(context);
  }

  #holds({ step, condition, test }: Dep<any, any>): boolean {
    if (!this.results.has(step.name)) return false;
    if (condition === undefined) return true;
    if (!test) throw new Error(`the condition ${condition} is text for the database: write it as a function to run it in memory`);
    return test(resultOf(step, this.results.get(step.name))).holds;
  }

  async #child({ of }: NonNullable<Node["child"]>, input: unknown): Promise<unknown> {
    const child = new Running(of, { ...this.options, now: new Date(this.now), signals: this.#signals });
    await child.run(wire(input));
    this.now = child.now;
    if (child.waiting) throw new Waiting(child.waiting);
    if (child.failed !== undefined) throw new TaskFailed("in memory", "error", child.failed, textOf(child.error));
    const last = child.done.filter((d) => !of.steps.some((s) => s.deps.some(({ step }) => step === d)));
    return Object.fromEntries(last.map(({ name }) => [name, child.results.get(name)]));
  }

  async #step(node: Node, context: any): Promise<unknown> {
    this.#attempts = 1;
    if (node.waits) return this.#wait(node);
    const found = Object.fromEntries(this.results);
    if (node.child && !node.over) return this.#child(node.child, node.child.context(context, node.takes.shape === "none" ? undefined : taken(node, found)));
    if (node.on !== undefined) return this.#call(node, context, found, { failures: wire(this.branches.above(node)) });
    if (!node.over) return this.#call(node, context, found, null);
    const { step, of } = node.over;
    const elements = (step ? of(resultOf(step, this.results.get(step.name))) : of(context)) as unknown[];
    const results: unknown[] = [];
    let allowed = Number(node.fields["allow_failures"] ?? 0);
    for (const [index, element] of elements.entries()) {
      try {
        results.push((await (node.child ? this.#child(node.child, element) : this.#call(node, context, found, { element: wire(element), index }))) ?? null);
      } catch (error) {
        if (error instanceof Waiting || allowed-- <= 0) throw error;
        results.push(null);
      }
    }
    return results;
  }

  async #call(node: Node, context: unknown, found: Record<string, unknown>, inputs: object | null, run = invoke): Promise<unknown> {
    const retry = (node.fields["retry"] ?? {}) as { max_attempts?: number; retryable?: boolean };
    const options = { now: new Date(this.now), signals: this.#signals, attempts: retry.retryable === false ? 1 : (retry.max_attempts ?? 3), results: undefined };
    const f = new Function({ step: node } as Step<any, unknown, any>, context, { ...options, ...(this.options.tx ? { tx: this.options.tx } : {}) });
    f.by((job) => run(node, job), (claimed) => Object.assign(claimed, { inputs, parent_results: found, step_uuid: stepUUID(node, (inputs as { index?: number } | null)?.index) }));
    try {
      return await f.run();
    } finally {
      [this.now, this.#attempts] = [f.now.getTime(), f.attempt];
    }
  }

  async #wait(node: Node): Promise<unknown> {
    for (const on of node.waits!) {
      if (typeof on !== "object") continue;
      if (on.condition !== undefined && !on.test) throw new Error(`the condition ${on.condition} is text for the database: write it as a function to run it in memory`);
      const at = this.#signals.findIndex(({ by, name, payload }) => name === on.name && (by === "event") === isEvent(on) && (on.test?.(payload).holds ?? true));
      if (at >= 0) {
        const { payload, ...came } = this.#signals.splice(at, 1)[0]!;
        return { sent_at: new Date(this.now).toISOString(), ...came, payload: await check(on.schema, payload) };
      }
    }
    const times = node.waits!.flatMap((on): [number, string][] => (typeof on === "object" ? [] : [[seconds(on), "for"]]));
    const { timeout, on_timeout } = node.fields as { timeout?: Duration; on_timeout?: string };
    if (timeout !== undefined && (times.length > 0 || this.options.timeouts)) times.push([seconds(timeout), "timeout"]);
    const [first, by] = times.sort(([a], [b]) => a - b)[0] ?? [undefined, ""];
    if (first === undefined) throw new Waiting(node.name);
    this.now += first * 1000;
    if (by !== "timeout" || on_timeout === "complete") return { by };
    if (on_timeout === "skip") throw new Skipped();
    throw new Error(`the wait of step "${node.name}" has timed out`);
  }

  /** #undo undoes the finished and the begun steps, the last step first. */
  async #undo(context: unknown): Promise<void> {
    const begun = this.graph.steps.filter((node) => node.undoing && (this.done.includes(node) || this.branches.failures.some(({ step }) => step === node.name))).reverse();
    for (const node of begun) {
      const known = this.results.has(node.name);
      const each = node.over && known ? (this.results.get(node.name) as unknown[]) : [undefined];
      const elements = node.over && known ? ((node.over.step ? node.over.of(resultOf(node.over.step, this.results.get(node.over.step.name))) : node.over.of(context)) as unknown[]) : [];
      for (const [index, result] of [...each.entries()].reverse()) {
        const inputs = { step: node.name, ...(known ? { result: node.over ? result : this.results.get(node.name) } : { result_unknown: true }), initialization: { element: elements[index], index } };
        await this.#call(node, context, {}, inputs, undo as typeof invoke);
      }
      this.undone.push(node.name);
    }
  }
}

class Skipped extends Error {}

/** ScratchDatabase is a database for one test. */
export interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** scratchDatabase creates a copy of a template database with pgtasker's schema, in a fraction of a second. on is connected to another
 * database of the same server. The template must have no connections meanwhile. */
export async function scratchDatabase(on: Pick<Pool, "query">, url: string, template: string): Promise<ScratchDatabase> {
  const name = `pgtasker_test_${randomBytes(6).toString("hex")}`;
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  await on.query(`create database ${quoted(name)} template ${quoted(template)}`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return { url: made.href, drop: async () => void (await on.query(`drop database if exists ${quoted(name)} with (force)`)) };
}
