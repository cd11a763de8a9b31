// This module has the values of which a workflow is made. A step is a value, and the steps that depend on it take this value as an
// argument. So a program with a misspelt step, a wrong type or a cycle does not compile.

import type { Job } from "./job.js";
import { type Condition, pathOf, recorder, textOfWhen, type When } from "./paths.js";
import { jsonSchema, type Schema } from "./schema.js";

/** Duration is a number of seconds, or a text such as "90s", "30m", "12h", "3d" or "2w". */
export type Duration = number | `${number}${"s" | "m" | "h" | "d" | "w"}`;

export function seconds(duration: Duration): number {
  if (typeof duration === "number") return duration;
  return Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[duration.slice(-1) as "s" | "m" | "h" | "d" | "w"];
}

type Scalar = string | number | boolean | bigint | null | undefined | void;
type NoJson = Date | Map<any, any> | Set<any> | Promise<any> | RegExp | ArrayBuffer | ArrayBufferView | symbol | ((...of: any) => any);

/** Json is T if JSON can represent T. The type of a Date, a Map, a function or a class with methods becomes never. */
export type Json<T> = unknown extends T ? T : T extends Scalar ? T : T extends NoJson ? never : T extends object ? { [K in keyof T]: Json<T[K]> } : never;

/** OnlyJson is added to the type of a function whose result is stored: the program does not compile if R cannot be stored unchanged. */
export type OnlyJson<R> = [R] extends [Json<R>] ? unknown : { "a result must be plain JSON: no Date, Map, Set or function": Json<R> };
export type Awaitable<T> = T | PromiseLike<T>;

export type Run = (...args: any[]) => unknown;

/** Dep is a dependency on a step. It has the type of the step's result, and perhaps a condition on the result. */
export interface Dep<I, R> {
  readonly step: Node;
  readonly condition?: string | undefined;
  readonly test?: ((result: any) => Condition) | undefined;
  readonly "~input"?: (input: I) => I;
  readonly "~result"?: () => R;
}

/** Node is a step without its types. */
export interface Node {
  readonly name: string;
  readonly prefix: string;
  readonly fields: Record<string, unknown>;
  readonly deps: readonly Dep<any, any>[];
  readonly takes: Takes;
  /** If the step is a failure branch: the end of its dependencies that the step waits for. */
  readonly on?: "failed" | "ended" | undefined;
  /** If the step is a map: the array that the map runs over, as a part of the results. */
  readonly over?: { step?: Node | undefined; of: (value: any) => unknown } | undefined;
  readonly waits?: readonly On[] | undefined;
  /** If the step starts a task: the workflow of that task, the steps whose results it returns, and the function that makes its context. */
  readonly child?: { of: Graph; last: Last; context: (input: any, results?: any) => any } | undefined;
  run?: Run | undefined;
  undoing?: Run | undefined;
}

/** Graph is a workflow without its types. */
export interface Graph {
  readonly config: { namespace: string; name: string; version: string; input: Schema<any>; onFailure?: "continue" | "halt" | "fail" };
  readonly prefix: string;
  readonly steps: readonly Node[];
}

/** Takes describes the results that a function gets from the steps before it. */
export interface Takes {
  readonly shape: "none" | "one" | "array" | "object" | "failures";
  readonly of: readonly (readonly [alias: string, step: Node])[];
  readonly optional: boolean;
}

/** Last is the result of a task: the result of one step, or the results of several steps by name. */
export type Last = { readonly one: Node } | { readonly several: Readonly<Record<string, Node>> } | undefined;

type Many<I> = { readonly [alias: string]: Dep<I, any> } | readonly Dep<I, any>[];

export interface Joined<A> {
  readonly join: "any" | "settled" | "first";
  readonly of: A;
}

/** Ends has the steps, and the kind of their end, that a failure branch waits for. */
export interface Ends<I> {
  readonly on: "failed" | "ended";
  readonly join: "any" | "settled";
  readonly steps: readonly Dep<I, any>[];
}

/** Failure is a step that failed for good. The field error is the error of its last attempt, and failed_at is the time of the failure in
 * the form that JSON uses. */
export type Failure = { readonly step: string; readonly error: string; readonly attempts: number; readonly failed_at: string };

/** After is the type of the dependencies of a step: a step, an array or an object of steps, anyOf, settled or firstOf of steps, or failed
 * or ended. */
