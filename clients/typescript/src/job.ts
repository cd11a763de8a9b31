import { Claimed } from "./claimed.js";
import { ApiError, Cancelled, Lost, Misfit, Permanent, textOf, Unavailable, Uncertain } from "./errors.js";
import { stringify } from "./json.js";
import { check, type Schema } from "./schema.js";
import { Source } from "./source.js";
import { Writer } from "./streams.js";
import type { Queryable, Transaction } from "./transport.js";

/** Undone has the inputs of a compensation. The claim may have left out the result of the step that the compensation undoes. */
interface Undone {
  step: string;
  result_omitted?: boolean;
}

/**
 * Job is one attempt at a step, in the form that a handler gets. A handler that calls once, sleep, awaitSignal and the like is a durable
 * function: it may stop at such a call and continue later, on another worker, with its kept results (docs/durable.md of the repository).
 */
export class Job<In> extends Writer {
  /** The task's context. Integers that a number cannot hold are bigints. */
  input!: In;
  readonly #ended = new AbortController();
  #results: Record<string, unknown> | undefined;
  #transaction: Promise<Transaction> | undefined;

  constructor(claimed: Claimed, source: Source) {
    super(claimed, source, `/v1/tasks/${claimed.task_uuid}/workflow_steps/${claimed.step_uuid}`);
  }

  get stepUUID(): string { return this.claimed.step_uuid; }
  get taskUUID(): string { return this.claimed.task_uuid; }
  get namespace(): string { return this.claimed.namespace; }
  get task(): string { return this.claimed.task_name; }
  get taskVersion(): string { return this.claimed.task_version; }
  get name(): string { return this.claimed.name; }
  get attempt(): number { return this.claimed.attempt; }
  get maxAttempts(): number { return this.claimed.max_attempts; }
  get lostCount(): number { return this.claimed.lost_count; }
  get correlationID(): string { return this.claimed.correlation_id; }
  get headers(): Record<string, unknown> { return this.claimed.headers ?? {}; }
  /** inputs are the inputs of the step: the template's initialization, or the inputs of add_steps. The inputs of a compensation describe
   * the step that it undoes. */
  get inputs(): unknown { return this.claimed.inputs; }
  /** index is the position of the element that the step handles, or undefined if the step is not an element of a map. */
  get index(): number | undefined { return (this.claimed.inputs as { index?: number } | null)?.index; }
  get lastError(): string | null { return this.claimed.last_error; }
  /** lastCheckpoint is the value that an earlier attempt saved with checkpoint, or null if no attempt saved a value. */
  get lastCheckpoint(): unknown { return this.claimed.checkpoint; }
  /** state is the state that the function passed to continueAs. It is null in the first round of the function. */
  get state(): unknown { return this.claimed.kept?.state ?? null; }

