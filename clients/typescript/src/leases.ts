import { isMainThread, parentPort, Worker as Thread, workerData } from "node:worker_threads";

import { Client } from "./client.js";
import { concernsSome } from "./errors.js";
import { stringify } from "./json.js";
import type { Pool } from "./postgres.js";
import type { Apart, Transport } from "./transport.js";

const mostInACall = 1000;

/** callsOf divides claims into batches, one for each call. The database refuses a call that names a step twice. A worker may have two
 * claims of one step if the result of the first claim is still unsent or its handler still runs. These claims go in two calls, and the
 * database decides which claim counts. */
export function callsOf<C extends { step_uuid: string; claim_no: number }>(claims: C[]): C[][] {
  const calls: C[][] = [];
  for (let rest = [...new Map(claims.map((claim) => [`${claim.step_uuid} ${claim.claim_no}`, claim])).values()]; rest.length > 0; ) {
    const call = new Map<string, C>();
    rest = rest.filter((claim) => {
      if (call.size === mostInACall || call.has(claim.step_uuid)) return true;
      call.set(claim.step_uuid, claim);
      return false;
    });
    calls.push([...call.values()]);
  }
  return calls;
}

/** renewInHalves renews leases. If a renewal is refused, it repeats the renewal for each half of the claims, so that one bad claim does not
 * cost the other claims their leases. It returns the errors that remain. */
export async function renewInHalves<C>(claims: C[], renewal: (claims: C[]) => Promise<void>): Promise<unknown[]> {
  try {
    await renewal(claims);
    return [];
  } catch (error) {
    if (claims.length === 1 || !concernsSome(error)) return [error];
    const middle = claims.length >> 1;
    return [...(await renewInHalves(claims.slice(0, middle), renewal)), ...(await renewInHalves(claims.slice(middle), renewal))];
  }
}

/** Kept is a claim whose lease should be renewed, with the time at which the renewals stop. This time is the end of the step's time-out, or
 * never. */
export interface Kept {
  step_uuid: string;
  claim_no: number;
  until: number | null;
}

interface Data {
  pgtaskerLeases: { lease: number };
}

interface Told {
  claims: Kept[];
  /** Whether the other claims of the worker are renewed, too. */
  more: boolean;
  apart: Apart;
}

interface Renewal {
  claims: Kept[];
  items: { answer: string }[];
  at: number;
}

/**
 * Leases renews leases in a separate thread over a separate connection, so that leases do not end while a handler computes and blocks the
 * event loop. The worker's own renewals cover the other leases.
 */
export class Leases {
  /** apart has the arguments for the thread's connection. If it is undefined, there is no thread. */
  apart: Apart | undefined;
  #thread: Thread | undefined;
  #closed = false;

  constructor(readonly transport: Transport, readonly lease: number, readonly renewed: (claims: Kept[], items: { answer: string }[], at: number) => void) {}

  /** refresh gets the arguments for the thread's connection again, since a token or password may have been replaced. */
  async refresh(): Promise<void> {
    try {
      this.apart = await this.transport.apart?.();
    } catch {
      // The worker's own calls meet the same error and report it.
    }
    if (!this.apart) void this.#end(); // The thread's connection gives way to other calls.
  }

  /** keep replaces the set of leases to renew. */
  keep(claims: Kept[]): void {
    this.#tell(claims, false);
  }

  /** add adds leases to renew. */
  add(claims: Kept[]): void {
    if (claims.length > 0) this.#tell(claims, true);
  }

  /** close ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  /** #tell sends a message to the thread. The first leases start the thread. */
  #tell(claims: Kept[], more: boolean): void {
    if (!this.apart || this.#closed) return;
    if (!this.#thread && claims.length > 0) {
      const data: Data = { pgtaskerLeases: { lease: this.lease } };
      this.#thread = new Thread(new URL(import.meta.url), { workerData: data });
      this.#thread.on("message", ({ claims, items, at }: Renewal) => this.renewed(claims, items, at)).on("error", () => (this.#thread = undefined));
      this.#thread.unref();
    }
    this.#thread?.postMessage({ claims, more, apart: this.apart } satisfies Told);
  }
}

/** transportOf returns the transport of the thread, which uses the newest arguments that the thread received. */
async function transportOf(latest: () => Apart): Promise<Transport> {
  const apart = latest();
  if ("url" in apart) return new Client(apart.url, () => (latest() as { token: string }).token);
  const [{ default: pg }, { Postgres }] = await Promise.all([import("pg"), import("./postgres.js")]);
  const { password } = apart.options;
  const secret = typeof password === "string" ? { password: () => (latest() as { options: { password: string } }).options.password } : {};
  return new Postgres(new pg.Pool({ ...apart.options, ...secret }) as unknown as Pool);
}

/** renew is the work of the thread. */
function renew({ lease }: Data["pgtaskerLeases"]): void {
  let apart: Apart;
  let transport: Promise<Transport> | undefined;
  let kept = new Map<string, Kept & { renewed: number }>();
  parentPort!.on("message", (told: Told) => {
    apart = told.apart;
    if (!transport) (transport = transportOf(() => apart)).catch(() => {}); // A later use of the transport reports the error.
    const now = Date.now();
    const keyed = told.claims.map((claim): [string, Kept & { renewed: number }] => {
      const key = `${claim.step_uuid} ${claim.claim_no}`;
      return [key, { ...claim, renewed: kept.get(key)?.renewed ?? now }];
    });
    kept = told.more ? new Map([...kept, ...keyed]) : new Map(keyed);
  });
  const every = lease * 250;
  const turn = async (): Promise<void> => {
    const at = Date.now();
    const due = [...kept.values()].filter((claim) => at - claim.renewed >= every && at < (claim.until ?? Infinity));
    for (const call of transport ? callsOf(due) : []) {
      // The worker's own renewals meet the same errors and report them.
      await renewInHalves(call, async (part) => {
        const sent = Date.now();
        const claims = part.map(({ step_uuid, claim_no }) => ({ step_uuid, claim_no }));
        const within = Math.max(1000, Math.min(10_000, lease * 125));
        const body = stringify({ claims, lease_seconds: lease });
        const { items } = await (await transport!).send<{ items: { answer: string }[] }>("POST", "/v1/leases", body, within);
        part.forEach((claim, i) => (claim.renewed = items[i]?.answer === "extended" ? sent : claim.renewed));
        parentPort!.postMessage({ claims: part, items, at: sent } satisfies Renewal);
      });
    }
    setTimeout(turn, Math.min(every / 2, 1000));
  };
  void turn();
}

if (!isMainThread && (workerData as Data | null)?.pgtaskerLeases) renew((workerData as Data).pgtaskerLeases);