export type After<I> = Dep<I, any> | Many<I> | Joined<Dep<I, any> | Many<I>> | Ends<I>;

type ResultOf<D> = D extends Dep<any, infer R> ? R : never;

/** Got is the type of the argument that a step's function gets for its after: a result, or an array or object of results. With anyOf,
 * settled and firstOf each result may be absent. A failure branch gets the failures in the order in which they happened. */
export type Got<A> = A extends Ends<any> ? readonly Failure[] : A extends Joined<infer B>
  ? B extends Dep<any, infer R> ? R | undefined : { -readonly [K in keyof B]: ResultOf<B[K]> | undefined }
  : A extends Dep<any, infer R> ? R : { -readonly [K in keyof A]: ResultOf<A[K]> };

export type Args<I, A> = [A] extends [undefined] ? [job: Job<I>] : [job: Job<I>, results: Got<A>];
export type Rest<A> = [A] extends [undefined] ? [] : [results: Got<A>];

/** Source is the array that a map runs over. */
export interface Source<I, E> {
  readonly path: string;
  readonly of: (value: any) => unknown;
  readonly step?: Node | undefined;
  readonly "~input"?: (input: I) => I;
  readonly "~element"?: () => E;
}

/** Undoing is the argument of an undo function. The result may be unknown, since a step that was begun may have had its effect without
 * returning a result. */
export type Undoing<R> = { readonly known: true; readonly result: R } | { readonly known: false };

/** Step is a step of a workflow. The type I is the input of the workflow, and R is the result of the step. */
export class Step<I, R, A = any> implements Dep<I, R> {
  declare readonly "~input"?: (input: I) => I;
  declare readonly "~result"?: () => R;
  declare readonly "~after"?: A;

  constructor(readonly step: Node) {}

  /** when returns a dependency on the step that is satisfied only if a condition holds for its result. */
  when(condition: When<R>): Dep<I, R> {
    const node = this.step;
    const text = typeof condition === "string" ? condition : textOfWhen(() => condition(recorderOf(node)));
    return { step: node, condition: text, test: typeof condition === "string" ? undefined : condition };
  }

  /** each returns the elements of the step's result, or of a part of the result, for a map. */
  each<E>(this: Step<I, readonly E[]>): Source<I, E>;
  each<E>(of: (result: R) => readonly E[]): Source<I, E>;
  each(of: (result: any) => unknown = (result) => result): Source<I, any> {
    return { step: this.step, path: pathOf(of(recorderOf(this.step))), of };
  }

  /** undo sets the function that undoes the step if its task fails or is cancelled after the step was begun. */
  undo(run: (job: Job<I>, undo: Undoing<R>) => Awaitable<void>): this {
    return undoWith(this, run);
  }
}

/** MapStep runs its function for each element, and returns the results of the elements in order. */
export class MapStep<I, E, R, Out, A = any> extends Step<I, Out[], A> {
  declare readonly "~each"?: () => R;

  undoEach(run: (job: Job<I>, undo: Undoing<R>, element: E) => Awaitable<void>): this {
    return undoWith(this, run);
  }

  override undo(_: never): this {
    throw new Error("a map is undone with undoEach");
  }
}

/** Declared is a step whose function is given elsewhere, by implement. */
export class Declared<I, R, A> extends Step<I, R, A> {
  declare readonly declared: true;
}

function undoWith<S extends Step<any, any>>(to: S, run: Run): S {
  if (to.step.undoing) throw new Error(`step "${to.step.name}" has two functions that undo it`);
  to.step.fields["compensate"] = `undo.${to.step.prefix}.${to.step.name}`;
  to.step.undoing = run;
  return to;
}

type RunOf<S> = S extends Declared<infer I, infer R, infer A> ? (...args: Args<I, A>) => Awaitable<R> : never;

/** implement gives declared steps their functions. The program compiles only if each declared step gets a function of the right type. */
export function implement<const S extends Record<string, Declared<any, any, any>>>(steps: S, runs: { [K in keyof S]: RunOf<S[K]> }): void {
  for (const key of Object.keys(steps)) steps[key]!.step.run = runs[key] as Run;
}

/** anyOf lets a step run once all its dependencies have ended, if at least one is satisfied. */
export function anyOf<const A extends Dep<any, any> | Many<any>>(of: A): Joined<A> {
  return { join: "any", of };
}

