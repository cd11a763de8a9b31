import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { Claimed } from "./claimed.js";
import { Client } from "./client.js";
import { Continued, Suspended } from "./durable.js";
import { ApiError, Cancelled, KeptError, Lost, Permanent, Retry, textOf, TimedOut, Unauthorized } from "./errors.js";
import { Job } from "./job.js";
import { stringify } from "./json.js";
import { Abandoned, Logger, pause, Source } from "./source.js";

const mostResults = 100;
const heartbeat = 30_000;
const resendBusy = 100;
const longestRefusal = 30_000;

/** WorkerOptions are what a worker need not be told. */
export interface WorkerOptions {
  /** Whose steps are taken. Default: all of the token's. */
  namespaces?: string[];
  /** How many handlers run at a time. Default: 10. */
  concurrency?: number;
  /** How many seconds a step is the worker's without a renewal. Default: 60. */
  lease?: number;
  /** How many seconds handlers may take to finish when the worker stops. Default: 30. */
  stopTimeout?: number;
  /** How many seconds an exchange waits for a step. Default: 30. */
  poll?: number;
  /** What people recognise. Default: host and process. */
  name?: string;
  /** Default: console. */
  logger?: Logger;
}

/** Handler runs a step: what it returns is the step's result. */
export type Handler<In, Out> = (job: Job<In>) => Out | Promise<Out>;

interface Registered {
  run: Handler<any, unknown>;
  input: (value: unknown) => any;
}

interface Result {
  step_uuid: string;
  claim_no: number;
  result?: unknown;
  error?: string;
  permanent?: boolean;
  backoff_seconds?: number;
  execution_time_ms?: number;
}

type Outcome = Omit<Result, "step_uuid" | "claim_no">;

interface Running {
  step: Claimed;
  job: Job<unknown>;
  renewed: number;
  /** Its outcome is recorded already, or is to be dropped. */
  settled: boolean;
}

interface Answers {
  answers: { answer: string }[];
  claimed: Claimed[];
}

/** Worker claims steps, runs their handlers, and records what became of them. */
export class Worker {
  readonly #client: Client;
  readonly #options: Required<Omit<WorkerOptions, "namespaces">> & { namespaces: string[] | null };
  readonly #uuid = randomUUID();
  readonly #source: Source;
  readonly #handlers = new Map<string, Registered>();
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();

  #outcomes: Result[] = [];
  #later: { at: number; result: Result }[] = [];
  #releases: { step_uuid: string; claim_no: number }[] = [];
  #active = 0;
  #reserved = 0;
  #polling = false;
  #refusal = 0;
  #refusedUntil = 0;
  #fatal: Error | undefined;
  #wake = (): void => {};

