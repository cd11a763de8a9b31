import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { Claimed } from "./claimed.js";
import { Continued, Suspended } from "./durable.js";
import {
  ApiError, awaitsAPerson, Cancelled, concernsSome, KeptError, Lost, type Misfit, misfitIn, Permanent, Retry, Snooze, stored, textOf, TimedOut, Unauthorized, Unavailable, Uncertain, Undelivered,
} from "./errors.js";
import { handlersOf } from "./invoke.js";
import { Job } from "./job.js";
import { stringify } from "./json.js";
import { callsOf, type Kept, Leases, renewInHalves } from "./leases.js";
import type { Schema } from "./schema.js";
import { Abandoned, Logger, pause, Source, unless } from "./source.js";
import type { Exchange, Exchanged, Transport } from "./transport.js";
import type { Workflow } from "./workflow.js";

const mostResults = 1000;
const mostClaimed = 1000;
// How many steps are claimed ahead at most, for each running handler, and how long such steps wait before they are handed back.
const aheadFactor = 4;
const longestPatience = 1000;
const smallContext = 1_000;
const mostBytes = 2 << 20;
// The body of a request has 4 MiB at most.
const largest = (4 << 20) - (64 << 10);
// A worker that owes more bytes claims no steps.
const mostOwed = 64 << 20;
// How long a result waits for other results while an exchange is under way, and how many steps in one exchange count as many.
const gatherFor = 2;
const busyBatch = 16;
// How long results wait for the end of a poll. The exchange that records them then claims as well.
const patienceWithPoll = 1000;
const longestStack = 4_000;
const heartbeat = 30_000;
// The least time between two renewals that wait for cancellations, and after a failed renewal.
const hearEvery = 250;
const hearAgain = 2000;
const resendBusy = 100;
const longestRefusal = 30_000;
const uncertainPause = 200;
const saidSeldom = 600_000;
const day = 86_400_000;
const week = 7 * day;
const nothing: Exchanged = { answers: [], claimed: [] };
// How often a result that makes the server fail is sent.
const mostTries = 20;
// How long a stopping worker tries to deliver its owed results.
const deliverWithin = 10_000;

/** WorkerOptions are the optional settings of a worker. */
export interface WorkerOptions {
  /** The namespaces whose steps the worker takes. Default: all namespaces of the token. */
  namespaces?: string[];
  /** How many handlers run at a time. Default: 100. */
  concurrency?: number;
  /** How many exchanges of results and steps are under way at the same time, each over a separate connection. Default: 2. */
  exchanges?: number;
  /** How many seconds a step belongs to the worker without a renewal. Default: 60. */
  lease?: number;
  /** How many seconds handlers may take to finish when the worker stops. Default: 30. */
  stopTimeout?: number;
  /** How many seconds an exchange waits for a step. Default: 30. */
  poll?: number;
  /** The name for people. Default: host and process. */
  name?: string;
  /** The version of the program, such as a tag of its image: incidents compare deployments by it. Default: none. */
  version?: string;
  /** Default: console. */
  logger?: Logger;
  /** Gets each error of a handler, beside the log. Use it to report errors. */
  onError?: (error: unknown, job: Job<unknown>) => void;
  /** Errors of these classes fail a step for good, as Permanent does. */
  permanent?: ErrorClass[];
  /** Errors of these classes are tried again after the given seconds, as with Retry. */
  retryAfter?: [ErrorClass, number][];
}

export type ErrorClass = abstract new (...args: any[]) => Error;

/** Handler runs a step: its return value is the step's result. */
export type Handler<In, Out> = (job: Job<In>) => Out | Promise<Out>;

interface Registered {
  run: Handler<any, unknown>;
  input: ((value: unknown) => any) | Schema<any>;
}

/** Queued is a claimed step that waits for a free handler. */
interface Queued {
  step: Claimed;
  handler: Registered;
  since: number;
  slot: Slot;
}

/** Slot is one of the exchanges that may be under way at the same time. The database treats each slot as a separate worker, since it
 * returns the steps of a worker's newest claim again if the answer was lost. */
interface Slot {
  readonly at: number;
  readonly uuid: string;
  /** The number of the slot's claim: the same until the claim is answered. */
  claim: string;
  /** The places of a claim that got no answer. The claim is repeated with these places. */
  again: number;
  /** Whether the database knows of the slot's steps that wait for a handler. */
  told: boolean;
  busy: boolean;
}

/** Outcome is the outcome of a step. The worker owes it until the database has judged it. */
interface Outcome {
  claim: Claim;
  /** For people. */
  step: string;
  body: string;
  error: string | undefined;
  renewed: number;
  /** The time at which it is sent. */
  at: number;
  tries: number;
  /** Whether this outcome reports the refusal of another outcome. */
  replaced: boolean;
  /** Whether a call that carried the outcome got no answer. Until the outcome is judged, the worker claims only in the call that carries
   * it. */
  late: boolean;
}

/** Entered is the part of the answer to a registration that concerns the worker. */
interface Entered {
  clock: string;
  token_expires_at?: string | null;
}

interface Claim {
  step_uuid: string;
  claim_no: number;
}

/** Ended is the end of a handler: its result as JSON, or an error. */
interface Ended {
  result?: string;
  error?: string;
  permanent?: boolean;
  backoff_seconds?: number;
}

interface Running {
  step: Claimed;
  job: Job<unknown>;
  renewed: number;
  /** The end of the step's time, if it has one. */
  until: number | null;
  /** The outcome is already recorded, or is to be dropped. */
  settled: boolean;
  /** The lease has ended without an answer: the handler's result may count nevertheless. */
  unjudged: boolean;
}

