import {
  type After, type AnswerOf, type Args, type Awaitable, awaited, Declared, type Dep, type Duration, type Event, type Got, type Last, lastOf, MapStep, type Node, type On,
  type OnlyJson, prune, recorderOf, type Rest, type Run, seconds, type Signal, type Source, Step, type Takes, takesOf, type WaitTimedOut,
} from "./graph.js";
import { type ByKeyOptions, type Caller, type EmitOptions, emitEvent, signalByKey, type StartOptions, startTask, TaskHandle, transportOf } from "./handle.js";
import type { Job } from "./job.js";
import { at, holdsPath, pathOf, recorder } from "./paths.js";
import { jsonSchema, type Schema } from "./schema.js";

/** Identity says how a repeated start of a task is recognised: by its input (the default), by the caller's key, or not at all. */
export type Identity = "input" | "key" | "new";

export interface Config<I, K extends Identity> {
  namespace: string;
  name: string;
  version: string;
  input: Schema<I>;
  /** Lets the database refuse a task whose input does not fit: true if the library of input can export JSON Schema (zod 4 can), or a JSON
   * Schema. */
  checkInput?: boolean | object;
  identity?: K;
  onFailure?: "continue" | "halt" | "fail";
  /** Before an undo the steps in progress are cancelled (the default), or awaited. */
  onUndo?: "cancel" | "drain";
  description?: string;
}

/** Retry says how often and when a step is tried again, with times in seconds. With false the step is never tried again. */
export type RetryOptions = { attempts?: number; base?: number; factor?: number; max?: number; constant?: boolean } | false;

export interface StepOptions<I> {
  description?: string;
  timeout?: Duration;
  /** How long the step may wait for a worker before it fails for good. */
  startWithin?: Duration;
  priority?: number;
  retry?: RetryOptions;
  /** The limit that the step waits for. */
  limit?: string;
  /** The field of the input whose values have separate limits. */
  limitKey?: (input: I) => string | number | boolean;
  /** Further limits: the step takes units of all limits, or of none. */
  limits?: readonly LimitOptions<I>[];
}

/** LimitOptions is one of several limits of a step, the field whose values have separate limits, and how many units the step takes. */
export interface LimitOptions<I> {
  limit: string;
  key?: (input: I) => string | number | boolean;
  units?: number;
  /** The field with the number of the key's steps that may run at once. The creation of a task sets this number, at most boundMax. */
  bound?: (input: I) => number | null | undefined;
  boundMax?: number;
  /** The step keeps the units of all its limits until its run ends, over retries, sleeps and waits. */
  wholeRun?: boolean;
}

/** Trigger is an event that starts or cancels tasks. */
interface Trigger {
  event: Event<string, any>;
  context?: ((payload: any) => unknown) | undefined;
  identity?: ((payload: any) => unknown) | undefined;
}

/** Schedule says when a workflow starts automatically. */
export type Schedule<I> = ({ cron: string; every?: never; timezone?: string } | { every: Duration; cron?: never; timezone?: never }) & {
  input: I;
  overlap?: "allow" | "skip" | "queue_one";
  catchUp?: "skip" | "one" | "all";
};

/** workflow begins a workflow: its steps are added in the order in which they depend on each other. */
export function workflow<I, const K extends Identity = "input">(config: Config<I, K>): Workflow<I, K> {
  return new Workflow(config);
}

type Context<I, CI, A> = (input: I, ...results: Rest<A>) => NoInfer<CI>;
type StartArgs<K> = K extends "key" ? [options: StartOptions & { key: string }] : [options?: StartOptions];

/** Workflow is a graph of steps with the input I. */
export class Workflow<I, K extends Identity = Identity> {
  readonly steps: Node[] = [];
  readonly schedules: Record<string, Schedule<I>> = {};
  readonly #starters: Trigger[] = [];
  readonly #cancellers: Trigger[] = [];
  readonly prefix: string;

  constructor(readonly config: Config<I, K>) {
    this.prefix = `${config.namespace}.${config.name}:${config.version}`;
  }