  constructor(client: Client, options: WorkerOptions = {}) {
    this.#client = client;
    this.#options = {
      namespaces: null, concurrency: 10, lease: 60, stopTimeout: 30, poll: 30, name: `${hostname()}/${process.pid}`, logger: console, ...options,
    };
    const { concurrency, lease, poll } = this.#options;
    if (!(concurrency >= 1 && lease >= 1 && poll >= 1)) throw new RangeError("concurrency, lease and poll are at least 1");
    this.#source = new Source(client, lease, this.#options.logger);
  }

  /** handler registers a handler. input makes its type of the task's context, and throws if that does not fit; without it the context
   * is taken as it is. */
  handler<In, Out = unknown>(name: string, run: Handler<In, Out>, input: (value: unknown) => In = (value) => value as In): this {
    if (this.#handlers.has(name)) throw new Error(`there are two handlers "${name}"`);
    this.#handlers.set(name, { run, input });
    return this;
  }

  /** stop stops the worker: handlers finish, for at most stopTimeout seconds, and what is left is handed back. */
  stop(): void {
    this.#stopping.abort();
    this.#wake();
  }

  /** runUntilSignalled is run, until SIGINT or SIGTERM. */
  async runUntilSignalled(): Promise<void> {
    const stop = (): void => this.stop();
    process.on("SIGINT", stop).on("SIGTERM", stop);
    try {
      await this.run();
    } finally {
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  }

  /** run works until stop, and returns when all is recorded. It throws Unauthorized if the token is no longer valid. */
  async run(): Promise<void> {
    if (this.#handlers.size === 0) throw new Error("the worker has no handler");
    this.#options.logger.info(`worker ${this.#options.name} starts with ${this.#handlers.size} handlers`);
    const over = new AbortController();
    const attending = [this.#attend(over.signal), this.#bePresent(over.signal)];
    try {
      await this.#loop();
    } finally {
      over.abort();
      this.#stopping.abort();
      this.#source.abandoned.abort();
      await Promise.all(attending);
    }
    if (this.#fatal) throw this.#fatal;
    this.#options.logger.info(`worker ${this.#options.name} stopped`);
  }

  async #loop(): Promise<void> {
    const stopping = this.#stopping.signal;
    let stopBy = Infinity;
    for (;;) {
      const now = Date.now();
      if (this.#fatal) return;
      if (stopping.aborted) stopBy = Math.min(stopBy, now + this.#options.stopTimeout * 1000);
      this.#outcomes.push(...this.#later.filter((l) => l.at <= now).map((l) => l.result));
      this.#later = this.#later.filter((l) => l.at > now);
      const free = stopping.aborted || now < this.#refusedUntil ? 0 : this.#options.concurrency - this.#active - this.#reserved;
      if (this.#releases.length > 0) {
        await this.#release(this.#releases.splice(0, 1000));
      } else if (this.#outcomes.length > 0) {
        await this.#exchange(this.#outcomes.splice(0, mostResults), this.#polling ? 0 : free);
      } else if (free > 0 && !this.#polling) {
        this.#polling = true;
        void this.#poll(free);
      } else if (stopping.aborted && this.#later.length === 0 && !this.#polling && this.#active === 0) {
        return;
      } else if (now >= stopBy) {
        return this.#handBack();
      } else {
        await this.#sleep(this.#later.length > 0 || stopping.aborted ? 50 : 250);
      }
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #request(results: Result[], limit: number, wait: number): string {
    return stringify({
      worker_uuid: this.#uuid, request_uuid: randomUUID(), namespaces: this.#options.namespaces, handlers: [...this.#handlers.keys()],
      limit, lease_seconds: this.#options.lease, wait_seconds: wait, results,
    });
  }

  /** #exchange records results, and claims for the handlers that are free. */
  async #exchange(batch: Result[], limit: number): Promise<void> {
    const began = Date.now();
    this.#reserved += limit;
    try {
      const answered = await this.#send(this.#request(batch, limit, 0));
      this.#takeAnswers(batch, answered);
      this.#begin(answered.claimed, limit, began);
    } catch (error) {
      this.#begin([], limit, began);
      await this.#refusedResults(batch, error);
    }
  }

  #send(body: string): Promise<Answers> {
    return this.#source.persist("an exchange", this.#source.abandoned.signal, () => this.#client.send<Answers>("POST", "/v1/exchange", body, 30_000));
  }

  /** #refusedResults records results of which one was refused, or the claim with them: alone, and each by itself if need be. */
  async #refusedResults(batch: Result[], refused: unknown): Promise<void> {
    if (!this.#judged(refused)) return;
    try {
      this.#takeAnswers(batch, await this.#send(this.#request(batch, 0, 0)));
      this.#refuse(refused);
    } catch (error) {
      if (!this.#judged(error)) return;
      const result = batch[0]!;
      if (batch.length > 1) {
        for (const one of batch) await this.#refusedResults([one], error);
      } else if (result.error !== undefined) {
        this.#options.logger.error(`a failure was refused; step ${result.step_uuid} runs again when its lease has ended: ${error.message}`);
      } else {
        this.#options.logger.error(`the result of step ${result.step_uuid} was refused; it fails: ${error.message}`);
        await this.#refusedResults([failure(result, `the server refused the result: ${error.message}`)], error);
      }
    }
  }

  /** #judged is whether an error judges a request; one that judges the token ends the worker. */
  #judged(error: unknown): error is ApiError {
    if (error instanceof ApiError && !(error instanceof Unauthorized)) return true;
    if (!(error instanceof Abandoned)) this.#fatal = error as Error;
    this.#wake();
    return false;
  }

  /** #poll waits for steps, beside the loop. */
  async #poll(limit: number): Promise<void> {
    const began = Date.now();
    const stopping = this.#stopping.signal;
    this.#reserved += limit;
    let claimed: Claimed[] = [];
    try {
      const body = this.#request([], limit, this.#options.poll);
      const within = this.#options.poll * 1000 + 30_000;
      claimed = (await this.#source.persist("waiting for steps", stopping, () => this.#client.send<Answers>("POST", "/v1/exchange", body, within, stopping))).claimed;
      this.#refusal = 0;
    } catch (error) {
      if (this.#judged(error)) this.#refuse(error);
    }
    this.#polling = false;
    this.#begin(claimed, limit, began);
    this.#wake();
  }

  /** #refuse claims nothing for a while: the namespace may be registered, the right granted by then. */
  #refuse(error: ApiError): void {
    this.#refusal = Math.min(Math.max(1000, 2 * this.#refusal), longestRefusal);
    this.#refusedUntil = Date.now() + this.#refusal;
    this.#options.logger.warn(`a claim was refused; trying again in ${this.#refusal} ms: ${error.message}`);
  }

  #takeAnswers(batch: Result[], answered: Answers): void {
    batch.forEach((result, i) => {
      const answer = answered.answers[i]?.answer;
      if (answer === "busy") this.#later.push({ at: Date.now() + resendBusy, result });
      else if (answer === "too_large") this.#outcomes.push(failure(result, 'the result is over the setting "result_bytes"'));
      else if (answer === "retrying" || answer === "failed") this.#options.logger.warn(`step ${result.step_uuid} is ${answer}: ${result.error}`);
      else if (answer === "stale" || answer === "cancelled" || answer === "not_found") {
        this.#options.logger.warn(`the result of step ${result.step_uuid} came too late: ${answer}`);
      }
    });
  }

  /** #begin starts the handlers of claimed steps. */
  #begin(claimed: Claimed[], limit: number, began: number): void {
    this.#reserved -= limit;
    for (const step of claimed) {
      const handler = this.#handlers.get(step.handler);
      if (this.#stopping.signal.aborted || !handler) {
        this.#releases.push({ step_uuid: step.step_uuid, claim_no: step.claim_no });
        continue;
      }
      this.#active++;
      void this.#handle(step, handler, began);
    }
  }

  async #handle(step: Claimed, handler: Registered, renewed: number): Promise<void> {
    const began = Date.now();
    const key = `${step.step_uuid} ${step.claim_no}`;
    const running: Running = { step, job: new Job(step, this.#source), renewed, settled: false };
    this.#running.set(key, running);
    const settle = (outcome: Outcome | undefined): void => {
      if (outcome && !running.settled) {
        this.#outcomes.push({ step_uuid: step.step_uuid, claim_no: step.claim_no, execution_time_ms: Date.now() - began, ...outcome });
      }
      running.settled = true;
      this.#wake();
    };
    const timer = step.timeout_seconds === null ? undefined : setTimeout(() => {
      const error = new TimedOut(`timed out after ${step.timeout_seconds} s`);
      settle({ error: error.message });
      running.job.end(error);
    }, step.timeout_seconds * 1000);
    for (let next: Claimed | undefined = step; next; ) {
      const outcome: Outcome | Continued | undefined = await attempt(running.job, handler);
      if (!(outcome instanceof Continued) || running.settled) {
        settle(outcome instanceof Continued ? undefined : outcome);
        break;
      }
      next = { ...next, attempt: 1, last_error: null, kept: { round: outcome.round, count: 0, results: [], state: outcome.state } };
      running.job = new Job(next, this.#source);
    }
    clearTimeout(timer);
    this.#running.delete(key);
    this.#active--;
    this.#wake();
  }

  /** #attend renews leases, and ends the handlers of steps that are no longer the worker's. */
  async #attend(over: AbortSignal): Promise<void> {
    const every = this.#options.lease * 250;
    while (!over.aborted) {
      await pause(Math.min(every / 2, 1000), over);
      const due = [...this.#running.values()].filter((r) => !r.settled && Date.now() - r.renewed >= every);
      for (let i = 0; i < due.length && !over.aborted; i += 1000) {
        try {
          await this.#extend(due.slice(i, i + 1000));
        } catch (error) {
          this.#options.logger.warn(`leases could not be renewed; trying again: ${textOf(error)}`);
        }
      }
    }
  }

  async #extend(due: Running[]): Promise<void> {
    const at = Date.now();
    const claims = due.map(({ step }) => ({ step_uuid: step.step_uuid, claim_no: step.claim_no }));
    const { items } = await this.#client.request<{ items: { answer: string }[] }>("POST", "/v1/leases", { claims, lease_seconds: this.#options.lease }, Math.max(1000, Math.min(10_000, this.#options.lease * 250)));
    due.forEach((running, i) => {
      const answer = items[i]?.answer;
      if (answer === "extended") running.renewed = at;
      else if (answer !== "busy" && !running.settled) {
        this.#options.logger.warn(`the handler of step ${running.step.step_uuid} is to stop: its step is ${answer}`);
        running.settled = true;
        running.job.end(answer === "cancelled" ? new Cancelled("the step was cancelled") : new Lost("the step is no longer this worker's"));
      }
    });
  }

  async #bePresent(over: AbortSignal): Promise<void> {
    const { name, namespaces } = this.#options;
    while (!over.aborted) {
      let next = heartbeat;
      try {
        await this.#client.request("POST", "/v1/workers", { worker_uuid: this.#uuid, name, namespaces, handlers: [...this.#handlers.keys()] }, 10_000);
      } catch (error) {
        next = 1000;
        if (!(error instanceof Unauthorized)) this.#options.logger.warn(`the worker could not be registered; trying again: ${textOf(error)}`);
      }
      await pause(next, over);
    }
  }

  /** #handBack hands back what runs longer than the worker waits. */
  async #handBack(): Promise<void> {
    const left = [...this.#running.values()].filter((running) => !running.settled);
    for (const running of left) {
      running.settled = true;
      running.job.end(new Lost("the worker stops"));
    }
    await this.#release(left.map(({ step }) => ({ step_uuid: step.step_uuid, claim_no: step.claim_no })));
  }

  async #release(claims: { step_uuid: string; claim_no: number }[]): Promise<void> {
    if (claims.length === 0) return;
    try {
      const { items } = await this.#source.call<{ items: { step_uuid: string; claim_no: number; answer: string }[] }>("POST", "/v1/releases", { claims });
      this.#releases.push(...items.filter((i) => i.answer === "busy").map(({ step_uuid, claim_no }) => ({ step_uuid, claim_no })));
    } catch (error) {
      this.#options.logger.warn(`steps could not be handed back; they run again when their leases have ended: ${textOf(error)}`);
    }
  }
}

/** attempt runs a handler once: what is to be recorded, if anything, or that it begins again. */
async function attempt(job: Job<unknown>, handler: Registered): Promise<Outcome | Continued | undefined> {
  const ran = (async (): Promise<{ result: unknown } | { failure: unknown }> => {
    try {
      await job.load(handler.input);
      const result = await handler.run(job);
      await job.returns();
      try {
        stringify(result);
      } catch (error) {
        throw new Permanent(`the result cannot be encoded: ${textOf(error)}`);
      }
      return { result: result ?? null };
    } catch (failure) {
      return { failure };
    }
  })();
  const ended = await Promise.race([ran, job.over]);
  if (job.misuse !== undefined) return { error: job.misuse, permanent: true };
  if (ended instanceof Continued) return ended;
  if (!(ended instanceof Error) && job.signal.aborted) return undefined; // No longer ours, or its failure is recorded.
  const failed = ended instanceof Error ? ended : "failure" in ended ? ended.failure : undefined;
  if (!(ended instanceof Error) && "result" in ended) return { result: ended.result };
  if (failed instanceof Suspended || failed instanceof Lost || failed instanceof Cancelled || failed instanceof Abandoned) return undefined;
  const outcome: Outcome = { error: textOf(failed).slice(0, 100_000) };
  if (failed instanceof Permanent || failed instanceof KeptError) outcome.permanent = true;
  if (failed instanceof Retry) outcome.backoff_seconds = Math.max(0, Math.round(failed.after));
  return outcome;
}

/** failure is a result turned into a failure for good. */
function failure(result: Result, error: string): Result {
  return { step_uuid: result.step_uuid, claim_no: result.claim_no, error, permanent: true };
}
