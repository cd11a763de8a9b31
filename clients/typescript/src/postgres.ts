import { Unavailable } from "./errors.js";
import { first } from "./handle.js";
import { parse } from "./json.js";
import { pause, unless } from "./source.js";
import { answer, judged } from "./sql.js";
import { type Apart, encoded, type Exchange, type Exchanged, type Queryable, type Transaction, type Transport } from "./transport.js";

/** Connection is the part of a client of the package pg that Postgres uses. */
interface Connection extends Queryable {
  connect(): Promise<unknown>;
  end(): Promise<void>;
  on(event: string, listener: (...of: any[]) => void): unknown;
  readonly processID?: number | null;
  readonly connection?: { stream?: { destroy?(): void } };
}

interface Lent extends Queryable {
  release(destroy?: boolean): void;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** Pool is the part of a pool of the package pg that Postgres uses. */
export interface Pool extends Queryable {
  connect(): Promise<Lent>;
  on(event: "error", listener: (error: Error) => void): unknown;
  readonly options: object;
  readonly idleCount?: number;
}

/** Renewal is the body of POST /v1/leases that waits. */
interface Renewal {
  worker_uuid?: string;
  other_worker_uuids?: string[];
  wait_seconds?: number;
}

interface Sleep {
  ms: number;
  phase?: string;
  [state: string]: unknown;
}

// The channel on which the engine notifies a worker that some of its running steps should stop. The payload is the worker's UUID.
const stepsCancelled = "tasker_cancelled";
// How long a call may take by default.
const longestCall = 30_000;
// How long an exchange may take over the connection that waits for steps, and how long a connection may take to open.
const longestTurn = 10_000;
// How long a worker waits for plans before its first exchange.
const longestWarming = 2_000;
// How long the end of a connection is awaited.
const longestEnd = 1_000;
// How long a worker does without a connection after its login has reached its connection limit.
const giveWayFor = 30_000;
// How long a worker sleeps at most if notifications cannot arrive, such as behind a pooler.
const unlistened = 1_000;
// The number of exchanges after which a worker that is marked asleep counts as busy. It is then marked awake, so that other sessions need
// not notify it.
const busy = 3;

/**
 * Postgres makes a worker's calls directly to PostgreSQL, without a server in between. It exchanges results for steps, sleeps until NOTIFY
 * wakes it, renews leases, receives cancellations, and does the duties that every worker may do. It opens one connection for each exchange
 * that may be under way (2 by default), one connection for leases, and one connection in the thread that renews leases. The pool is for
 * handlers: for job.tx(), and for the kept results of durable functions.
 *
 * If the login has no connection left, the worker closes some connections for half a minute: first the connections of further exchanges,
 * then the connections of leases. Their calls go over the connection of the first exchange meanwhile.
 *
 * Set connectionTimeoutMillis of the pool, for example to 10000. Without this option pg waits for a silent server as long as the operating
 * system does, and a connection that cannot open holds a place of the pool for that time.
 */
export class Postgres implements Transport {
  readonly interruptible = true;
  readonly #pool: Pool;
  readonly #exchanges: Line; // the connection of slot 0, which also waits for steps
  #further: Line[] = []; // the connections of the other slots
  readonly #make: () => Connection;
  #leases: Line;
  readonly #leaving = new Set<Line>(); // lines that close when their last call has ended
  #sharedUntil = 0; // until then all exchanges share a line
  #aloneUntil = 0; // until then leases use that line, too
  #namespaces: string[] | null = null;
  #sleep: Sleep | undefined;
  #slept = 0; // exchanges since the worker fell asleep
  readonly #lent = new WeakSet<Lent>();
  readonly #due = new Bell();
  readonly #cancelled = new Bell();
  #workers: string[] = []; // the workers for whose cancelled steps a call waits