  /** step adds a step: its function gets the job and, in the shape of after, the results of the steps before it. */
  step<R>(name: string, run: ((job: Job<I>) => Awaitable<R>) & OnlyJson<R>): Step<I, R, undefined>;
  step<R, const A extends After<I> | undefined = undefined>(
    name: string, options: StepOptions<I> & { after?: A }, run: ((...args: Args<I, A>) => Awaitable<R>) & OnlyJson<R>,
  ): Step<I, R, A>;
  step(name: string, options: any, run?: Run): any {
    if (typeof options === "function") return new Step(this.#add(name, {}, { run: options }));
    if (typeof run !== "function") throw new TypeError(`step "${name}" of ${this.prefix} has no function`);
    return new Step(this.#add(name, options, { run }));
  }

  /** declare adds a step without its function. Another module passes the function to implement. With handler, another program runs the
   * step. */
  declare<R, const A extends After<I> | undefined = undefined>(
    name: string, options: StepOptions<I> & { after?: A; result: Schema<R>; handler?: string },
  ): Declared<I, R, A> {
    const { handler, result: _, ...others } = options;
    return new Declared(this.#add(name, others, {}, handler === undefined ? {} : { handler })) as Declared<I, R, A>;
  }

  /** map adds a step whose function runs for each element of an array. With allowFailures its results may be null. */
  map<E, R, const A extends After<I> | undefined = undefined, const F extends number | undefined = undefined>(
    name: string, options: StepOptions<I> & { over: Source<I, E>; after?: A; maxParallel?: number; allowFailures?: F },
    run: ((job: Job<I> & { readonly index: number }, element: NoInfer<E>, ...results: Rest<A>) => Awaitable<R>) & OnlyJson<R>,
  ): MapStep<I, E, R, F extends number ? R | null : R, A> {
    const { over, maxParallel, allowFailures, ...others } = options;
    const fields = { for_each: forEachOf(over), max_parallel: maxParallel, allow_failures: allowFailures };
    return new MapStep(this.#add(name, others, { run: run as Run, over: { step: over.step, of: over.of } }, fields)) as any;
  }

  /** each returns the elements of an array of the context, for a map. */
  each<E>(of: (input: I) => readonly E[]): Source<I, E> {
    return { path: pathOf(of(recorder())), of };
  }

  /** wait adds a step that waits for a signal, an event, some time, or the first of several alternatives. */
  wait<const S extends On<I> | readonly On<I>[], const A extends After<I> | undefined = undefined, const T extends "fail" | "skip" | "complete" = "fail">(
    name: string, on: S, options: { after?: A; timeout?: Duration; onTimeout?: T; assignee?: string; description?: string } = {},
  ): Step<I, AnswerOf<S> | ("complete" extends T ? WaitTimedOut : never), A> {
    const { timeout, onTimeout, assignee, ...others } = options;
    const all = (Array.isArray(on) ? on : [on]) as On[];
    const fields = { await: all.length === 1 ? awaited(all[0]!) : all.map(awaited), timeout, on_timeout: onTimeout, assignee };
    return new Step(this.#add(name, others, { waits: all }, fields)) as any;
  }

  /** child adds a step that starts a task of another workflow and returns its result. Fields of its context are values, fields
   * of the context of the task, or fields of results. */
  child<CI, CO, const A extends After<I> | undefined = undefined>(
    name: string, of: Returning<CI, any, CO>,
    options: { after?: A; context: Context<I, CI, A>; abandon?: boolean; timeout?: Duration; onTimeout?: "fail" | "skip"; retry?: RetryOptions; description?: string },
  ): Step<I, CO, A> {
    const { context, abandon, timeout, onTimeout, ...others } = options;
    const { takes } = takesOf(others.after);
    const fields = { task: this.#task(name, of, contextOf(context as Run, takes, name), abandon), timeout, on_timeout: onTimeout };
    return new Step(this.#add(name, others, { child: { of: of.workflow, last: of.last, context: context as any } }, fields)) as any;
  }

  /** eachChild adds a step that starts a task of another workflow for each element of an array, whose input is the element. The results are
   * in the order of the elements. With allowFailures the result of a task that failed is null. */
  eachChild<CI, CO, const F extends number | undefined = undefined>(
    name: string, of: Returning<CI, any, CO>,
    options: {
      over: Source<I, CI>; after?: After<I>; maxParallel?: number; allowFailures?: F; abandon?: boolean; timeout?: Duration; onTimeout?: "fail" | "skip";
      retry?: RetryOptions; description?: string;
    },
  ): Step<I, (F extends number ? CO | null : CO)[]> {
    const { over, maxParallel, allowFailures, abandon, timeout, onTimeout, ...others } = options;
    const fields = {
      for_each: forEachOf(over), max_parallel: maxParallel, allow_failures: allowFailures,
      task: this.#task(name, of, { path: "$inputs.element" }, abandon), timeout, on_timeout: onTimeout,
    };
    const child = { of: of.workflow, last: of.last, context: (element: unknown) => element };
    return new Step(this.#add(name, others, { child, over: { step: over.step, of: over.of } }, fields)) as any;
  }

  #task(name: string, of: Returning<any, any, any>, context: object | undefined, abandon: boolean | undefined): object {
    const { namespace, name: task, version } = of.workflow.config;
    for (const node of nodesOf(of.last)) {
      const later = of.workflow.steps.find((s) => s.deps.some((d) => d.step === node));
      if (later) throw new Error(`step "${name}" of ${this.prefix}: "${node.name}" of ${of.workflow.prefix} is none of its last steps, "${later.name}" comes after it`);
    }
    return prune({ namespace, name: task, version, context, abandon });
  }

  /** schedule makes the workflow start automatically. register stores the schedule in the database. */
  schedule(name: string, schedule: Schedule<I>): void {
    if (this.schedules[name]) throw new Error(`${this.prefix} has two schedules "${name}"`);
    this.schedules[name] = schedule;
  }

  /** startOn starts a task when the event is emitted, in the transaction that emits the event. The input of the task is the payload, or is
   * made from the payload: each field is a value, or a field of the payload. For a workflow whose identity is "key", identity leads to the
   * key of the task. Without identity the key of the event is the key of the task. If the event has a text as its key, another key starts
   * no task. */
  startOn<N extends string>(event: Event<N, I, any>, options?: { identity?: (payload: I) => string | number | boolean; context?: never }): void;
  startOn<N extends string, P>(event: Event<N, P, any>, options: { context: (payload: P) => NoInfer<I>; identity?: (payload: P) => string | number | boolean }): void;
  startOn(event: Event<string, any>, options: Omit<Trigger, "event"> = {}): void {
    this.#starters.push({ event, ...options });
  }

  /** cancelOn cancels the open task of a key when the event is emitted, in the transaction that emits the event. The key is the key of the
   * event, or identity leads to it. */
  cancelOn<N extends string, P>(event: Event<N, P, any>, options: { identity?: (payload: P) => string | number | boolean } = {}): void {
    this.#cancellers.push({ event, ...options });
  }

  /** returns returns the workflow with the result of its tasks: the result of a step, or of several steps by name. */
  returns<const D extends Dep<I, any> | { readonly [alias: string]: Dep<I, any> }>(last: D): Returning<I, K, Got<D>> {
    const made = lastOf(last);
    for (const node of nodesOf(made)) if (!this.steps.includes(node)) throw new Error(`step "${node.name}" is not one of ${this.prefix}`);
    return new Returning(this, made);
  }

  /** register registers the template and its schedules. Returns whether the version is new. A version that is already registered with other
   * content is refused, and the error has the differences. */
  async register(on: Caller): Promise<boolean> {
    const to = transportOf(on);
    const { created } = await to.call<{ created: boolean }>("POST", "/v1/templates", this.template());
    for (const [name, s] of Object.entries(this.schedules)) {
      await to.call("PUT", `/v1/schedules/${encodeURIComponent(this.config.namespace)}/${encodeURIComponent(name)}`, prune({
        task_name: this.config.name, task_version: this.config.version, context: s.input, cron: s.cron,
        every_seconds: s.every === undefined ? undefined : seconds(s.every), timezone: s.timezone, overlap: s.overlap, catch_up: s.catchUp,
      }));
    }
    return created;
  }

  /** start creates a task, in the caller's own transaction if on is one. */
  async start(on: Caller, input: I, ...options: StartArgs<K>): Promise<TaskHandle<I, unknown>> {
    return new TaskHandle(on, await startTask(on, this.config, input, options[0]), undefined);
  }

  /** handle returns a task that was started before. */
  handle(on: Caller, taskUUID: string): TaskHandle<I, unknown> {
    return new TaskHandle(on, taskUUID, undefined);
  }

  /** sendByKey sends a signal to the task with this key, and starts the task with the input start if there is none. */
  async sendByKey<N extends string, P>(on: Caller, key: string, signal: Signal<N, P>, payload: NoInfer<P>, options: ByKeyOptions<I> = {}): Promise<string> {
    return signalByKey(on, this.config, key, signal, payload, options);
  }

  /** emit emits an event to all steps of the workflow's namespace that wait for it. Returns false if the idempotency key is known. */
  async emit<N extends string, P>(on: Caller, event: Event<N, P, any>, payload: NoInfer<P>, options: EmitOptions = {}): Promise<boolean> {
    return emitEvent(on, this.config.namespace, event, payload, options);
  }

  /** template is the workflow as the database registers it. */
  template(): object {
    const { namespace, name, version, description, identity, onFailure, onUndo, checkInput, input } = this.config;
    const inputSchema = typeof checkInput === "object" ? checkInput : checkInput ? jsonSchema(input) : undefined;
    if (checkInput && !inputSchema) throw new TypeError(`${this.prefix} checks its input, whose schema its library does not say as JSON Schema: give checkInput one`);
    return prune({
      namespace, name, version, description, on_failure: onFailure, on_undo: onUndo, input_schema: inputSchema,
      start_on: this.#starters.length > 0 ? this.#starters.map(triggerOf) : undefined,
      cancel_on: this.#cancellers.length > 0 ? this.#cancellers.map(triggerOf) : undefined,
      identity_strategy: identity === "key" ? "caller_provided" : identity === "new" ? "always_unique" : undefined,
      steps: this.steps.map((node) => ({ name: node.name, ...node.fields })),
    });
  }

  #add(name: string, options: StepOptions<I> & { after?: unknown }, node: Partial<Node>, fields: Record<string, unknown> = {}): Node {
    if (this.steps.some((s) => s.name === name)) throw new Error(`${this.prefix} has two steps "${name}"`);
    if (name.includes(".") && !("handler" in fields || "await" in fields || "task" in fields)) {
      throw new Error(`step "${name}" of ${this.prefix} has a dot in its name, where a version's handler could be taken for another's`);
    }
    const { takes, deps, join, on } = takesOf(options.after);
    if (node.over?.step && !deps.some((d) => d.step === node.over!.step)) deps.push({ step: node.over.step });
    for (const dep of deps) {
      if (!this.steps.includes(dep.step)) throw new Error(`step "${name}" comes after "${dep.step.name}", which is not one of ${this.prefix}`);
    }
    const dependencies = new Map<string, string | object>();
    for (const { step, condition: when } of deps) dependencies.set(step.name, on === undefined && when === undefined ? step.name : prune({ step: step.name, on, when }));
    const { retry, timeout } = options;
    const added: Node = {
      ...node, name, prefix: this.prefix, deps, takes, on,
      fields: prune({
        handler: "await" in fields || "task" in fields ? undefined : `${this.prefix}.${name}`,
        description: options.description, dependencies: deps.length > 0 ? [...dependencies.values()] : undefined, join,
        timeout_seconds: timeout === undefined ? undefined : seconds(timeout), start_within: options.startWithin, priority: options.priority,
        ...limitsOf(options),
        retry: retryOf(retry), ...fields,
      }),
    };
    this.steps.push(added);
    return added;
  }
}

/** Returning is a workflow whose tasks return an O. */
export class Returning<I, K extends Identity, O> {
  declare readonly "~returns"?: () => O;

  constructor(readonly workflow: Workflow<I, K>, readonly last: Last) {}

  register(on: Caller): Promise<boolean> {
    return this.workflow.register(on);
  }

  /** start creates a task, in the caller's own transaction if on is one. */
  async start(on: Caller, input: I, ...options: StartArgs<K>): Promise<TaskHandle<I, O>> {
    return new TaskHandle(on, await startTask(on, this.workflow.config, input, options[0]), this.last);
  }

  /** sendByKey sends a signal to the task with this key, and starts the task with the input start if there is none. */
  sendByKey<N extends string, P>(on: Caller, key: string, signal: Signal<N, P>, payload: NoInfer<P>, options: ByKeyOptions<I> = {}): Promise<string> {
    return this.workflow.sendByKey(on, key, signal, payload, options);
  }

  /** emit emits an event to all steps of the workflow's namespace that wait for it. Returns false if the idempotency key is known. */
  emit<N extends string, P>(on: Caller, event: Event<N, P, any>, payload: NoInfer<P>, options: EmitOptions = {}): Promise<boolean> {
    return this.workflow.emit(on, event, payload, options);
  }

  /** handle returns a task that was started before. */
  handle(on: Caller, taskUUID: string): TaskHandle<I, O> {
    return new TaskHandle(on, taskUUID, this.last);
  }
}

/** nodesOf returns the steps whose results a task returns. */
export function nodesOf(last: Last): Node[] {
  if (last === undefined) return [];
  return "one" in last ? [last.one] : Object.values(last.several);
}

function retryOf(retry: RetryOptions | undefined): object | undefined {
  if (retry === undefined) return undefined;
  if (retry === false) return { retryable: false };
  const { attempts, base, factor, max, constant } = retry;
  return prune({ max_attempts: attempts, base_seconds: base, multiplier: factor, max_seconds: max, backoff: constant ? "constant" : undefined });
}

/** limitsOf returns the limits of a step in the form of its template: the first limit has separate fields. */
function limitsOf({ limit, limitKey, limits = [] }: StepOptions<any>): object {
  if (limit === undefined && limitKey) throw new TypeError("limitKey is of a limit: name it");
  const all: readonly LimitOptions<any>[] = limit === undefined ? limits : [{ limit, ...(limitKey ? { key: limitKey } : {}) }, ...limits];
  const [first, ...others] = all.map(({ limit, key, units, bound, boundMax }) => prune({
    limit, limit_key: key && pathOf(key(recorder())), limit_units: units, limit_bound: bound && pathOf(bound(recorder())), limit_bound_max: boundMax,
  }));
  return { ...first, limits: others.length > 0 ? others : undefined, limit_hold: all.some(({ wholeRun }) => wholeRun) ? "run" : undefined };
}

/** triggerOf returns an event that starts or cancels tasks in the form of a template. */
function triggerOf({ event: { name, key, condition }, context, identity }: Trigger): object {
  return prune({
    event: name, key: typeof key === "string" ? key : undefined, when: condition,
    context: context && fieldsOf(context(recorder()), "the input that an event makes"), identity: identity && pathOf(identity(recorder())),
  });
}

/** forEachOf returns the array of a map in the form of a template. */
function forEachOf({ step, path }: Source<any, any>): string | object {
  return step === undefined ? path : path === "$" ? { step: step.name } : { step: step.name, path };
}

/** contextOf returns the context of a child in the form of its template. */
function contextOf(context: Run, takes: Takes, step: string): object | undefined {
  const results = takes.of.map(([alias, node]) => [alias, recorderOf(node, node.name)] as const);
  const given = takes.shape === "one" ? results[0]![1] : takes.shape === "array" ? results.map(([, r]) => r) : Object.fromEntries(results);
  return fieldsOf(context(recorder(), given), `the context of "${step}"`);
}

/** fieldsOf returns an object whose fields are values and paths, in the form of a template. It returns undefined if the object is the root
 * of the paths. */
function fieldsOf(made: unknown, what: string): object | undefined {
  const whole = at(made);
  if (whole) {
    if (whole.path !== "$") throw new TypeError(`${what} is a whole input, a whole result, or an object of fields`);
    return whole.step === undefined ? undefined : { step: whole.step };
  }
  return Object.fromEntries(Object.entries(made as object).map(([field, value]) => {
    const found = at(value);
    if (found) return [field, found.step === undefined ? found.path : { step: found.step, path: found.path }];
    if (holdsPath(value)) throw new TypeError(`field "${field}" of ${what} holds a path: only a whole field can be one`);
    const literal = (typeof value === "object" && value !== null) || (typeof value === "string" && value.startsWith("$"));
    return [field, literal ? { value } : value];
  }));
}