/** settled lets a step run when all its dependencies have ended in any way. */
export function settled<const A extends Dep<any, any> | Many<any>>(of: A): Joined<A> {
  return { join: "settled", of };
}

/** firstOf lets a step run as soon as the first of its dependencies is satisfied. The other branches are cancelled. */
export function firstOf<const A extends Many<any>>(of: A): Joined<A> {
  return { join: "first", of };
}

/** failed is for a step that runs because another step failed for good. It runs once all given steps have ended, if one of them failed or
 * could not run because an earlier step failed. Its function gets the failures in the order in which they happened. */
export function failed<I>(step: Dep<I, any>, ...steps: NoInfer<Dep<I, any>>[]): Ends<I> {
  return { on: "failed", join: "any", steps: [step, ...steps] };
}

/** ended is for a step that runs once all given steps have ended in any way. Its function gets an array of the failures, which is empty if
 * no step failed. */
export function ended<I>(step: Dep<I, any>, ...steps: NoInfer<Dep<I, any>>[]): Ends<I> {
  return { on: "ended", join: "settled", steps: [step, ...steps] };
}

// ---- waits

/** Signal is a signal to a task: its name and its payload. */
export interface Signal<N extends string, P> {
  readonly event?: never;
  readonly name: N;
  readonly schema: Schema<P>;
  readonly condition?: string;
  readonly test?: ((payload: any) => Condition) | undefined;
  /** when returns the signal with a condition. A step takes the signal only if the condition holds for the payload. */
  when(condition: When<P>): Signal<N, P>;
}

/** signal names a signal. The sender checks the payload, the database checks as much of it as it can, and the receiver checks it again. */
export function signal<const N extends string, P>(name: N, schema: Schema<P>): Signal<N, P> {
  const made = (condition?: When<P>): Signal<N, P> => ({
    name, schema, ...(condition === undefined ? {} : { condition: textOfWhen(condition), test: typeof condition === "string" ? undefined : condition }),
    when: (when) => made(when),
  });
  return made();
}

/** Event is an event with a payload and a key. It goes to each step of a namespace that waits for its name and key. */
export interface Event<N extends string, P, I = any> {
  readonly event: true;
  readonly name: N;
  readonly schema: Schema<P>;
  readonly key?: string | ((input: I) => string | number | boolean);
  readonly lookBack?: Duration;
  readonly condition?: string;
  readonly test?: ((payload: any) => Condition) | undefined;
  readonly "~input"?: (input: I) => I;
  /** when returns the event with a condition. A step takes the event only if the condition holds for the payload. */
  when(condition: When<P>): Event<N, P, I>;
}

/** event names an event. The option key is the subject of the event: a text, or a field of the input of the waiting workflow. The option
 * lookBack is how long before the beginning of the wait the event may have been emitted. */
export function event<const N extends string, P, I = any>(
  name: N, schema: Schema<P>, options: { key?: string | ((input: I) => string | number | boolean); lookBack?: Duration } = {},
): Event<N, P, I> {
  const made = (condition?: When<P>): Event<N, P, I> => ({
    ...options, event: true, name, schema,
    ...(condition === undefined ? {} : { condition: textOfWhen(condition), test: typeof condition === "string" ? undefined : condition }),
    when: (when) => made(when),
  });
  return made();
}

export function isEvent(on: Signal<string, any> | Event<string, any>): on is Event<string, any> {
  return on.event === true;
}

/** Happened is the answer of a wait that an event has ended. The field sent_at is the time of the event in the form that JSON uses. */
export type Happened<N extends string, P> = { readonly by: "event"; readonly name: N; readonly key: string; readonly payload: P; readonly sent_at: string };
/** Came is the answer of a wait that a signal has ended. The field sent_at is the time of the signal in the form that JSON uses. */
export type Came<N extends string, P> = { readonly by: "signal"; readonly name: N; readonly payload: P; readonly sent_at: string };
export type Paused = { readonly by: "for" };
export type WaitTimedOut = { readonly by: "timeout" };
export type On<I = any> = Signal<string, any> | Event<string, any, I> | Duration;
export type AnswerOf<S> = S extends Event<infer N, infer P, any> ? Happened<N, P> : S extends Signal<infer N, infer P> ? Came<N, P> : S extends Duration ? Paused : S extends readonly (infer X)[] ? AnswerOf<X> : never;