  constructor(pool: Pool) {
    this.#pool = pool;
    pool.on("error", () => {}); // An idle connection was lost. The pool opens another connection.
    const Client = (pool as unknown as { Client: new (options: object) => Connection }).Client;
    const make = (this.#make = (): Connection => new Client(pool.options));
    this.#exchanges = new Line(make, (connection) => this.#channels(connection), () => this.#due.ring());
    this.#leases = this.#lineOfLeases();
  }

  #lineOfLeases(): Line {
    return new Line(this.#make, async () => [stepsCancelled], (worker) => {
      if (worker === undefined || this.#workers.includes(worker)) this.#cancelled.ring();
    });
  }

  /** #giveWay closes some connections, because the login has no connection left for another call. */
  #giveWay(): void {
    const now = Date.now();
    const enough = this.#further.some((line) => line.open);
    this.#sharedUntil = now + giveWayFor;
    this.#further.splice(0).forEach((line) => this.#retire(line));
    if (enough) return;
    this.#aloneUntil = now + giveWayFor;
    this.#retire(this.#leases);
    this.#leases = this.#lineOfLeases();
    this.#cancelled.ring();
    for (let idle = this.#pool.idleCount ?? 0; idle > 0; idle--) void this.#pool.connect().then((client) => client.release(true)).catch(() => {});
  }

  #retire(line: Line): void {
    this.#leaving.add(line);
    void line.retire().finally(() => this.#leaving.delete(line));
  }

  /** #spared makes a call over a connection that may be given up. If the login has no connection left, it makes the call over the
   * connection of the first exchange. */
  async #spared<R>(shared: () => boolean, own: () => Promise<R>, instead: () => Promise<R>): Promise<R> {
    if (shared()) return instead();
    try {
      return await own();
    } catch (error) {
      if (!noPlace(error)) throw error;
      this.#giveWay();
      return instead();
    }
  }