  /** signal is aborted when the handler should stop. Its reason is Lost, Cancelled or TimedOut. */
  get signal(): AbortSignal { return this.#ended.signal; }

  override end(why: Error): void { this.#ended.abort(why); }

  /** load loads the input of the task, and the result that a compensation undoes, if the claim has left them out. The worker calls load. */
  async load(input: ((value: unknown) => In) | Schema<In>): Promise<void> {
    await this.#loadUndone();
    let context = this.claimed.context;
    if (context === null) {
      const load = async (): Promise<unknown> => (await this.source.call<{ context: unknown }>("GET", `/v1/tasks/${this.taskUUID}`)).context;
      context = await this.source.contexts.get(this.taskUUID, load);
    }
    try {
      this.input = typeof input === "function" ? input(context) : await check(input, context);
    } catch (error) {
      throw new Permanent(`the context of task "${this.task}" does not fit: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** result returns the result of a step on which this step depends, directly or not. The argument to checks the result: it is a schema, or
   * a function that reads the result. If the result does not fit, result throws a Misfit. A handler that lets the Misfit pass leaves the
   * step to another build. */
  async result<R = unknown>(step: string, to?: ((value: unknown) => R) | Schema<R>): Promise<R> {
    const results = await this.results();
    if (Object.hasOwn(results, step)) return fit(step, results[step], to);
    const path = `${this.path}/ancestor-results?name=${encodeURIComponent(step)}`;
    const found = (await this.source.call<{ items: { results: unknown }[] }>("GET", path)).items[0];
    if (!found) throw new Permanent(`step "${this.name}" has no result of "${step}"; its parents with a result are ${Object.keys(results).join(", ") || "none"}`);
    return fit(step, found.results, to);
  }

  /** tx returns the transaction in which the step's result is recorded. So the handler's writes in tx take effect exactly once, together
   * with the result. The first call begins the transaction. If the handler fails, the transaction rolls back. tx exists only over
   * PostgreSQL. */
  async tx(): Promise<Queryable> {
    const { client } = this.source;
    if (!client.begin) throw new Permanent("job.tx() needs a worker that is connected to PostgreSQL; over HTTP there is no transaction");
    this.signal.throwIfAborted();
    this.#transaction ??= client.begin();
    return (await this.#transaction).tx;
  }

  /** commit records the result in the transaction of tx. Returns false if there is no such transaction. The worker calls commit. */
  async commit(result: string): Promise<boolean> {
    if (!this.#transaction) return false;
    try {
      await (await this.#transaction).commit(this.claimed, result);
    } catch (error) {
      if (error instanceof Unavailable) throw new Uncertain(error.message);
      if (error instanceof ApiError && error.status === 409) throw new Lost(`the transaction was rolled back: ${error.message}`);
      if (error instanceof ApiError && (error.status === 413 || error.status === 422)) throw new Permanent(error.message);
      throw error;
    }
    this.#transaction = undefined;
    return true;
  }

  /** rollback ends the transaction of tx, if it was not committed. The worker calls rollback. */
  async rollback(): Promise<void> {
    const begun = this.#transaction;
    this.#transaction = undefined;
    await begun?.then((transaction) => transaction.rollback()).catch(() => {});
  }

  async #loadUndone(): Promise<void> {
    const inputs = this.claimed.inputs;
    if (typeof inputs !== "object" || inputs === null || (inputs as Undone).result_omitted !== true) return;
    const { result_omitted: _, ...others } = inputs as Undone;
    const results = await this.#loadResults();
    if (Object.hasOwn(results, others.step)) this.claimed.inputs = { ...others, result: results[others.step] };
  }

  /** results returns the results of all parents that have a result, by the names of the parents. The name of an element of a map has the
   * form name[3]. */
  async results<R = unknown>(): Promise<Record<string, R>> {
    this.#results ??= this.claimed.parent_results ?? (await this.#loadResults());
    return this.#results as Record<string, R>;
  }

  /** parents returns the results of all parents by name. The result of a map is an array. */
  async parents(): Promise<Record<string, unknown>> {
    if (this.claimed.parent_results) return this.claimed.parent_results;
    const load = async (): Promise<Record<string, unknown>> => {
      const rows = await this.source.pages<{ name: string; results: unknown; map?: string | null }>(this.path + "/parent-results");
      const found: Record<string, unknown> = {};
      for (const { name, results, map } of rows) {
        if (typeof map === "string") ((found[map] ??= []) as unknown[]).push(results);
        else found[name] = results;
      }
      return found;
    };
    // All elements of a map have the same parents, so they share the results.
    const shared = this.index === undefined ? undefined : `${this.taskUUID} ${this.name.replace(/\[\d+\]$/, "")}`;
    return (this.claimed.parent_results = shared === undefined ? await load() : ((await this.source.parents.get(shared, load)) as Record<string, unknown>));
  }

  async #loadResults(): Promise<Record<string, unknown>> {
    const rows = await this.source.pages<{ name: string; results: unknown }>(this.path + "/parent-results");
    return Object.fromEntries(rows.map((row) => [row.name, row.results]));
  }

  /** checkpoint keeps the step's progress for the next attempt, and renews the lease. It throws Lost or Cancelled if the step no longer
   * belongs to this worker. */
  async checkpoint(value: unknown): Promise<void> {
    this.signal.throwIfAborted();
    stringify(value);
    const body = { claim_no: this.claimed.claim_no, checkpoint: value ?? null, lease_seconds: this.source.lease };
    const { answer } = await this.source.call<{ answer: string }>("POST", this.path + "/checkpoint", body);
    if (answer !== "saved") {
      this.end(answer === "cancelled" ? new Cancelled("the step was cancelled") : new Lost("the step is no longer this worker's"));
      this.signal.throwIfAborted();
    }
    this.claimed.checkpoint = value;
  }
}

/** fit converts the result of a step above to the type that the handler asks for. */
async function fit<R>(step: string, value: unknown, to: ((value: unknown) => R) | Schema<R> | undefined): Promise<R> {
  if (to === undefined) return value as R;
  try {
    return typeof to === "function" ? to(value) : await check(to, value);
  } catch (error) {
    if (error instanceof Permanent) throw error;
    throw new Misfit(step, `the result of "${step}" does not fit: ${textOf(error)}`);
  }
}