/** awaited returns the signal, event or time that a step waits for, in the form that templates and durable functions use. */
export function awaited(on: On): object {
  if (typeof on !== "object") return { for: on };
  if (isEvent(on)) {
    const key = typeof on.key === "function" ? pathOf(on.key(recorder())) : on.key;
    return prune({ event: on.name, key, when: on.condition, look_back: on.lookBack });
  }
  const schema = jsonSchema(on.schema);
  return prune({ signal: on.name, when: on.condition, schema: schema && Object.keys(schema).length > 0 ? schema : undefined });
}

// ---- types of the results of steps

/** innerOf returns the steps whose results are the result of the task that a step starts. */
function innerOf(node: Node): Last {
  return node.child?.last;
}

/** recorderOf returns a recorder for the result of a step in the form in which the database has the result. */
export function recorderOf(node: Node, step?: string): any {
  if (node.child && node.over) {
    if (step === undefined) throw new TypeError(`step "${node.name}" is a map of tasks: no condition and no map reads its results`);
    return recorder("$", step);
  }
  const inner = innerOf(node);
  const field = (of: Node): any => recorder(pathOf(recorder()[of.name]), step);
  if (inner === undefined) return recorder("$", step);
  if ("one" in inner) return field(inner.one);
  return Object.fromEntries(Object.entries(inner.several).map(([alias, of]) => [alias, field(of)]));
}

/** resultOf returns the result of a step for the value that the database has stored. */
export function resultOf(node: Node, stored: any): unknown {
  const inner = innerOf(node);
  if (inner === undefined) return stored;
  if (node.over && Array.isArray(stored)) return stored.map((one) => (one === null ? null : resultOf({ ...node, over: undefined }, one)));
  if ("one" in inner) return resultOf(inner.one, stored?.[inner.one.name]);
  return Object.fromEntries(Object.entries(inner.several).map(([alias, of]) => [alias, resultOf(of, stored?.[of.name])]));
}

/** takesOf returns the dependencies of an after and their join, and describes the results that the step's function gets for them. */
export function takesOf(after: unknown): { takes: Takes; deps: Dep<any, any>[]; join?: string; on?: Ends<any>["on"] } {
  if (after === undefined) return { takes: { shape: "none", of: [], optional: false }, deps: [] };
  if (isEnds(after)) {
    const { on, join, steps } = after;
    for (const { step, condition } of steps) if (condition !== undefined) throw new TypeError(`a failure of "${step.name}" has no result for the condition ${condition}`);
    return { takes: { shape: "failures", of: [], optional: false }, deps: [...steps], join, on };
  }
  const joined = isJoined(after) ? after : undefined;
  const of = joined ? joined.of : after;
  const join = joined ? { join: joined.join } : {};
  const optional = joined !== undefined;
  if (isDep(of)) return { takes: { shape: "one", of: [["", of.step]], optional }, deps: [of], ...join };
  const entries = Object.entries(of as Record<string, unknown>);
  for (const [alias, dep] of entries) if (!isDep(dep)) throw new TypeError(`${alias} in after is no step`);
  const deps = entries.map(([, dep]) => dep as Dep<any, any>);
  return { takes: { shape: Array.isArray(of) ? "array" : "object", of: entries.map(([alias], i) => [alias, deps[i]!.step]), optional }, deps, ...join };
}

export function isDep(value: unknown): value is Dep<any, any> {
  return typeof value === "object" && value !== null && "step" in value && typeof value.step === "object" && value.step !== null && "fields" in value.step;
}

function isJoined(value: unknown): value is Joined<unknown> {
  return typeof value === "object" && value !== null && "join" in value && "of" in value && !isDep(value.join);
}

function isEnds(value: unknown): value is Ends<any> {
  return typeof value === "object" && value !== null && "on" in value && "steps" in value && Array.isArray(value.steps);
}

/** lastOf returns the argument of flow.returns as a Last. */
export function lastOf(value: unknown): Last {
  if (isDep(value)) return { one: value.step };
  return { several: Object.fromEntries(Object.entries(value as Record<string, Dep<any, any>>).map(([alias, dep]) => [alias, dep.step])) };
}

export function prune(of: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
}
