import { createHash, randomBytes } from "node:crypto";

import { Claimed, Kept } from "./claimed.js";
import { ApiError, Cancelled, KeptError, Lost, type Misfit, misfitIn, Permanent, type Snooze, stored, textOf } from "./errors.js";
import { type AnswerOf, awaited, type Duration, isEvent, type On, type OnlyJson, seconds, type WaitTimedOut } from "./graph.js";
import { stringify } from "./json.js";
import { check } from "./schema.js";
import type { Source } from "./source.js";

const names = /^[a-zA-Z0-9][a-zA-Z0-9_.:/-]{0,99}$/;
const rule = "a durable function makes one call after the other";

/** Suspended ends a run of a durable function because the function waits. */
export class Suspended extends Error {}

/** Continued ends a run because continueAs begins the function again. */
export class Continued extends Error {
  constructor(readonly state: unknown, readonly round: number) {
    super("the function begins again");
  }
}

/** Answer tells how a wait ended. The field by is "signal", "for", "until" or "timeout". If a signal ended the wait, name, payload and
 * sent_at describe the signal; sent_at is a time in the form that JSON uses. */
export interface Answer<P> {
  by: string;
  name: string;
  payload: P | undefined;
  sent_at: string | undefined;
}

/** Awaiting says how awaitSignal waits. */
export interface Awaiting {
  /** In seconds. Default: no timeout. */
  timeout?: number;
  /** A jsonpath predicate on the payload, such as "$.ok == true". */
  when?: string;
  /** A JSON schema of the payload. */
  schema?: object;
  /** Further alternatives, in the form that a step of a template has. The first alternative that happens ends the wait. */
  or?: object[];
  assignee?: string;
}

interface Call {
  position: number;
  name: string;
  occurrence: number;
}

interface KeptAnswer {
  answer: string;
  value: unknown;
  error: string | null;
  round: number | null;
}

/**
 * DurableFunction is the state of one run of a durable function. A call that ends the run never returns, so that the handler cannot take an
 * error for a failure. After the end of the run job.signal is aborted, and further calls of the handler have no effect.
 */
export abstract class DurableFunction {
  /** over resolves with the reason why the run ended before its handler returned. */
  readonly over: Promise<Error>;
  /** misuse is the error if the function has broken a rule for durable functions. */
  misuse: string | undefined;
  /** left is the reason why the step was left for another build. */
  left: Misfit | undefined;

  #ended: Error | undefined;
  #finish!: (why: Error) => void;
  #kept: Kept[] | undefined;
  #at = 0;
  #seen = new Map<string, number>();
  #fresh = false;
  #busy = false;

