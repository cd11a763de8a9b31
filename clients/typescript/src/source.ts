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

/** pause lets time pass, or less if the signal ends it. */
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

/** unless returns what is promised, unless the signal ends the wait for it. */
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

/** Weather is the state of the server's outages. The log has a line when one begins, one when it ends, and one a minute between. The
 * first success of any call ends the pauses of the others. */
export class Weather {
  /** until is when the worker's own exchanges may be tried again. */
  until = 0;
  /** worked is whether any call has succeeded yet. */
  worked = false;
  #since: number | undefined;
  #said = -Infinity;
  #pause = 0;
  #texts = new Map<string, number>();
  #over = new AbortController();

  constructor(readonly log: Logger) {}

  /** away is whether calls fail. */
  get away(): boolean { return this.#since !== undefined; }

  /** over is aborted when the next outage has ended: a request that waits since before may wait for nothing. */
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

  /** refused notes a call that waits for a person, who mends the token or its rights. */
  refused(what: string, error: ApiError): void {
    const now = Date.now();
    if (now - (this.#texts.get(error.message) ?? -Infinity) < saidSeldom) return;
    for (const [text, at] of this.#texts) if (now - at >= saidSeldom) this.#texts.delete(text);
    this.#texts.set(error.message, now);
    this.log.error(`${what} is kept and repeated until a person has mended it: ${error.message}`);
  }

  /** wait lets time pass, or less if a call has succeeded or the worker has ended. */
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

// Values that are shared are few, since a large one has a megabyte.
const mostShared = 64;

/** Shared keeps values that several steps use, the newest ones. */
export class Shared {
  readonly #values = new Map<string, Promise<unknown>>();

  get keys(): string[] {
    return [...this.#values.keys()];
  }

  put(key: string, value: unknown): void {
    this.#values.set(key, Promise.resolve(value));
    while (this.#values.size > mostShared) this.#values.delete(this.#values.keys().next().value!);
  }

  /** get returns a value, and loads it if it is not there: once, also if several ask at the same time. */
  get(key: string, load: () => Promise<unknown>): Promise<unknown> {
    const known = this.#values.get(key);
    if (known) return known;
    const loaded = load();
    this.put(key, loaded);
    loaded.catch(() => this.#values.delete(key));
    return loaded;
  }
}

/** Source is what a running step asks of the server: its calls are repeated while the server is away. */
export class Source {
  readonly abandoned = new AbortController();
  readonly weather: Weather;

  constructor(readonly client: Transport, readonly lease: number, readonly log: Logger) {
    this.weather = new Weather(log);
  }

  /** contexts are the contexts of tasks whose steps the worker runs, so that the same one is neither sent nor loaded for each. */
  readonly contexts = new Shared();
  /** parents are the results that the elements of a map have in common. */
  readonly parents = new Shared();

  /** now is the time, in milliseconds. A test has a clock of its own. */
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

  /** once makes a call, and notes how it went. */
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
