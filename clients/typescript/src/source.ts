import { Client } from "./client.js";
import { Unavailable } from "./errors.js";
import { stringify } from "./json.js";

const firstPause = 50;
const longestPause = 2000;
const within = 30_000;

/** Abandoned says that the worker has given a call up. */
export class Abandoned extends Error {
  override name = "Abandoned";
}

/** Logger is what a worker reports to; console is one. */
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

/** Source is what a running step asks of the server: its calls are repeated while the server is away. */
export class Source {
  readonly abandoned = new AbortController();

  constructor(readonly client: Client, readonly lease: number, readonly log: Logger) {}

  async call<R>(method: string, path: string, body?: unknown): Promise<R> {
    const text = body === undefined ? undefined : stringify(body);
    return this.persist(path, this.abandoned.signal, () => this.client.send<R>(method, path, text, within));
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

  /** persist makes a call until the server has answered it, or the signal ends. */
  async persist<R>(what: string, ended: AbortSignal, call: () => Promise<R>): Promise<R> {
    for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPause)) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        if (ended.aborted) throw new Abandoned(error.message);
        this.log.warn(`${what} failed; trying again: ${error.message}`);
      }
      await pause(wait * (0.9 + 0.2 * Math.random()), ended);
    }
  }
}