  constructor(protected readonly claimed: Claimed, protected readonly source: Source, protected readonly path: string) {
    this.over = new Promise((resolve) => (this.#finish = resolve));
  }

  abstract readonly signal: AbortSignal;
  /** end tells the handler to stop. The worker calls this method. */
  abstract end(why: Error): void;

  /**
   * once calls f and keeps the result. Later runs get the kept result and do not call f again. The argument of f is a key that is the same
   * in every run. If the worker is lost before the result is kept, f runs again with the same key. If f fails, the attempt usually ends
   * before the function sees the error. once keeps an error, and throws it as a KeptError, only if the error is a Permanent, or comes in
   * the last attempt of the step, or ends the last of the given number of tries.
   */
  async once<R>(name: string, f: ((key: string) => R | PromiseLike<R>) & OnlyJson<R>, options: { tries?: number; pause?: number } = {}): Promise<R> {
    return this.#enter(`once("${name}")`, async () => {
      await this.#named(name);
      const call = this.#call(name);
      let kept = await this.#recall(call);
      for (let made = 1; !kept; made++) {
        let value: R;
        try {
          value = await f(this.#key(call));
        } catch (error) {
          if (this.misuse !== undefined || this.signal.aborted) return this.#stop(asError(error));
          if (!(error instanceof Permanent) && misfitIn(error)) return this.#stop(asError(error));
          const last = options.tries === undefined ? (this.#fresh ? 1 : this.claimed.attempt) >= this.claimed.max_attempts : made >= options.tries;
          if (error instanceof Permanent || last) {
            kept = await this.#keep(call, { error: stored(textOf(error)) });
          } else if (options.tries === undefined) {
            return this.#stop(asError(error));
          } else {
            await this.#pause((options.pause ?? 0) * 2 ** Math.min(made - 1, 20));
          }
          continue;
        }
        kept = await this.#keep(call, { value });
      }
      if (typeof kept.error === "string") throw new KeptError(name, kept.error);
      return kept.value as R;
    });
  }

  /** sleep waits for a time: a number of seconds, or a text such as "3d". The step is suspended meanwhile, however short the time is: it
   * holds no worker, no limit and no lease. Then the function runs again from the top. With 0 or less the function continues at once. */
  async sleep(duration: Duration): Promise<void> {
    return this.#sleep("sleep", { for: seconds(duration) });
  }

  /** sleepUntil waits as sleep does, until a point in time. */
  async sleepUntil(at: Date): Promise<void> {
    return this.#sleep("sleepUntil", { until: at.toISOString() });
  }

  /** awaitSignal waits for a signal to the task, or one of the alternatives. The step is suspended meanwhile. */
  async awaitSignal<P = unknown>(signal: string, awaiting: Awaiting = {}): Promise<Answer<P>> {
    return this.#enter(`awaitSignal("${signal}")`, async () => {
      const call = this.#call("$await." + signal);
      const { timeout, when, schema, or, assignee } = awaiting;
      const wait = { await: [{ signal, when, schema }, ...(or ?? [])], timeout, assignee };
      const kept = (await this.#recall(call)) ?? (await this.#ask(call, "suspend", { wait }));
      const { by, name, payload, sent_at } = kept.value as { by: string; name?: string; payload?: P; sent_at?: string };
      return { by, name: name ?? "", payload, sent_at };
    });
  }

  /** wait waits for a signal of the workflow, an event, a time, or the first of several alternatives. It checks the payload of a signal.
   * The step is suspended meanwhile. */
  async wait<const S extends On | readonly On[]>(on: S): Promise<AnswerOf<S>>;
  async wait<const S extends On | readonly On[]>(on: S, options: { timeout?: Duration; assignee?: string }): Promise<AnswerOf<S> | WaitTimedOut>;
  async wait(on: On | readonly On[], { timeout, assignee }: { timeout?: Duration; assignee?: string } = {}): Promise<unknown> {
    const all = (Array.isArray(on) ? on : [on]) as On[];
    const signals = all.filter((a) => typeof a === "object");
    if (signals.some((s) => isEvent(s) && typeof s.key === "function")) throw new TypeError("a durable function knows its input: give the key of the event as a text");
    return this.#enter("wait", async () => {
      const call = this.#call(signals[0] ? "$await." + signals[0].name : "$sleep");
      const wait = { await: all.map(awaited), timeout: timeout === undefined ? undefined : seconds(timeout), assignee };
      const { value } = (await this.#recall(call)) ?? (await this.#ask(call, "suspend", { wait }));
      const { by, name, payload, key, sent_at } = value as { by: string; name?: string; payload?: unknown; key?: string; sent_at?: string };
      if (by !== "signal" && by !== "event") return { by };
      const found = signals.find((s) => s.name === name && isEvent(s) === (by === "event"));
      try {
        return { by, name, ...(by === "event" ? { key: key ?? "" } : {}), payload: found ? await check(found.schema, payload) : payload, sent_at };
      } catch (error) {
        throw new Permanent(`what ${by} "${name}" carries does not fit: ${textOf(error)}`);
      }
    });
  }

