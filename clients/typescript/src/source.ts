import { ApiError, awaitsAPerson, Unavailable } from "./errors.js";
import { stringify } from "./json.js";
import type { Transport } from "./transport.js";

const firstPause = 50;
const longestPause = 2000;
const longestForAPerson = 30_000;
const saidAgain = 60_000;
const saidSeldom = 600_000;
const within = 30_000;

/** Abandoned says that the worker has given a call up. */
export class Abandoned extends Error {
  override name = "Abandoned";
}

/** Logger takes the reports of a worker. console is one. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** pause lets time pass, or less time if the signal ends the pause. */
export function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    const over = (): void => {
      clearTimeout(timer);
      ended.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    ended.addEventListener("abort", over);
  });
}

/** unless returns the value of a promise, unless the signal ends the wait. */
export async function unless<R>(ended: AbortSignal | undefined, promised: Promise<R>): Promise<R> {
  if (!ended) return promised;
  let giveUp = (): void => {};
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Unavailable("the call was given up"));
    ended.addEventListener("abort", giveUp);
    if (ended.aborted) giveUp();
  });
  try {
    return await Promise.race([promised, given]);
  } finally {
    ended.removeEventListener("abort", giveUp);
  }
}

/** Weather is the state of the server's outages. The log has a line when an outage begins, a line when it ends, and a line a minute
 * between. The first success of any call ends the pauses of the others. */
export class Weather {
  /** until is the time at which the worker's own exchanges may be tried again. */
  until = 0;
  /** worked says whether any call has succeeded yet. */
  worked = false;
  #since: number | undefined;
  #said = -Infinity;
  #pause = 0;
  #texts = new Map<string, number>();
  #over = new AbortController();

  constructor(readonly log: Logger) {}

  /** away says whether calls fail. */
  get away(): boolean { return this.#since !== undefined; }

  /** over is aborted when the next outage has ended, since a request from before the outage may wait in vain. */
  get over(): AbortSignal { return this.#over.signal; }

  /** failed notes a call that was not judged. */
  failed(what: string, error: Unavailable): void {
    const now = Date.now();
    this.#since ??= now;
    if (now - this.#said >= saidAgain) {
      this.#said = now;
      this.log.warn(`${what} failed; it is repeated until the server answers: ${error.message}`);
    }
    if (now >= this.until) {
      this.#pause = Math.min(Math.max(2 * this.#pause, firstPause), longestPause);
      this.until = now + this.#pause * (0.9 + 0.2 * Math.random());
    }
  }

  /** succeeded notes that the server has answered. */
  succeeded(): void {
    this.worked = true;
    if (this.#since === undefined) return;
    if (this.#said >= this.#since) this.log.warn(`the server answers again after ${((Date.now() - this.#since) / 1000).toFixed(1)} s`);
    this.#since = undefined;
    this.#pause = this.until = 0;
    this.#over.abort();
    this.#over = new AbortController();
  }

  /** refused notes a call that waits until a person mends the token or its rights. */
  refused(what: string, error: ApiError): void {
    const now = Date.now();
    if (now - (this.#texts.get(error.message) ?? -Infinity) < saidSeldom) return;
    for (const [text, at] of this.#texts) if (now - at >= saidSeldom) this.#texts.delete(text);
    this.#texts.set(error.message, now);
    this.log.error(`${what} is kept and repeated until a person has mended it: ${error.message}`);
  }

  /** wait lets time pass, or less time if a call succeeds or the worker ends. */
  async wait(milliseconds: number, ended: AbortSignal): Promise<void> {
    const either = new AbortController();
    const abort = (): void => either.abort();
    const over = this.#over.signal;
    ended.addEventListener("abort", abort);
    over.addEventListener("abort", abort);
    if (!ended.aborted) await pause(milliseconds * (0.9 + 0.2 * Math.random()), either.signal);
    ended.removeEventListener("abort", abort);
    over.removeEventListener("abort", abort);
  }
}

// Only few values are kept, since a large value may have a megabyte.
const mostShared = 64;

/** Shared keeps values that several steps use, the newest values. */
export class Shared {
  readonly #values = new Map<string, Promise<unknown>>();

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  put(key: string, value: unknown): void {
    this.#values.set(key, Promise.resolve(value));
    while (this.#values.size > mostShared) this.#values.delete(this.#values.keys().next().value!);
  }

  /** get returns a value, and loads it if it is missing: only once, even if several callers ask at the same time. */
  get(key: string, load: () => Promise<unknown>): Promise<unknown> {
    const known = this.#values.get(key);
    if (known) return known;
    const loaded = load();
    this.put(key, loaded);
    loaded.catch(() => this.#values.delete(key));
    return loaded;
  }
}

/** Source makes the calls of a running step to the server, and repeats them while the server is away. */
export class Source {
  readonly abandoned = new AbortController();
  readonly weather: Weather;

  constructor(readonly client: Transport, readonly lease: number, readonly log: Logger) {
    this.weather = new Weather(log);
  }

  /** contexts are the contexts of tasks whose steps the worker runs, so that a context is neither sent nor loaded for each step. */
  readonly contexts = new Shared();
  /** parents are the results that the elements of a map share. */
  readonly parents = new Shared();

  /** now is the time, in milliseconds. A test has its own clock. */
  now(): number {
    return Date.now();
  }

  /** pause lets time pass for a durable function. */
  pause(milliseconds: number, ended: AbortSignal): Promise<void> {
    return pause(milliseconds, ended);
  }

  async call<R>(method: string, path: string, body?: unknown): Promise<R> {
    const text = body === undefined ? undefined : stringify(body);
    return this.persist(path, () => this.client.send<R>(method, path, text, within));
  }

  /** pages returns the items of all pages of a list. */
  async pages<Row>(path: string): Promise<Row[]> {
    const found: Row[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { items: Row[]; next_cursor: string | null } = await this.call("GET", `${path}?limit=100&cursor=${cursor}`);
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  }

  /** once makes a call, and notes its outcome. */
  async once<R>(what: string, call: () => Promise<R>): Promise<R> {
    try {
      const answer = await call();
      this.weather.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof Unavailable) this.weather.failed(what, error);
      else if (error instanceof ApiError) this.weather.worked ? this.weather.succeeded() : undefined;
      throw error;
    }
  }

  /** persist makes a call until the server has judged it, or the worker gives up. */
  async persist<R>(what: string, call: () => Promise<R>): Promise<R> {
    for (let wait = firstPause; ; ) {
      let failure: Error;
      let longest = longestPause;
      try {
        return await this.once(what, call);
      } catch (error) {
        if (error instanceof ApiError && awaitsAPerson(error)) {
          this.weather.refused(what, error);
          longest = longestForAPerson;
        } else if (!(error instanceof Unavailable)) throw error;
        failure = error;
      }
      if (this.abandoned.signal.aborted) throw new Abandoned(failure.message);
      await this.weather.wait(wait, this.abandoned.signal);
      wait = Math.min(2 * wait, longest);
    }
  }
}