  /** #insisted makes a call over the connection of the first exchange. If necessary, the other connections give way to this connection. */
  async #insisted<R>(call: () => Promise<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      if (noPlace(error)) this.#giveWay();
      throw error;
    }
  }

  /** #alone says whether leases share the connection of the first exchange. */
  #alone = (): boolean => Date.now() < this.#aloneUntil;

  async send<R>(method: string, path: string, body: string | undefined, milliseconds: number, ended?: AbortSignal): Promise<R> {
    const apart = /^\/v1\/(leases|workers|releases)$/.test(path);
    const query = (text: string, values: (string | null)[]): Promise<string | undefined> => this.#spared(
      apart ? this.#alone : () => false,
      () => (apart ? this.#leases.first(milliseconds, text, values) : this.#pooled(milliseconds, text, values)),
      () => this.#insisted(() => this.#exchanges.first(milliseconds, text, values)),
    );
    const asked = (): Promise<unknown> => unless(ended, answer(query, method, path, body));
    try {
      const { wait_seconds, worker_uuid, other_worker_uuids = [] } = path === "/v1/leases" && body !== undefined ? (parse(body) as Renewal) : {};
      if (!wait_seconds) return (await asked()) as R;
      this.#workers = worker_uuid === undefined ? [] : [worker_uuid, ...other_worker_uuids];
      return (await this.#hear(asked as () => Promise<Renewed>, wait_seconds * 1000, milliseconds, ended)) as R;
    } catch (error) {
      throw judged(error);
    }
  }

  /** #lend takes a connection from the pool. If a connection is lost between two queries, it emits an error, which ends the process unless
   * there is a listener. */
  async #lend(): Promise<Lent> {
    const client = await this.#pool.connect();
    if (!this.#lent.has(client)) client.on?.("error", () => {});
    this.#lent.add(client);
    return client;
  }

  /** #pooled runs a query over the pool. If the query takes too long, #pooled gives it up together with its connection, which may be dead.
   * */
  async #pooled(milliseconds: number, text: string, values: (string | null)[]): Promise<string | undefined> {
    const lent = this.#lend();
    let dead = false;
    try {
      return await inTime(milliseconds, lent.then((client) => first(client, text, values)));
    } catch (error) {
      dead = (error as { severity?: string }).severity === undefined; // An error without a severity does not come from the server.
      throw error;
    } finally {
      void lent.then((client) => client.release(dead || this.#alone())).catch(() => {});
    }
  }

  /** #hear renews leases, waits until a running step of the worker is cancelled, and renews the leases again, as POST /v1/leases does. */
  async #hear(renew: () => Promise<Renewed>, most: number, milliseconds: number, ended?: AbortSignal): Promise<Renewed> {
    this.#cancelled.rung = false;
    await unless(ended, this.#spared<unknown>(this.#alone, () => this.#leases.listens(milliseconds), async () => false));
    const renewed = await renew();
    if (renewed.items.some(({ answer }) => answer !== "extended" && answer !== "busy")) return renewed;
    await this.#cancelled.wait(most, ended);
    return ended?.aborted ? renewed : renew();
  }

  async exchange(request: Exchange, waitSeconds: number, milliseconds: number, ended?: AbortSignal, slot = 0): Promise<Exchanged> {
    this.#namespaces = request.namespaces;
    try {
      if (waitSeconds > 0) return await this.#poll(request, Date.now() + waitSeconds * 1000, milliseconds, ended, slot);
      // No notification comes for steps that the worker's own results make due.
      if (slot > 0) {
        const ask = (line: Line): Promise<Exchanged> => this.#ask(line, milliseconds, "exchange", encoded(request, {}));
        const answered = await this.#spared(
          () => Date.now() < this.#sharedUntil, () => ask(this.#line(slot)), () => this.#insisted(() => ask(this.#exchanges)),
        );
        this.#due.ring();
        return answered;
      }
      this.#due.rung = true;
      if (!this.#sleep || ++this.#slept < busy) return await this.#ask(this.#exchanges, milliseconds, "exchange", encoded(request, {}));
      const awake = await this.#ask(this.#exchanges, milliseconds, "exchange_or_sleep", encoded(request, { sleep: { ...this.#sleep, woken: true } }));
      this.#sleep = awake.sleep;
      return awake;
    } catch (error) {
      if (slot === 0) {
        this.#sleep = undefined;
        if (noPlace(error)) this.#giveWay();
      }
      throw judged(error);
    }
  }

  /** #poll claims steps, and falls asleep as docs/wakeups.md says. */
  async #poll(request: Exchange, until: number, milliseconds: number, ended: AbortSignal | undefined, slot: number): Promise<Exchanged> {
    if (slot > 0) throw new RangeError("slot 0 waits for steps");
    for (;;) {
      const woken = this.#due.rung;
      this.#due.rung = false;
      // A stopping worker waits for the end of a turn that has begun.
      const by = Date.now() + Math.min(milliseconds, longestTurn);
      const listens = await this.#exchanges.listens(by - Date.now());
      const asked = listens ? "exchange_or_sleep" : "exchange";
      const answered = await this.#ask(this.#exchanges, by - Date.now(), asked, encoded(request, this.#sleep && listens ? { sleep: { ...this.#sleep, woken } } : {}));
      const asleep = this.#sleep !== undefined;
      this.#sleep = answered.sleep;
      if (this.#sleep && !asleep) this.#slept = 0;
      const left = until - Date.now();
      if (answered.claimed.length > 0 || left <= 0 || ended?.aborted) return answered;
      const most = Math.min(left, this.#sleep && listens ? this.#sleep.ms : unlistened);
      if (most > 0) await this.#due.wait(most, ended);
      if (ended?.aborted) return answered;
    }
  }

  async #ask(line: Line, milliseconds: number, name: string, body: string): Promise<Exchanged & { sleep?: Sleep }> {
    const text = await line.first(milliseconds, `select tasker.${name}($1::text::jsonb)::text`, [body]);
    return parse(text!) as Exchanged & { sleep?: Sleep };
  }

  /** warm makes the plans of the connections of exchanges, all at the same time. */
  async warm(slots: number, namespaces: string[] | null, ended: AbortSignal): Promise<void> {
    this.#namespaces = namespaces;
    const lines = Array.from({ length: slots }, (_, slot) => (slot === 0 ? this.#exchanges : this.#line(slot)));
    const warming = Promise.allSettled(lines.map((line) => line.first(longestWarming, "select tasker.warm_session()::text", [])));
    await unless(ended, warming).catch(() => {}); // A worker that stops does not wait.
  }

  /** #line returns the connection of a slot. */
  #line(slot: number): Line {
    while (this.#further.length < slot) this.#further.push(new Line(this.#make));
    return this.#further[slot - 1]!;
  }

  /** #channels returns the channels of the namespaces that the worker serves. A worker that names no namespaces serves all namespaces that
   * its login may serve. */
  async #channels(connection: Queryable): Promise<string[]> {
    const names = this.#namespaces ?? (parse((await first(connection, "select coalesce(json_agg(n.name), '[]')::text from tasker.list_namespaces() as n", []))!) as string[]);
    return names.map((name) => `tasker_steps_ready.${name}`);
  }

  async begin(): Promise<Transaction> {
    const lent = this.#lend();
    let client: Lent;
    try {
      client = await inTime(longestCall, lent);
      await inTime(longestCall, client.query("begin isolation level read committed"));
    } catch (error) {
      if (noPlace(error)) this.#giveWay();
      void lent.then((client) => client.release(true)).catch(() => {});
      throw judged(error);
    }
    let open = true;
    const release = (destroy: boolean): void => {
      open = false;
      client.release(destroy);
    };
    let dead = false;
    const bounded = async <R>(call: Promise<R>): Promise<R> => {
      try {
        return await inTime(longestCall, call);
      } catch (error) {
        dead ||= error instanceof Unavailable;
        throw error;
      }
    };
    const rollback = async (): Promise<void> => {
      if (!open) return;
      if (dead) return release(true);
      try {
        await bounded(client.query("rollback"));
        release(false);
      } catch {
        release(true);
      }
    };
    return {
      tx: client,
      commit: async ({ step_uuid, claim_no }, result) => {
        try {
          await bounded(first(client, "select tasker.complete_step($1::text::uuid, $2::text::integer, $3::text::jsonb)", [step_uuid, String(claim_no), result]));
        } catch (error) {
          // An earlier transaction with this result has committed, but its answer was lost. The earlier transaction counts, and this
          // transaction is rolled back.
          if ((error as { code?: string }).code === "TK409" && /recorded already/.test(String(error))) return rollback();
          throw judged(error);
        }
        try {
          await bounded(client.query("commit"));
          release(false);
        } catch (error) {
          throw judged(error);
        }
      },
      rollback,
    };
  }

  /** attend does the duties of docs/operations.md that are due, each in a separate transaction. */
  async attend(): Promise<void> {
    try {
      while ((await this.#pooled(longestCall, "select 'done' from tasker.do_duties()", [])) !== undefined) { /* the next one */ }
    } catch (error) {
      throw judged(error);
    }
  }

  /** apart returns the arguments for the connection of the thread that renews leases. It returns undefined if the pool's options contain
   * functions, since functions cannot be sent to another thread, and while leases share a connection. */
  async apart(): Promise<Apart | undefined> {
    if (this.#alone()) return undefined;
    const { password, ssl, types, ...others } = this.#pool.options as Record<string, any>;
    if (others["stream"]) return undefined;
    const plain = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value !== "function"));
    const secret = typeof password === "function" ? await password(this.#pool.options) : password;
    // pg hides passwords and keys from enumerations.
    const key = typeof ssl === "object" && ssl?.key ? { ssl: { ...ssl, key: ssl.key } } : { ssl };
    try {
      return structuredClone({ options: { ...plain, ...(secret == null ? {} : { password: secret }), ...key } });
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#further, ...this.#leaving, this.#exchanges, this.#leases].map((line) => line.close()));
  }
}

interface Renewed {
  items: { answer: string }[];
}

/** noPlace says whether the server refused a connection because the login, the database or the server has reached its connection limit. */
function noPlace(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === "53300";
}

/** inTime returns the value of a promise. It gives up after a time, since a server that has vanished never answers. */
async function inTime<R>(milliseconds: number, promised: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(`PostgreSQL has not answered in ${Math.ceil(milliseconds / 1000)} s`)), milliseconds);
  });
  try {
    return await Promise.race([promised, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Bell lets a caller wait for a notification. It remembers a notification that comes while no call waits: `rung` is true until it is
 * cleared. */
class Bell {
  rung = false;
  #wake = (): void => {};

  ring(): void {
    this.rung = true;
    this.#wake();
  }

  async wait(milliseconds: number, ended?: AbortSignal): Promise<void> {
    if (this.rung || ended?.aborted) return;
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#wake = wake;
    ended?.addEventListener("abort", wake);
    await pause(milliseconds, woken.signal);
    ended?.removeEventListener("abort", wake);
  }
}

/** Line is a connection that is opened again after it was lost. */
class Line {
  #made: Promise<{ connection: Connection; listens: boolean }> | undefined;
  readonly #calls = new Set<Promise<unknown>>();

  constructor(readonly make: () => Connection, readonly channels?: (connection: Queryable) => Promise<string[]>, readonly notified = (_payload?: string): void => {}) {}

  async listens(milliseconds: number): Promise<boolean> {
    return (await this.#connected(milliseconds)).listens;
  }

  async first(milliseconds: number, text: string, values: (string | null)[]): Promise<string | undefined> {
    const by = Date.now() + milliseconds;
    const call = this.#connected(milliseconds).then(({ connection }) => this.#bounded(connection, by - Date.now(), first(connection, text, values)));
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** open says whether the line has a connection or is opening one. */
  get open(): boolean {
    return this.#made !== undefined;
  }

  /** retire closes the line when the running calls have ended. */
  async retire(): Promise<void> {
    await Promise.allSettled([...this.#calls]);
    await this.close();
  }

  async close(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    if (!made) return;
    const late = new AbortController();
    await Promise.race([made.then(({ connection }) => connection.end()).catch(() => {}), pause(longestEnd, late.signal)]);
    late.abort();
    void made.then(({ connection }) => connection.connection?.stream?.destroy?.()).catch(() => {});
  }

  async #connected(milliseconds: number): Promise<{ connection: Connection; listens: boolean }> {
    this.#made ??= this.#connect(Date.now() + Math.min(milliseconds, longestTurn)).catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return inTime(milliseconds, this.#made); // Another call, which has more time, may have begun to open the connection.
  }

  async #connect(by: number): Promise<{ connection: Connection; listens: boolean }> {
    const connection = this.make();
    connection.on("error", () => this.#lost(connection));
    connection.on("end", () => this.#lost(connection));
    connection.on("notification", ({ payload }: { payload?: string }) => this.notified(payload ?? ""));
    try {
      await this.#bounded(connection, by - Date.now(), connection.connect());
      const pid = await this.#bounded(connection, by - Date.now(), first(connection, "select pg_backend_pid()::text from set_config('default_transaction_isolation', 'read committed', false)", []));
      // Behind a pooler the answer comes from another server process than the notifications.
      const listens = this.channels !== undefined && pid === String(connection.processID);
      if (listens) {
        for (const channel of await this.#bounded(connection, by - Date.now(), this.channels!(connection))) {
          await this.#bounded(connection, by - Date.now(), connection.query(`listen "${channel.replaceAll('"', '""')}"`));
        }
      }
      return { connection, listens };
    } catch (error) {
      connection.connection?.stream?.destroy?.(); // Otherwise the connection would still use up a place at the server.
      throw error;
    }
  }

  #lost(connection: Connection): void {
    void this.#made?.then((made) => {
      if (made.connection === connection) this.#made = undefined;
    }).catch(() => {});
    this.notified();
  }

  /** #bounded runs a query. If the query takes too long, #bounded gives up the query and its connection. */
  async #bounded<R>(connection: Connection, milliseconds: number, query: Promise<R>): Promise<R> {
    try {
      return await inTime(milliseconds, query);
    } catch (error) {
      if (error instanceof Unavailable) {
        connection.connection?.stream?.destroy?.();
        this.#lost(connection);
      }
      throw error;
    }
  }
}
