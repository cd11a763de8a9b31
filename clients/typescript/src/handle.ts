import { randomBytes, randomUUID } from "node:crypto";

import { TaskFailed, Unavailable } from "./errors.js";
import { type Dep, type Duration, type Event, type Last, prune, resultOf, seconds, type Signal } from "./graph.js";
import { stringify } from "./json.js";
import { check, type Schema } from "./schema.js";
import { answer, judged } from "./sql.js";
import type { Queryable, Transport } from "./transport.js";

const within = 30_000;
const firstPause = 50;
const longestPause = 2_000;
const firstLook = 20;
const lastLook = 500;

/** PostgresJs is the sql of the package postgres, or a transaction of it. */
export interface PostgresJs {
  unsafe(text: string, values?: any[]): PromiseLike<any>;
}

/** Caller is a connection on which tasks are started and read: a Client, a Postgres, or a pool, a client or a transaction of pg or
 * postgres. */
export type Caller = Transport | Queryable | PostgresJs;

export interface StartOptions {
  /** The key that identifies the task, if the workflow's identity is "key". */
  key?: string;
  startAt?: Date;
  deadline?: Date;
  priority?: number;
  tags?: string[];
  headers?: Record<string, unknown>;
  policy?: Policy;
}

/** Policy says which requests make a task. */
export interface Policy {
  /** The time between the last request with a key and the start of the key's task. Each request replaces the previous request. */
  debounce?: Duration;
  /** The longest time between the first request and the start of the task. */
  debounceLongest?: Duration;
  /** How many tasks of each throttleKey may be started in each throttlePeriod. */
  throttle?: number;
  throttlePeriod?: Duration;
  throttleKey?: string;
  /** How long a further equal request returns the same task. */
  scope?: "forever" | "open" | "period";
  period?: Duration;
}

export interface ByKeyOptions<I> {
  /** A text by which the database recognises a repeated signal, such as the number of a webhook. */
  idempotencyKey?: string;
  /** The input for a new task, which is created if the key has no task. */
  start?: I;
}

export interface EmitOptions {
  /** The subject of the event, such as an order's number. */
  key?: string;
  /** A text by which the database recognises a repeated event. */
  idempotencyKey?: string;
}

/** CallOptions bound a call. */
export interface CallOptions {
  /** The longest time of the call, in seconds. */
  timeout?: number;
  signal?: AbortSignal;
}

