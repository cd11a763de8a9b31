import { DurableFunction } from "./durable.js";
import { Cancelled, Lost, Permanent, textOf } from "./errors.js";
import { stringify } from "./json.js";
import { pause, type Source } from "./source.js";

// Values, streams and the log of a running step: docs/howto/streams.md of the repository.

const every = 500;
const most = 999;
const longest = 8_000;
/** A call takes 1 MiB of items. */
const mostBytes = 512 * 1024;
const lastWithin = 5_000;

/** Batches are the batches that one claim has appended to each stream, and the last call: batches are written in their order. */
interface Batches {
  counts: Map<string, number>;
  last: Promise<unknown>;
}

/** batches are kept by the step's UUID and claim number, since a function that begins again goes on under the same claim. */
const batches = new WeakMap<Source, Map<string, Batches>>();

/** StepLog writes lines to the stream log of a step. Lines are written together, twice a second and before the step ends or waits, at most
 * 999 and 512 KiB at a time. Further lines are dropped, and a line says how many. */
export class StepLog {
  #lines: string[] = [];
  #bytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #writing: Promise<void> = Promise.resolve();
  readonly #write: (lines: string) => Promise<void>;
  readonly #silent: () => boolean;

  constructor(write: (lines: string) => Promise<void>, silent: () => boolean) {
    this.#write = write;
    this.#silent = silent;
  }

  debug(msg: string, fields: Record<string, unknown> = {}): void { this.#add("DEBUG", msg, fields); }
  info(msg: string, fields: Record<string, unknown> = {}): void { this.#add("INFO", msg, fields); }
  warn(msg: string, fields: Record<string, unknown> = {}): void { this.#add("WARN", msg, fields); }
  error(msg: string, fields: Record<string, unknown> = {}): void { this.#add("ERROR", msg, fields); }

  #add(level: string, msg: string, fields: Record<string, unknown>): void {
    if (this.#closed || this.#silent()) return;
    const time = new Date().toISOString();
    let line: string;
    try {
      line = stringify({ time, level, msg, ...fields }).replaceAll("\\u0000", "\\ufffd");
    } catch (error) {
      line = stringify({ time, level, msg, "not written": textOf(error) });
    }
    if (Buffer.byteLength(line) > longest) line = stringify({ time, level, msg: msg.slice(0, longest / 8), cut: Buffer.byteLength(line) });
    const size = Buffer.byteLength(line);
    if (this.#lines.length >= most || this.#bytes + size > mostBytes) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#bytes += size;
    this.#timer ??= setTimeout(() => void this.flush(), every).unref();
  }

  /** flush writes the lines that wait. Lines that the database refuses are lost: a log does not fail its step. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    const lines = this.#lines;
    if (this.#dropped > 0) lines.push(stringify({ time: new Date().toISOString(), level: "WARN", msg: "lines were dropped", dropped: this.#dropped }));
    [this.#lines, this.#bytes, this.#dropped, this.#timer] = [[], 0, 0, undefined];
    if (lines.length > 0) this.#writing = this.#writing.then(() => this.#write(`[${lines.join()}]`)).catch(() => {});
    await this.#writing; // Also lines that the timer has sent: the step must not end before them.
  }

  /** close writes the last lines, and accepts no further ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }
}

/** Writer is the part of a job that writes values and streams. */
export abstract class Writer extends DurableFunction {
  #log: StepLog | undefined;

  /** setValue sets a value of the step: the last value wins, and readers see it at once. It throws Lost or Cancelled if the step no longer
   * belongs to this worker. A durable function that runs again does not repeat values that it has already set. */
  async setValue(name: string, value: unknown): Promise<void> {
    await this.#send(`/values/${encodeURIComponent(name)}`, { value: value ?? null });
  }

  /** progress sets the step's progress, from 0 to 1, and its present work. Lists of tasks show both. */
  async progress(done: number, text = ""): Promise<void> {
    await this.setValue("progress", { done, ...(text && { text }) });
  }

  /** append appends items to a stream of the step, at most 1,000: readers get them in order, once. A call costs more than an item. */
  async append(stream: string, items: unknown[]): Promise<void> {
    if (items.length === 0 || this.repeats) return;
    let text: string;
    try {
      text = stringify(items);
    } catch (error) {
      throw new Permanent(`the items cannot be encoded: ${textOf(error)}`);
    }
    await this.#append(stream, text);
  }

  /** log writes lines to the stream log of the step: job.log.info("declined", { card }). */
  get log(): StepLog {
    return (this.#log ??= new StepLog((lines) => this.#append("log", lines), () => this.repeats));
  }

  override async flushLog(): Promise<void> {
    await this.#log?.flush();
  }

  /** closeLog writes the last lines of the log, for at most 5 seconds. The worker calls it. */
  async closeLog(): Promise<void> {
    const written = new AbortController();
    if (this.#log) await Promise.race([this.#log.close().finally(() => written.abort()), pause(lastWithin, written.signal)]);
  }

  /** closeStreams forgets the batches of the claim. The worker calls it. */
  closeStreams(): void {
    batches.get(this.source)?.delete(this.#claim);
  }

  get #claim(): string {
    return `${this.claimed.step_uuid} ${this.claimed.claim_no}`;
  }

  #append(stream: string, items: string): Promise<void> {
    const of = batches.get(this.source) ?? new Map<string, Batches>();
    batches.set(this.source, of);
    const mine = of.get(this.#claim) ?? { counts: new Map<string, number>(), last: Promise.resolve() };
    of.set(this.#claim, mine);
    const made = mine.last.then(() => {
      // A number is used once, also if the call fails: the batch may have been written nevertheless.
      const no = (mine.counts.get(stream) ?? 0) + 1;
      mine.counts.set(stream, no);
      return this.#write(`/streams/${encodeURIComponent(stream)}`, `{"claim_no":${this.claimed.claim_no},"items":${items},"batch_no":${no}}`);
    });
    mine.last = made.catch(() => {});
    return made;
  }

  async #send(path: string, body: object): Promise<void> {
    if (this.repeats) return;
    this.signal.throwIfAborted();
    let text: string;
    try {
      text = stringify({ claim_no: this.claimed.claim_no, ...body });
    } catch (error) {
      throw new Permanent(`the value cannot be encoded: ${textOf(error)}`);
    }
    await this.#write(path, text);
  }

  async #write(path: string, text: string): Promise<void> {
    const { answer } = await this.source.persist(path, () => this.source.client.send<{ answer: string }>("POST", this.path + path, text, 30_000));
    if (answer === "saved") return;
    this.end(answer === "cancelled" ? new Cancelled("the step was cancelled") : new Lost("the step is no longer this worker's"));
    this.signal.throwIfAborted();
  }
}