/** Worker claims steps, runs their handlers, and records their outcomes. */
export class Worker {
  readonly #client: Transport;
  readonly #options: Required<Omit<WorkerOptions, "namespaces" | "onError" | "version">> & Pick<WorkerOptions, "onError" | "version"> & { namespaces: string[] | null };
  readonly #slots: Slot[];
  readonly #source: Source;
  readonly #leases: Leases;
  readonly #handlers = new Map<string, Registered>();
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();

  #owed: Outcome[] = [];
  readonly #sending = new Map<Outcome, Slot>(); // outcomes that are under way
  #releases: Claim[] = [];
  #active = 0;
  #reserved = 0;
  #queue: Queued[] = [];
  #ahead = 0; // how many steps are claimed before a handler is free for them
  #ended = 0; // handlers since the last exchange
  #worked = 0; // and how long they took
  #more = false; // whether the newest claim found as many steps as it asked for
  #many = false; // whether many steps come
  #gatherTill = 0; // when outcomes wait for others no longer; 0: none waits
  #polling = false;
  #releasing = false;
  #pollEnds = new AbortController();
  #pollCut = Infinity; // when it was ended
  #refusal = 0;
  #refusedUntil = 0;
  #refused = { text: "", at: 0 }; // what the log has said of refusals
  #handedBack = false;
  #end = Infinity; // when a worker that stops delivers no more
  #fatal: Error | undefined;
  #warned = -Infinity; // when the log had the token's end
  #wake = (): void => {};
  #began = (): void => {}; // a handler begins