/** transportOf returns a transport over any Caller. */
export function transportOf(on: Caller): { call<R>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<R>; http: boolean } {
  const transport = "send" in on ? on : undefined;
  // A failed call must not be repeated in the caller's transaction, since the failure has aborted the transaction. Over a pool each call
  // has its own transaction.
  const repeats = transport !== undefined || "totalCount" in on || ("end" in on && "unsafe" in on);
  const send = transport
    ? <R>(method: string, path: string, body: string | undefined, ended?: AbortSignal) => transport.send<R>(method, path, body, within, ended)
    : async <R>(method: string, path: string, body: string | undefined): Promise<R> => {
        try {
          return (await answer((text, values) => first(on as Queryable | PostgresJs, text, values), method, path, body)) as R;
        } catch (error) {
          throw judged(error);
        }
      };
  return {
    http: transport !== undefined && transport.interruptible !== true,
    async call<R>(method: string, path: string, body?: unknown, { timeout = 60, signal }: CallOptions = {}): Promise<R> {
      const text = body === undefined ? undefined : stringify(body);
      const end = Date.now() + timeout * 1000;
      for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
        signal?.throwIfAborted();
        try {
          return await send<R>(method, path, text, signal);
        } catch (error) {
          if (!repeats || !(error instanceof Unavailable) || Date.now() + pause > end) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
  };
}

/** first returns the first column of the first row. */
export async function first(on: Queryable | PostgresJs, text: string, values: (string | null)[]): Promise<string | undefined> {
  const rows = "unsafe" in on ? await on.unsafe(text, values) : (await on.query(text, values)).rows;
  return rows.length === 0 ? undefined : (Object.values(rows[0])[0] as string);
}

/** startTask creates a task. A repeated call does not create a second task: the task's identity prevents it, or the task's new UUID if the
 * task has no identity. */
export async function startTask<I>(
  on: Caller, config: { namespace: string; name: string; version: string; identity?: string; input: Schema<I> }, input: I, options: StartOptions = {},
): Promise<string> {
  const { namespace, name, version, identity } = config;
  try {
    await check(config.input, input);
  } catch (error) {
    throw new TypeError(`the input of ${namespace}.${name}:${version} does not fit: ${error instanceof Error ? error.message : error}`);
  }
  const { key, startAt, deadline, priority, tags, headers, policy } = options;
  const body = {
    namespace, name, version, context: input, identity_key: key, priority, tags, headers,
    start_at: startAt?.toISOString(), deadline: deadline?.toISOString(), task_uuid: identity === "new" ? newTaskUUID() : undefined,
    ...(policy ? policyOf(policy) : {}),
  };
  return (await transportOf(on).call<{ task_uuid: string }>("POST", "/v1/tasks", body)).task_uuid;
}

function policyOf({ debounce, debounceLongest, throttle, throttlePeriod, throttleKey, scope, period }: Policy): object {
  const span = (of: Duration | undefined): number | undefined => (of === undefined ? undefined : seconds(of));
  return prune({
    debounce_seconds: span(debounce), debounce_longest_seconds: span(debounceLongest), throttle_limit: throttle, throttle_seconds: span(throttlePeriod),
    throttle_key: throttleKey, identity_scope: scope, identity_ttl_seconds: span(period),
  });
}

/** signalByKey sends a signal to the task with a key. The idempotency key makes it safe to repeat the call. */
export async function signalByKey<I, P>(
  on: Caller, config: { namespace: string; name: string; version: string; input: Schema<I> }, key: string, signal: Signal<string, P>, payload: P, options: ByKeyOptions<I>,
): Promise<string> {
  await check(signal.schema, payload);
  const { start, idempotencyKey = randomUUID() } = options;
  if (start !== undefined) await check(config.input, start);
  const body = { namespace: config.namespace, task_name: config.name, identity_key: key, name: signal.name, payload, idempotency_key: idempotencyKey };
  const begin = start === undefined ? {} : { start: true, context: start, version: config.version };
  return (await transportOf(on).call<{ answer: string }>("POST", "/v1/signals", { ...body, ...begin })).answer;
}

/** emitEvent emits an event to the waiting steps of a namespace. The idempotency key makes it safe to repeat the call. */
export async function emitEvent<P>(on: Caller, namespace: string, event: Event<string, P>, payload: P, options: EmitOptions): Promise<boolean> {
  await check(event.schema, payload);
  const { key, idempotencyKey = randomUUID() } = options;
  const body = { namespace, name: event.name, key, payload, idempotency_key: idempotencyKey };
  return !(await transportOf(on).call<{ repeated: boolean }>("POST", "/v1/events", body)).repeated;
}

/** newTaskUUID returns the UUID for a new task: a UUID of version 7 whose last 16 bits are zero. */
function newTaskUUID(): string {
  const bytes = Buffer.concat([Buffer.alloc(6), randomBytes(8), Buffer.alloc(2)]);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** TaskEnd is the answer of get_task_result. */
interface TaskEnd {
  state: string;
  /** Whether the task waits for an operator. A task whose steps are being undone does not wait. */
  blocked: boolean;
  results: Record<string, unknown>;
  omitted: string[];
  failed: { step: string; error: string | null } | null;
}

/** TaskHandle is a started task of a workflow with the input I and the result O. */
export class TaskHandle<I, O> {
  declare readonly "~input"?: (input: I) => I;
  readonly #on: Caller;
  readonly #last: Last;

  constructor(on: Caller, readonly uuid: string, last: Last) {
    this.#on = on;
    this.#last = last;
  }

  /** on returns the same task on another connection: on the pool, for example, after its transaction was committed. */
  on(caller: Caller): TaskHandle<I, O> {
    return new TaskHandle(caller, this.uuid, this.#last);
  }

  /** result waits until the task has ended, and returns the result of the workflow or of a step. It throws TaskFailed if the task has
   * failed, or as soon as a failure blocks the task. It throws Unavailable when the timeout is over. Without a timeout it waits until the
   * task ends. */
  async result(options?: CallOptions): Promise<O>;
  async result<R>(step: Dep<I, R>, options?: CallOptions): Promise<R>;
  async result(given?: CallOptions | Dep<I, unknown>, options?: CallOptions): Promise<unknown> {
    const dep = given !== undefined && "step" in given ? given : undefined;
    const last: Last = dep ? { one: dep.step } : this.#last;
    const { timeout, signal } = options ?? (dep ? {} : (given as CallOptions | undefined)) ?? {};
    const names = last === undefined ? [] : "one" in last ? [last.one.name] : Object.values(last.several).map((node) => node.name);
    const path = `/v1/tasks/${this.uuid}/result?${new URLSearchParams(names.map((name): [string, string] => ["step", name]))}`;
    const to = transportOf(this.#on);
    const end = timeout === undefined ? Infinity : Date.now() + timeout * 1000;
    for (let pause = firstLook; ; pause = Math.min(pause * 1.5, lastLook)) {
      const { state, blocked, results, omitted, failed } = await to.call<TaskEnd>("GET", path, undefined, { ...(signal ? { signal } : {}), timeout: 600 });
      if (state === "complete" || state === "resolved_manually") {
        if (last === undefined) return undefined;
        const found = omitted.length > 0 ? { ...results, ...(await this.#large(omitted)) } : results;
        if ("one" in last) return resultOf(last.one, found[last.one.name] ?? null);
        return Object.fromEntries(Object.entries(last.several).map(([alias, node]) => [alias, resultOf(node, found[node.name] ?? null)]));
      }
      if (blocked || ["error", "cancelled"].includes(state)) throw new TaskFailed(this.uuid, state, failed?.step, failed?.error ?? undefined);
      if (Date.now() + pause > end) throw new Unavailable(`task ${this.uuid} has not ended in ${timeout} s: it is ${state}`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** #large reads results that are together too large for one answer. */
  async #large(names: string[]): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { items: { name: string; results: unknown }[]; next_cursor: string | null } = await transportOf(this.#on).call(
        "GET", `/v1/tasks/${this.uuid}/workflow_steps?limit=100&cursor=${cursor}`);
      for (const { name, results } of page.items) {
        const element = /^(.*)\[(\d+)\]$/.exec(name);
        if (element && names.includes(element[1]!)) ((found[element[1]!] ??= []) as unknown[])[Number(element[2])] = results;
        else if (names.includes(name) && results !== null) found[name] = results;
      }
      cursor = page.next_cursor;
    }
    return found;
  }

  /** send sends a signal to the task. It returns "delivered", "kept" or "repeated", or "ended" if the task has ended and takes no signal.
   * */
  async send<N extends string, P>(signal: Signal<N, P>, payload: NoInfer<P>, options: { key?: string } = {}): Promise<string> {
    await check(signal.schema, payload);
    const body = { name: signal.name, payload, idempotency_key: options.key ?? randomUUID() };
    return (await transportOf(this.#on).call<{ answer: string }>("POST", `/v1/tasks/${this.uuid}/signals`, body)).answer;
  }

  /** cancel cancels the task. It returns whether this call cancelled the task. */
  cancel(reason?: string): Promise<boolean> {
    return this.#act("cancel", { reason });
  }

  /** pause keeps the steps of the task from starting. Running steps may still finish. It returns whether this call paused the task. */
  pause(reason?: string): Promise<boolean> {
    return this.#act("pause", { reason });
  }

  /** resume ends the pause of the task. It returns whether this call ended the pause. */
  resume(reason?: string): Promise<boolean> {
    return this.#act("resume", { reason });
  }

  /** change changes the given properties of the task. A new input needs a reason. It returns whether this call changed the task. */
  change(to: { priority?: number; startAt?: Date; deadline?: Date; input?: I; reason?: string }): Promise<boolean> {
    const { startAt, deadline, input, ...rest } = to;
    return this.#act("change", prune({ ...rest, start_at: startAt?.toISOString(), deadline: deadline?.toISOString(), context: input }));
  }

  async #act(what: string, body: object): Promise<boolean> {
    return (await transportOf(this.#on).call<{ changed: boolean }>("POST", `/v1/tasks/${this.uuid}/${what}`, body)).changed;
  }

  /** state returns the task's present state. */
  async state(): Promise<string> {
    return (await transportOf(this.#on).call<{ state: string }>("GET", `/v1/tasks/${this.uuid}`)).state;
  }
}