  /** now returns the time of its first call. It returns the same time in every later run of the function. */
  async now(): Promise<Date> {
    return new Date((await this.#builtin("now", "$now", () => new Date(this.source.now()).toISOString())) as string);
  }

  /** random returns a source of random numbers from 0 to 1 that are the same in every run. Each call returns another source. */
  async random(): Promise<() => number> {
    const make = (): bigint[] => [randomBytes(8).readBigUInt64BE(), randomBytes(8).readBigUInt64BE()];
    const seed = (await this.#builtin("random", "$rand", make)) as (bigint | number)[];
    return xoshiro(seed.map(BigInt));
  }

  /** changed lets running functions use new code. It returns true if the function reaches this place for the first time, and also in later
   * runs of that function. It returns false if the function had already passed this place with the old code. */
  async changed(name: string): Promise<boolean> {
    return this.#enter(`changed("${name}")`, async () => {
      await this.#named(name);
      const call = this.#call("$changed." + name);
      const next = this.#kept![this.#at];
      if (next) return next.name === call.name && (await this.#recall(call)) !== undefined;
      await this.#keep(call, { value: true });
      return true;
    });
  }

  /** continueAs ends this run, deletes the kept results, and begins the function again. The property state of the job then returns the
   * given state. */
  async continueAs(state: unknown): Promise<never> {
    return this.#enter("continueAs", async () => {
      if (this.#at < this.#kept!.length) await this.#diverge("$continue");
      await this.flushLog();
      const answer = await this.#post("continue", { round: this.claimed.kept?.round ?? 0, state });
      return this.#stop(new Continued(state, answer.round ?? 0));
    });
  }

  /** leave suspends the step until a worker takes it whose build can read the result of the step above. It returns the reason for the end
   * of the run. For an element of a map, the step above has the name of the map. The worker calls leave. */
  async leave(misfit: Misfit): Promise<Error> {
    this.left = misfit;
    const body = { claim_no: this.claimed.claim_no, position: 0, name: misfit.step.replace(/\[\d+\]$/, "") };
    const { answer } = await this.source.call<KeptAnswer>("POST", `${this.path}/diverge`, body);
    return gone(answer) ?? new Suspended();
  }

  /** snooze suspends the step until a worker runs it again. The worker calls snooze. */
  async snooze({ message, after }: Snooze): Promise<void> {
    await this.source.call<KeptAnswer>("POST", `${this.path}/snooze`, { claim_no: this.claimed.claim_no, seconds: after, reason: message.slice(0, 2000) });
  }

  /** returns checks a function that has returned. The function must have repeated all calls whose results are kept. */
  async returns(): Promise<void> {
    if (this.#kept && !this.#ended && this.misuse === undefined && this.#at < this.#kept.length) await this.#diverge("$end");
  }

  async #enter<R>(what: string, call: () => Promise<R>): Promise<R> {
    if (this.#ended) return never();
    if (this.#busy) this.misuse ??= `${what} was called while another call was under way: ${rule}`;
    if (this.misuse !== undefined) throw new Permanent(this.misuse);
    this.#busy = true;
    try {
      this.#kept ??= await this.#load();
      return await call();
    } finally {
      this.#busy = false;
    }
  }

  async #load(): Promise<Kept[]> {
    const kept = this.claimed.kept;
    if (!kept) return [];
    if (kept.results) return kept.results;
    try {
      return await this.source.pages<Kept>(this.path + "/kept");
    } catch (error) {
      return this.#stop(asError(error));
    }
  }

  #stop(why: Error): Promise<never> {
    this.#ended ??= why;
    this.end(why);
    this.#finish(this.#ended);
    return never();
  }

  #call(name: string): Call {
    return { position: this.#at + 1, name, occurrence: (this.#seen.get(name) ?? 0) + 1 };
  }

  async #recall(call: Call): Promise<Kept | undefined> {
    const kept = this.#kept![this.#at];
    if (!kept) return undefined;
    if (kept.name !== call.name || kept.occurrence !== call.occurrence) await this.#diverge(call.name);
    this.#pass(call);
    return kept;
  }

  /** repeats says whether the function is still repeating calls that an earlier run made. */
  protected get repeats(): boolean {
    return this.#at < (this.#kept?.length ?? this.claimed.kept?.count ?? 0);
  }

  /** flushLog writes the buffered lines of the step's log before the step is suspended. */
  async flushLog(): Promise<void> {}