  constructor(transport: Transport, options?: WorkerOptions);
  constructor(transport: Transport, flows: Workflow<any, any>[], options?: WorkerOptions);
  constructor(transport: Transport, given: WorkerOptions | Workflow<any, any>[] = {}, more: WorkerOptions = {}) {
    const [flows, options] = Array.isArray(given) ? [given, more] : [[], given];
    this.#client = transport;
    this.#options = {
      namespaces: flows.length > 0 ? [...new Set(flows.map((flow) => flow.config.namespace))] : null,
      concurrency: 100, exchanges: Math.min(2, options.concurrency ?? 100), lease: 60, stopTimeout: 30, poll: 30, name: `${hostname()}/${process.pid}`, logger: console, permanent: [], retryAfter: [], ...options,
    };
    const { concurrency, exchanges, lease, poll } = this.#options;
    if (!(concurrency >= 1 && lease >= 1 && poll >= 1)) throw new RangeError("concurrency, lease and poll are at least 1");
    if (!(exchanges >= 1 && exchanges <= concurrency)) throw new RangeError("exchanges is at least 1, and at most concurrency");
    this.#slots = Array.from({ length: exchanges }, (_, at) => ({ at, uuid: randomUUID(), claim: randomUUID(), again: 0, told: false, busy: false }));
    this.#source = new Source(transport, lease, this.#options.logger);
    this.#leases = new Leases(transport, lease, (claims, items, at) => this.#renewed(claims, items, at));
    for (const flow of flows) this.flow(flow);
  }

  /** handler registers a handler. input converts the task's context to the handler's type, and throws if the context does not fit. Without
   * input the handler gets the context unchanged. */
  handler<In, Out = unknown>(name: string, run: Handler<In, Out>, input: ((value: unknown) => In) | Schema<In> = (value) => value as In): this {
    if (this.#handlers.has(name)) throw new Error(`there are two handlers "${name}"`);
    this.#handlers.set(name, { run, input });
    return this;
  }

  /** flow registers the functions of a workflow's steps. */
  flow(flow: Workflow<any, any>): this {
    for (const [name, run] of handlersOf(flow)) this.handler(name, run, flow.config.input as Schema<any>);
    return this;
  }

  /** stop stops the worker: handlers finish, for at most stopTimeout seconds, and unfinished steps are handed back. */
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

  /** run works until stop, and returns when all results are recorded. It throws Unauthorized if the token has never been valid, and
   * Undelivered if results could not be recorded within stopTimeout and 10 seconds. */
  async run(): Promise<void> {
    if (this.#handlers.size === 0) throw new Error("the worker has no handler");
    this.#options.logger.info(`worker ${this.#options.name} starts with ${this.#handlers.size} handlers`);
    const over = new AbortController();
    await this.#leases.refresh();
    await this.#client.warm?.(this.#slots.length, this.#options.namespaces, this.#stopping.signal);
    const attending = [this.#attend(over.signal), this.#bePresent(over.signal), this.#hear(over.signal), this.#doDuties(over.signal)];
    try {
      await this.#loop();
    } finally {
      over.abort();
      this.#stopping.abort();
      this.#source.abandoned.abort();
      await Promise.all([...attending, this.#leases.close()]);
      await this.#client.close?.();
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
      if (this.#owed.length > 0) await new Promise(setImmediate); // Handlers that end now go in the same exchange.
      if (stopping.aborted) stopBy = Math.min(stopBy, now + this.#options.stopTimeout * 1000);
      this.#end = stopBy + deliverWithin;
      if (now >= stopBy && this.#active > 0 && !this.#handedBack) this.#handBack();
      this.#handBackLate(now);
      const slot = this.#idle(now);
      const batch = slot ? this.#due(now) : [];
      const free = slot && !this.#polling ? this.#free(now, slot, batch) : 0;
      const places = free > 0 && slot ? slot.again || Math.min(free, this.#batch()) : 0;
      const under = this.#slots.filter(({ busy }) => busy).length;
      if (slot && batch.length > 0 && this.#polling && this.#client.interruptible && (slot.at === 0 || now < this.#pollCut + patienceWithPoll)) {
        if (!this.#pollEnds.signal.aborted) this.#pollCut = now;
        this.#pollEnds.abort(); // Its end wakes the loop.
        await this.#sleep(patienceWithPoll);
      } else if (slot && batch.length > 0 && this.#gathers(now, batch, under)) {
        await this.#sleep(Math.max(1, this.#gatherTill - now));
      } else if (slot && batch.length > 0) {
        // Owed results come first: a claim carries the due results.
        this.#gatherTill = 0;
        this.#owed = this.#owed.filter((outcome) => !batch.includes(outcome));
        void this.#exchange(slot, batch, places);
      } else if (slot && this.#releases.length > 0 && !this.#releasing) {
        const [first = [], ...rest] = callsOf(this.#releases);
        this.#releases = rest.flat();
        void this.#release(first);
      } else if (slot && places > 0 && (slot.again > 0 || (under > 0 && this.#more))) {
        void this.#exchange(slot, [], places);
      } else if (slot && free > this.#ahead && under === 0) {
        this.#polling = true;
        void this.#poll(slot, Math.min(mostClaimed, free - this.#ahead));
      } else if (under > 0 || this.#polling || this.#releasing) {
        await this.#sleep(250);
      } else if (stopping.aborted && (this.#active + this.#queue.length === 0 || this.#handedBack) && this.#owed.length + this.#releases.length === 0) {
        return;
      } else if (now >= stopBy + deliverWithin) {
        if (this.#owed.length > 0) throw new Undelivered(this.#owed.length);
        return;
      } else {
        await this.#sleep(this.#owed.length > 0 || stopping.aborted || now < this.#source.weather.until ? 50 : 250);
      }
    }
  }

  /** #idle returns the slot of the next exchange, first a slot whose claim got no answer. While calls fail, one slot at a time tries. */
  #idle(now: number): Slot | undefined {
    const { until, away } = this.#source.weather;
    if (now < until || (away && this.#slots.some(({ busy }) => busy))) return undefined;
    const idle = this.#slots.filter(({ busy }) => !busy);
    return idle.find(({ again }) => again > 0) ?? (this.#polling ? idle.at(-1) : idle[0]); // Slot 0 waits for steps.
  }

  /** #gathers says whether outcomes wait for other outcomes: while many come, an exchange is under way, and handlers run. */
  #gathers(now: number, batch: Outcome[], under: number): boolean {
    if (under === 0 || !this.#many || this.#stopping.signal.aborted || this.#active === 0 || batch.length >= this.#batch()) return false;
    if (this.#gatherTill === 0) this.#gatherTill = now + gatherFor;
    return now < this.#gatherTill;
  }

  /** #batch is how many steps an exchange claims at most, so that the other exchanges find as many. */
  #batch(): number {
    return Math.min(mostClaimed, Math.ceil((this.#options.concurrency + this.#ahead) / this.#slots.length));
  }

  /** #due returns the outcomes to send, as many as one request carries, at most one of each step. */
  #due(now: number): Outcome[] {
    const batch: Outcome[] = [];
    const named = new Set<string>();
    let size = 0;
    for (const outcome of this.#owed) {
      if (outcome.at <= now && !named.has(outcome.claim.step_uuid) && (batch.length === 0 || (batch.length < mostResults && size + outcome.body.length <= mostBytes))) {
        batch.push(outcome);
        named.add(outcome.claim.step_uuid);
        size += outcome.body.length;
      }
    }
    return batch;
  }

  /** #free returns how many steps may be claimed in a slot: more steps than free handlers, if handlers take less time than an exchange. */
  #free(now: number, slot: Slot, batch: Outcome[]): number {
    const unjudged = [...this.#owed, ...this.#sending.keys()];
    if (this.#stopping.signal.aborted || now < this.#refusedUntil) return 0;
    if (unjudged.reduce((sum, outcome) => sum + outcome.body.length, 0) > mostOwed) return 0;
    // The leases of results that got no answer may have ended: these results are judged before the worker claims.
    if (unjudged.some((outcome) => outcome.late && !batch.includes(outcome))) return 0;
    // After an outage leases are renewed first, so that the worker does not claim its own steps.
    if ([...this.#running.values()].some((r) => !r.settled && now - r.renewed > this.#options.lease * 500)) return 0;
    return this.#options.concurrency + this.#ahead - this.#active - this.#queue.length - this.#reserved + slot.again;
  }

  /** #take takes the places of a claim, or the places of an earlier claim without an answer. */
  #take(slot: Slot, limit: number, results: number): void {
    if (limit === 0) return;
    this.#reserved += limit - slot.again;
    slot.again = 0;
    // The quick handlers of one answer end together, and one exchange has all their results. The next exchange claims beside it.
    if (results === 0) this.#more = false;
  }

  /** #give frees the places of a claim, or keeps them for its repetition. */
  #give(slot: Slot, limit: number, unanswered: boolean): void {
    if (limit > 0 && unanswered && !this.#stopping.signal.aborted) slot.again = limit;
    else this.#reserved -= limit;
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

  #request(slot: Slot, results: Outcome[], limit: number): Exchange {
    const free = Math.max(0, this.#options.concurrency - this.#active - this.#queue.length - this.#reserved + limit);
    const ahead = Math.max(0, limit - free);
    const waiting = this.#queue.filter((queued) => queued.slot === slot).map(({ step }) => step.step_uuid).slice(0, 1000);
    const told = slot.told || waiting.length > 0;
    slot.told = ahead > 0 || waiting.length > 0;
    return {
      worker_uuid: slot.uuid, request_uuid: limit > 0 ? slot.claim : randomUUID(), namespaces: this.#options.namespaces,
      handlers: [...this.#handlers.keys()], limit, lease_seconds: this.#options.lease, known_tasks: this.#source.contexts.keys,
      ...(ahead > 0 ? { ahead } : {}), ...(told ? { waiting } : {}), results: results.map((outcome) => outcome.body),
    };
  }

  #send(slot: Slot, results: Outcome[], limit: number): Promise<Exchanged> {
    const within = Math.max(5_000, Math.min(deliverWithin, this.#options.lease * 500));
    return this.#source.once("an exchange", () => this.#client.exchange(this.#request(slot, results, limit), 0, this.#left(within), undefined, slot.at));
  }

  /** #left returns how long a call may take: less if the worker is stopping. */
  #left(within: number): number {
    const left = Math.min(within, this.#end - Date.now());
    if (left <= 0) throw new Unavailable("the worker stops");
    return left;
  }

  /** #exchange records outcomes, and claims for the handlers that are free. */
  async #exchange(slot: Slot, batch: Outcome[], limit: number): Promise<void> {
    const began = Date.now();
    slot.busy = true;
    for (const outcome of batch) this.#sending.set(outcome, slot);
    this.#take(slot, limit, batch.length);
    let answered: Exchanged | undefined;
    let unanswered = false;
    try {
      answered = await this.#send(slot, batch, limit);
      this.#takeAnswers(batch, answered);
      if (limit > 0) this.#claimWasAnswered(slot);
    } catch (error) {
      unanswered = !(error instanceof ApiError);
      if (limit > 0 && error instanceof ApiError && !(error instanceof Unauthorized)) await this.#withoutClaim(slot, batch, error);
      else await this.#unjudged(slot, batch, error);
    } finally {
      for (const outcome of batch) if (this.#sending.get(outcome) === slot) this.#sending.delete(outcome); // It may be under way again.
      slot.busy = false;
      this.#give(slot, limit, unanswered);
      if (limit > 0 && answered) {
        this.#many = batch.length + answered.claimed.length >= busyBatch;
        this.#adjustAhead(answered.claimed.length >= limit, Date.now() - began);
        this.#more = answered.claimed.length >= limit;
      }
      this.#begin(slot, answered, began);
      this.#wake();
    }
  }

  /** #withoutClaim records outcomes without the claim that came with them. If the server accepts the outcomes, it had refused the claim. */
  async #withoutClaim(slot: Slot, batch: Outcome[], refused: ApiError): Promise<void> {
    try {
      this.#takeAnswers(batch, batch.length > 0 ? await this.#send(slot, batch, 0) : nothing);
      this.#refuse(refused);
    } catch (error) {
      await this.#unjudged(slot, batch, error);
    }
  }

  /** #unjudged keeps outcomes that were not judged, and finds the ones that were refused. */
  async #unjudged(slot: Slot, batch: Outcome[], error: unknown): Promise<void> {
    const first = batch[0];
    const passes = !(error instanceof ApiError) && !(error instanceof Unavailable && error.status === 500);
    for (const outcome of batch) outcome.late = passes;
    if (!first) {
      if (error instanceof Unauthorized && !this.#source.weather.worked) this.#fatal = error;
    } else if (error instanceof Unauthorized && !this.#source.weather.worked) {
      this.#fatal = error;
      this.#owed.unshift(...batch);
    } else if (batch.length > 1 && concernsSome(error)) {
      const middle = batch.length >> 1;
      for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
        try {
          this.#takeAnswers(half, await this.#send(slot, half, 0));
        } catch (again) {
          await this.#unjudged(slot, half, again);
        }
      }
    } else if (error instanceof Unavailable) {
      if (error.status === 500) this.#seldom(batch);
      if (first.tries < mostTries) this.#owed.unshift(...batch);
      else this.#options.logger.error(`${first.step} runs again when its lease has ended: the server fails on its result: ${error.message}`);
    } else if (error instanceof ApiError && awaitsAPerson(error)) {
      this.#source.weather.refused(`the result of ${first.step}`, error);
      this.#seldom(batch);
      this.#owed.unshift(...batch);
    } else if (first.replaced) {
      this.#options.logger.error(`no outcome of ${first.step} is accepted; it runs again when its lease has ended: ${textOf(error)}`);
    } else {
      this.#options.logger.error(`the result of ${first.step} was refused; it fails: ${textOf(error)}`);
      this.#replace(first, `the server refused the result: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** #seldom makes the pauses between the sends of outcomes longer and longer. */
  #seldom(batch: Outcome[]): void {
    for (const outcome of batch) {
      outcome.tries++;
      outcome.at = Date.now() + Math.min(500 * 2 ** Math.min(outcome.tries, 10), longestRefusal);
    }
  }

  /** #replace owes a failure for good in place of an outcome. */
  #replace({ claim, step, renewed }: Outcome, error: string): void {
    this.#owed.push({ ...owed(claim, step, { error, permanent: true }, renewed), replaced: true });
  }

  /** #poll waits for steps, beside the loop. */
  async #poll(slot: Slot, limit: number): Promise<void> {
    let began = Date.now();
    const stopping = this.#stopping.signal;
    const { over } = this.#source.weather;
    this.#take(slot, limit, 0);
    let answered: Exchanged | undefined;
    let unanswered = false;
    const ends = (this.#pollEnds = new AbortController());
    const end = (): void => ends.abort();
    for (const signal of [stopping, over]) signal.addEventListener("abort", end);
    if (stopping.aborted) end();
    try {
      const within = this.#options.poll * 1000 + 10_000;
      answered = await this.#client.exchange(this.#request(slot, [], limit), this.#options.poll, within, ends.signal, slot.at);
      began = Date.now();
      this.#source.weather.succeeded();
      this.#claimWasAnswered(slot);
    } catch (error) {
      unanswered = !(error instanceof ApiError);
      if (error instanceof Unauthorized && !this.#source.weather.worked) this.#fatal = error;
      else if (error instanceof ApiError) {
        if (this.#source.weather.worked) this.#source.weather.succeeded();
        this.#refuse(error);
      } else if (!ends.signal.aborted) {
        this.#source.weather.failed("waiting for steps", error instanceof Unavailable ? error : new Unavailable(textOf(error)));
      }
    }
    for (const signal of [stopping, over]) signal.removeEventListener("abort", end);
    this.#polling = false;
    this.#pollCut = Infinity;
    this.#give(slot, limit, unanswered);
    this.#more = (answered?.claimed.length ?? 0) >= limit;
    this.#begin(slot, answered, began);
    this.#wake();
  }

  #claimWasAnswered(slot: Slot): void {
    slot.claim = randomUUID();
    this.#refusal = 0;
  }

  /** #refuse claims nothing for a while: by then the namespace may be registered or the right granted. */
  #refuse(error: ApiError): void {
    const now = Date.now();
    this.#refusal = Math.min(Math.max(1000, 2 * this.#refusal), longestRefusal);
    this.#refusedUntil = now + this.#refusal;
    if (this.#refused.text === error.message && now - this.#refused.at < saidSeldom) return;
    this.#refused = { text: error.message, at: now };
    this.#options.logger.warn(`a claim was refused; it is repeated, at last every ${longestRefusal / 1000} s: ${error.message}`);
  }

  #takeAnswers(batch: Outcome[], answered: Exchanged): void {
    batch.forEach((outcome, i) => {
      const answer = answered.answers[i]?.answer;
      if (answer === undefined || answer === "busy") this.#owed.push({ ...outcome, at: Date.now() + resendBusy, late: false });
      else if (answer === "too_large") this.#replace(outcome, 'the result is over the setting "result_bytes", or nested deeper than 1,000 levels');
      else if (answer === "retrying" || answer === "failed") {
        this.#options.logger.warn(`${outcome.step} is ${answer}: ${outcome.error?.split("\n", 1)[0]?.slice(0, 200)}`);
      } else if (answer === "stale" || answer === "cancelled" || answer === "not_found") {
        this.#options.logger.warn(`the result of ${outcome.step} came too late: ${answer}`);
      } else if (answer !== "completed" && answer !== "already_complete" && answer !== "recorded") {
        this.#options.logger.error(`the result of ${outcome.step} was answered "${answer}", which this worker does not know: whether it counts is not known`);
      }
    });
  }

  /** #begin starts the handlers of claimed steps, or lets the steps wait for one. */
  #begin(slot: Slot, answered: Exchanged | undefined, since: number): void {
    const contexts = answered?.contexts ?? {};
    for (const [task, context] of Object.entries(contexts)) {
      // A small context is cheaper to send again than to refer to.
      if (stringify(context).length > smallContext) this.#source.contexts.put(task, context);
    }
    const claimed = answered?.claimed ?? [];
    this.#leases.add(claimed.map((step) => keptOf(step, Date.now() + longestPatience))); // before a handler computes
    for (const step of claimed) {
      step.context ??= contexts[step.task_uuid] ?? null;
      const handler = this.#handlers.get(step.handler);
      if (this.#stopping.signal.aborted || !handler) this.#releases.push(claimOf(step));
      else this.#queue.push({ step, handler, since, slot });
    }
    this.#beginQueued();
  }

  #beginQueued(): void {
    while (this.#queue.length > 0 && this.#active < this.#options.concurrency) {
      const { step, handler, since } = this.#queue.shift()!;
      this.#active++;
      void this.#handle(step, handler, since);
    }
  }

  /** #handBackLate hands back steps that have waited too long: other workers may be idle, and their leases are not renewed. */
  #handBackLate(now: number): void {
    const patience = Math.min(longestPatience, this.#options.lease * 250);
    const late = this.#stopping.signal.aborted ? this.#queue.length : this.#queue.filter(({ since }) => now - since >= patience).length;
    if (late === 0) return;
    this.#ahead = 0;
    this.#releases.push(...this.#queue.splice(0, late).map(({ step }) => claimOf(step)));
  }

  /** #adjustAhead adjusts the number of steps to claim ahead after an exchange of the given length. If more steps are ready and handlers
   * take less time than the exchange, the worker should have claimed more steps ahead. If claimed steps still wait, it should have claimed
   * fewer. */
  #adjustAhead(more: boolean, took: number): void {
    const { concurrency } = this.#options;
    if (this.#queue.length > 0) this.#ahead = Math.max(0, this.#ahead - this.#queue.length);
    else if (more && 2 * this.#active < concurrency && this.#worked < this.#ended * took) {
      this.#ahead = Math.min(aheadFactor * concurrency, this.#ahead + this.#ended);
    }
    this.#ended = this.#worked = 0;
  }

  async #handle(step: Claimed, handler: Registered, renewed: number): Promise<void> {
    const began = performance.now();
    const what = named(step);
    const key = `${step.step_uuid} ${step.claim_no}`;
    const { until } = keptOf(step, Date.now());
    const running: Running = { step, job: new Job(step, this.#source), renewed, until, settled: false, unjudged: false };
    this.#running.set(key, running);
    this.#began();
    const settle = (ended: Ended | undefined): void => {
      if (ended && !running.settled) this.#owed.push(owed(step, what, { execution_time_ms: Math.round(performance.now() - began), ...ended }, running.renewed));
      running.settled = true;
      this.#wake();
    };
    const timer = step.timeout_seconds === null ? undefined : setTimeout(() => {
      const error = new TimedOut(`timed out after ${step.timeout_seconds} s`);
      settle({ error: error.message });
      running.job.end(error);
    }, step.timeout_seconds * 1000);
    for (let next: Claimed | undefined = step; next; ) {
      const ended: Ended | Continued | Uncertain | undefined = await attempt(running, handler, this.#options);
      if (!(ended instanceof Error) || running.settled) {
        settle(ended instanceof Error ? undefined : ended);
        break;
      }
      await running.job.rollback();
      if (ended instanceof Uncertain) {
        this.#source.weather.failed(`the transaction of ${what}`, new Unavailable(ended.message));
        await this.#source.weather.wait(uncertainPause, this.#source.abandoned.signal);
        if (this.#source.abandoned.signal.aborted) break;
        running.job = new Job(next, this.#source);
        continue;
      }
      next = { ...next, attempt: 1, last_error: null, kept: { round: ended.round, count: 0, results: [], state: ended.state } };
      running.job = new Job(next, this.#source);
    }
    clearTimeout(timer);
    await running.job.rollback();
    running.job.closeStreams();
    this.#running.delete(key);
    this.#active--;
    this.#ended++;
    this.#worked += performance.now() - began;
    this.#beginQueued();
    this.#wake();
  }

  /** #keep says which leases are renewed: also the leases of steps that wait for a handler, and of outcomes that are owed. */
  #keep(): void {
    const kept: Kept[] = [...this.#running.values()].filter((r) => !r.settled).map((r) => ({ ...claimOf(r.step), until: r.until }));
    kept.push(...this.#queue.map(({ step, since }) => keptOf(step, since + longestPatience)));
    kept.push(...[...this.#owed, ...this.#sending.keys()].map((outcome) => ({ ...outcome.claim, until: null })));
    this.#leases.keep(kept);
  }

  /** #attend renews the leases that the thread of leases has not renewed, and ends the handlers of steps that the worker has lost. */
  async #attend(over: AbortSignal): Promise<void> {
    const lease = this.#options.lease * 1000;
    const every = lease / 4;
    let warned = -Infinity;
    for (let before = Date.now(); !over.aborted; ) {
      await pause(Math.min(every / 2, 1000), over);
      void this.#leases.refresh();
      const now = Date.now();
      const blocked = now - before;
      before = now;
      if (blocked > lease / 2 && !this.#leases.apart && now - warned >= saidSeldom) {
        warned = now;
        this.#options.logger.error(
          `the event loop was blocked for ${(blocked / 1000).toFixed(1)} s, and no lease of ${this.#options.lease} s was renewed meanwhile: ` +
            "the pool has options that no thread can have, or the login no connection for the thread; a handler that computes for long belongs in a worker thread, or needs a longer lease",
        );
      }
      for (const running of this.#running.values()) {
        if (running.settled || running.unjudged || now - running.renewed < lease) continue;
        if (blocked > lease / 2) continue; // What the thread has renewed meanwhile is not known yet.
        this.#options.logger.error(`the lease of ${named(running.step)} has ended: no renewal was answered`);
        running.unjudged = true;
        running.job.end(new Lost("the lease has ended: no renewal was answered"));
      }
      this.#keep();
      const late = this.#leases.apart ? 1.5 * every : every; // The thread has not renewed them.
      const claims: Claim[] = [...this.#running.values()].filter((r) => !r.settled && now - r.renewed >= late).map((r) => r.step);
      claims.push(...[...this.#owed, ...this.#sending.keys()].filter((outcome) => now - outcome.renewed >= late).map((outcome) => outcome.claim));
      for (const call of callsOf(claims.map(claimOf))) {
        if (over.aborted) break;
        for (const error of await renewInHalves(call, (part) => this.#extend(part, over))) this.#trouble("a renewal of leases", error);
      }
      before = Date.now();
    }
  }

  /** #trouble logs the failure of a call of the worker itself, unless the log already has it. */
  #trouble(what: string, error: unknown): void {
    if (error instanceof Unauthorized && !this.#source.weather.worked) return;
    if (error instanceof ApiError) this.#source.weather.refused(what, error);
    else if (!(error instanceof Unavailable)) this.#options.logger.error(`${what} failed: ${textOf(error)}`);
  }

  async #extend(claims: Claim[], over: AbortSignal): Promise<void> {
    const at = Date.now();
    const within = Math.max(1000, Math.min(10_000, this.#options.lease * 125));
    const body = stringify({ claims, lease_seconds: this.#options.lease });
    const { items } = await this.#source.once("renewing leases", () =>
      this.#client.send<{ items: { answer: string }[] }>("POST", "/v1/leases", body, within, over));
    this.#renewed(claims, items, at);
  }

  /** #hear learns of cancellations at once: a waiting renewal is answered when a running step of this worker is cancelled. The renewals of
   * #attend find cancellations that #hear misses. */
  async #hear(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const at = Date.now();
      const steps = [...this.#running.values()].filter((r) => !r.settled && !r.job.signal.aborted).map((r) => claimOf(r.step)).reverse();
      const [live = []] = callsOf(steps); // of two claims of a step the newer one
      if (live.length === 0) {
        await new Promise<void>((resolve) => {
          const begin = (): void => {
            over.removeEventListener("abort", begin);
            resolve();
          };
          this.#began = begin;
          over.addEventListener("abort", begin);
        });
        continue;
      }
      const given = new AbortController();
      const giveUp = (): void => given.abort();
      const returned = this.#source.weather.over;
      for (const signal of [over, returned]) signal.addEventListener("abort", giveUp);
      let soonest = hearEvery;
      try {
        const body = stringify({ claims: live, lease_seconds: this.#options.lease, worker_uuid: this.#slots[0]!.uuid, other_worker_uuids: this.#slots.slice(1).map(({ uuid }) => uuid), wait_seconds: this.#options.poll });
        const within = this.#options.poll * 1000 + 10_000;
        const { items } = await this.#client.send<{ items: { answer: string }[] }>("POST", "/v1/leases", body, within, given.signal);
        this.#renewed(live, items, at);
      } catch {
        soonest = hearAgain; // The renewals of #attend say why.
      }
      for (const signal of [over, returned]) signal.removeEventListener("abort", giveUp);
      await pause(Math.max(0, at + soonest - Date.now()), over);
    }
  }

  /** #renewed handles the answers to a renewal that was sent at this time. */
  #renewed(claims: Claim[], items: { answer: string }[], at: number): void {
    claims.forEach(({ step_uuid, claim_no }, i) => {
      const answer = items[i]?.answer;
      for (const outcome of [...this.#owed, ...this.#sending.keys()]) {
        // Ignore the answer here, since the exchange has the judgement.
        if (outcome.claim.step_uuid === step_uuid && outcome.claim.claim_no === claim_no) outcome.renewed = at;
      }
      const running = this.#running.get(`${step_uuid} ${claim_no}`);
      if (!running) return;
      if (answer === "extended") running.renewed = Math.max(running.renewed, at);
      else if (answer !== "busy" && !running.settled) {
        this.#options.logger.warn(`the handler of ${named(running.step)} is to stop: its step is ${answer}`);
        running.settled = true;
        running.job.end(answer === "cancelled" ? new Cancelled("the step was cancelled") : new Lost("the step is no longer this worker's"));
      }
    });
  }

  /** #doDuties does the periodic duties of a worker for its database, if it is connected to it. */
  async #doDuties(over: AbortSignal): Promise<void> {
    while (this.#client.attend && !over.aborted) {
      try {
        await this.#source.once("the periodic duties", () => unless(over, this.#client.attend!()));
      } catch (error) {
        this.#trouble("the periodic duties", error);
      }
      await pause(15_000, over);
    }
  }

  async #bePresent(over: AbortSignal): Promise<void> {
    const { name, namespaces, version } = this.#options;
    while (!over.aborted) {
      let next = heartbeat;
      try {
        for (const { uuid, at } of this.#slots) {
          const own = at === 0 ? name : `${name}#${at + 1}`;
          const body = stringify({ worker_uuid: uuid, name: own, namespaces, handlers: [...this.#handlers.keys()], ...(version && { version }) });
          const answered = await this.#source.once("registering the worker", () => this.#client.send<Entered>("POST", "/v1/workers", body, 10_000, over));
          this.#warnOfToken(answered);
        }
      } catch (error) {
        next = 1000;
        this.#trouble("the worker's registration", error);
      }
      await pause(next, over);
    }
  }

  /** #warnOfToken logs once a day that the token ends within a week, by the database's clock. */
  #warnOfToken({ token_expires_at, clock }: Entered): void {
    if (!token_expires_at || Date.parse(token_expires_at) - Date.parse(clock) >= week || Date.now() - this.#warned < day) return;
    this.#warned = Date.now();
    this.#options.logger.warn(`the token of this worker ends at ${token_expires_at}: replace it`);
  }

  /** #handBack hands back the steps whose handlers run longer than the worker waits. */
  #handBack(): void {
    this.#handedBack = true;
    for (const running of this.#running.values()) {
      if (!running.settled) this.#releases.push(claimOf(running.step));
      running.settled = true;
      running.job.end(new Lost("the worker stops"));
    }
  }

  async #release(claims: Claim[]): Promise<void> {
    this.#releasing = true;
    try {
      const { items } = await this.#source.once("handing back steps", () =>
        this.#client.send<{ items: (Claim & { answer: string })[] }>("POST", "/v1/releases", stringify({ claims }), this.#left(10_000)));
      this.#releases.push(...items.filter((i) => i.answer === "busy").map(claimOf));
    } catch (error) {
      if (error instanceof Unavailable) this.#releases.unshift(...claims);
      else this.#options.logger.warn(`steps could not be handed back; they run again when their leases have ended: ${textOf(error)}`);
    }
    this.#releasing = false;
    this.#wake();
  }
}

export type Hooks = Pick<WorkerOptions, "onError"> & Required<Pick<WorkerOptions, "logger" | "permanent" | "retryAfter">>;

/** attempt runs a handler once. It returns the outcome to record, if there is one, or says that the function begins again. */
export async function attempt(running: Pick<Running, "job" | "step" | "unjudged">, handler: Registered, { logger, onError, permanent, retryAfter }: Hooks): Promise<Ended | Continued | Uncertain | undefined> {
  const { job, step } = running;
  const ran = (async (): Promise<{ result: string } | { committed: true } | { failure: unknown }> => {
    try {
      if (step.undecodable !== undefined) throw new Permanent(step.undecodable);
      await job.load(handler.input);
      const result = await handler.run(job);
      await job.returns();
      await job.closeLog();
      let text: string;
      try {
        text = stringify(result);
      } catch (error) {
        throw new Permanent(`the result cannot be encoded: ${textOf(error)}`);
      }
      const bytes = Buffer.byteLength(text);
      if (bytes > largest / 2) logger.warn(`the result of ${named(step)} has ${bytes} bytes; a request carries ${largest} at most`);
      if (bytes > largest) throw new Permanent(`the result has ${bytes} bytes: more than a request carries, and than the setting "result_bytes"`);
      return (await job.commit(text)) ? { committed: true } : { result: text };
    } catch (failure) {
      await job.closeLog();
      return { failure };
    }
  })();
  const ended = await Promise.race([ran, job.over]);
  if (job.misuse !== undefined) return { error: job.misuse, permanent: true };
  if (ended instanceof Continued) return ended;
  const early = ended instanceof Error;
  if (!early && "committed" in ended) return undefined;
  if (!early && job.signal.aborted && !(running.unjudged && "result" in ended)) return undefined; // No longer ours, or its failure is recorded.
  if (!early && "result" in ended) return ended;
  const failed = early ? ended : ended.failure;
  if (failed instanceof Uncertain) return failed;
  if (failed instanceof Suspended || failed instanceof Lost || failed instanceof Cancelled || failed instanceof Abandoned) return undefined;
  if (failed instanceof Snooze) return snooze(running, failed, logger);
  const marked = permanent.some((of) => failed instanceof of);
  const misfit = marked || failed instanceof Permanent || failed instanceof KeptError ? undefined : misfitIn(failed);
  if (misfit) return leave(running, misfit, logger);
  try {
    onError?.(failed, job);
  } catch (error) {
    logger.error(`onError failed: ${textOf(error)}`);
  }
  if (marked) return { error: textOf(failed), permanent: true };
  const [, after] = retryAfter.find(([of]) => failed instanceof of) ?? [];
  if (after !== undefined) return { error: textOf(failed), backoff_seconds: after };
  if (failed instanceof Permanent || failed instanceof KeptError) return { error: textOf(failed), permanent: true };
  if (failed instanceof Retry) return { error: textOf(failed), backoff_seconds: Math.max(0, Math.round(failed.after * 1000) / 1000) };
  const stack = (failed instanceof Error && failed.stack ? failed.stack : textOf(failed)).slice(0, longestStack);
  logger.warn(`the handler ${step.handler} of ${named(step)} failed:\n${stack}`);
  return { error: failed instanceof Error ? `${textOf(failed)}\n\n${stack}` : textOf(failed) };
}

/** leave leaves a step to other workers after its handler has thrown a Misfit: the result of a step above does not fit this build. */
async function leave({ job, step }: Pick<Running, "job" | "step">, misfit: Misfit, logger: Logger): Promise<Ended | undefined> {
  try {
    if ((await job.leave(misfit)) instanceof Suspended) {
      logger.warn(`the result of a step above does not fit this build, and the step waits for another one: ${named(step)}: ${textOf(misfit)}`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof Abandoned) return undefined;
    logger.warn(`${named(step)} cannot wait for another build, and its attempt has failed: ${textOf(error)}`);
    return { error: textOf(misfit) };
  }
}

/** snooze lets a step run again later after its handler has thrown a Snooze. */
async function snooze({ job, step }: Pick<Running, "job" | "step">, asked: Snooze, logger: Logger): Promise<Ended | undefined> {
  try {
    await job.snooze(asked);
    return undefined;
  } catch (error) {
    if (error instanceof Abandoned) return undefined;
    logger.warn(`${named(step)} cannot be snoozed, and its attempt has failed: ${textOf(error)}`);
    return { error: textOf(asked) };
  }
}

/** named returns the name of a claimed step for people. */
function named(step: Claimed): string {
  return `step "${step.name}" of task ${step.namespace}/${step.task_name} (attempt ${step.attempt}, ${step.step_uuid})`;
}

function claimOf({ step_uuid, claim_no }: Claim): Claim {
  return { step_uuid, claim_no };
}

/** keptOf returns a claim to renew until the end of the step's time, which begins at the given moment. */
function keptOf(step: Claimed, begins: number): Kept {
  return { ...claimOf(step), until: step.timeout_seconds === null ? null : begins + step.timeout_seconds * 1000 };
}

/** owed returns an outcome in the form that an exchange carries. */
function owed(claim: Claim, step: string, ended: Ended & { execution_time_ms?: number }, renewed: number): Outcome {
  const { result, ...others } = ended;
  const error = ended.error === undefined ? undefined : stored(ended.error);
  const body = stringify({ ...claimOf(claim), ...others, error });
  return {
    claim: claimOf(claim), step, body: result === undefined ? body : `${body.slice(0, -1)},"result":${result}}`, error, renewed, at: 0, tries: 0, replaced: false, late: false,
  };
}