  #pass(call: Call): void {
    this.#at++;
    this.#seen.set(call.name, call.occurrence);
  }

  async #diverge(asked: string): Promise<never> {
    await this.#post("diverge", { position: this.#at + 1, name: asked });
    return this.#stop(new Suspended());
  }

  #keep(call: Call, what: { value: unknown } | { error: string }): Promise<Kept> {
    return this.#ask(call, "kept", "value" in what ? { value: what.value ?? null } : what);
  }

  async #ask(call: Call, what: string, body: object): Promise<Kept> {
    if (what === "suspend") await this.flushLog();
    const answer = await this.#post(what, { ...call, ...body });
    if (answer.answer === "suspended") return this.#stop(new Suspended());
    if (answer.answer === "diverged") return this.#diverge(call.name);
    const kept = { name: call.name, occurrence: call.occurrence, value: answer.value, error: answer.error };
    this.#kept!.push(kept);
    this.#fresh = true;
    this.#pass(call);
    return kept;
  }

  async #post(what: string, body: object): Promise<KeptAnswer> {
    let answer: KeptAnswer;
    try {
      stringify(body);
    } catch (error) {
      return this.#stop(new Permanent(`what ${what} was given cannot be encoded: ${textOf(error)}`));
    }
    try {
      answer = await this.source.call("POST", `${this.path}/${what}`, { claim_no: this.claimed.claim_no, ...body });
    } catch (error) {
      const final = error instanceof ApiError && (error.status === 413 || error.status === 422);
      return this.#stop(final ? new Permanent(error.message) : asError(error));
    }
    const why = gone(answer.answer);
    return why ? this.#stop(why) : answer;
  }

  async #builtin(what: string, name: string, make: () => unknown): Promise<unknown> {
    return this.#enter(what, async () => {
      const call = this.#call(name);
      return ((await this.#recall(call)) ?? (await this.#keep(call, { value: make() }))).value;
    });
  }

  async #sleep(what: string, wait: object): Promise<void> {
    return this.#enter(what, async () => {
      const call = this.#call("$sleep");
      if (!(await this.#recall(call))) await this.#ask(call, "suspend", { wait: { await: [wait] } });
    });
  }

  async #pause(seconds: number): Promise<void> {
    if (seconds > 0) await this.source.pause(seconds * 1000, this.signal);
    if (this.signal.aborted) await this.#stop(new Lost("the run of the function has ended"));
  }

  async #named(name: string): Promise<void> {
    if (names.test(name)) return;
    await this.#stop(
      new Permanent(`"${name}" is not a name for a call: a letter or digit, then at most 99 of these, underscores, dots, colons, slashes and hyphens`),
    );
  }

  #key(call: Call): string {
    const round = this.claimed.kept?.round ?? 0;
    return uuid5(this.claimed.step_uuid, `${call.name}/${call.occurrence}${round > 0 ? `/${round}` : ""}`);
  }
}

/** never returns a promise that is never settled. A call in a run that has ended returns this promise. */
function never(): Promise<never> {
  return new Promise(() => {});
}

/** gone returns the error that ends the run if the answer says that the claim has ended. */
function gone(answer: string): Error | undefined {
  if (answer === "stale") return new Lost("the step is no longer this worker's");
  return answer === "cancelled" ? new Cancelled("the step was cancelled") : undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** uuid5 returns the UUID of version 5 of a name. */
export function uuid5(namespace: string, name: string): string {
  const hash = createHash("sha1").update(Buffer.from(namespace.replaceAll("-", ""), "hex")).update(name).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** xoshiro returns the generator xoshiro128** with a seed. */
function xoshiro(seed: bigint[]): () => number {
  const word = (i: number, shift: bigint): number => Number(((seed[i] ?? 0n) >> shift) & 0xffffffffn);
  let [a, b, c, d] = [word(0, 32n), word(0, 0n), word(1, 32n), word(1, 0n) || 1];
  const rotated = (x: number, k: number): number => (x << k) | (x >>> (32 - k));
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    [c, d] = [c ^ a, d ^ b];
    [b, a] = [b ^ c, a ^ d];
    [c, d] = [c ^ t, rotated(d, 11)];
    return result / 2 ** 32;
  };
}
