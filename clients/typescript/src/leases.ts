import { isMainThread, parentPort, Worker as Thread, workerData } from "node:worker_threads";

import { Client } from "./client.js";

/** Kept is a claim whose lease is to be renewed, and until when: the end of the step's time, or for ever. */
export interface Kept {
  step_uuid: string;
  claim_no: number;
  until: number | null;
}

interface Data {
  pgtaskerLeases: { url: string; lease: number };
}

interface Renewal {
  claims: Kept[];
  items: { answer: string }[];
  at: number;
}

/**
 * Leases renews leases in a thread of its own, over a connection of its own, so that a handler that computes keeps the leases of all
 * handlers. What the thread cannot do, the worker's own renewals do.
 */
export class Leases {
  #thread: Thread | undefined;

  constructor(readonly client: Client, readonly lease: number, readonly renewed: (claims: Kept[], items: { answer: string }[], at: number) => void) {}

  /** keep says which leases are to be renewed. The first ones start the thread. */
  keep(claims: Kept[]): void {
    if (!this.#thread && claims.length > 0) {
      const data: Data = { pgtaskerLeases: { url: this.client.url, lease: this.lease } };
      this.#thread = new Thread(new URL(import.meta.url), { workerData: data });
      this.#thread.on("message", ({ claims, items, at }: Renewal) => this.renewed(claims, items, at)).on("error", () => (this.#thread = undefined));
      this.#thread.unref();
    }
    this.#thread?.postMessage({ claims, token: this.client.token() });
  }

  /** close ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

/** renew is what the thread does. */
function renew({ url, lease }: Data["pgtaskerLeases"]): void {
  let token = "";
  let kept = new Map<string, Kept & { renewed: number }>();
  const client = new Client(url, () => token);
  parentPort!.on("message", (told: { claims: Kept[]; token: string }) => {
    token = told.token;
    const now = Date.now();
    const keyed = told.claims.map((claim): [string, Kept & { renewed: number }] => {
      const key = `${claim.step_uuid} ${claim.claim_no}`;
      return [key, { ...claim, renewed: kept.get(key)?.renewed ?? now }];
    });
    kept = new Map(keyed);
  });
  const every = lease * 250;
  const turn = async (): Promise<void> => {
    const at = Date.now();
    const due = [...kept.values()].filter((claim) => at - claim.renewed >= every && at < (claim.until ?? Infinity)).slice(0, 1000);
    if (due.length > 0) {
      try {
        const claims = due.map(({ step_uuid, claim_no }) => ({ step_uuid, claim_no }));
        const within = Math.max(1000, Math.min(10_000, lease * 125));
        const { items } = await client.request<{ items: { answer: string }[] }>("POST", "/v1/leases", { claims, lease_seconds: lease }, within);
        due.forEach((claim, i) => (claim.renewed = items[i]?.answer === "extended" ? at : claim.renewed));
        parentPort!.postMessage({ claims: due, items, at } satisfies Renewal);
      } catch {
        // The worker's own renewals meet the same, and say so.
      }
    }
    setTimeout(turn, Math.min(every / 2, 1000));
  };
  void turn();
}

if (!isMainThread && (workerData as Data | null)?.pgtaskerLeases) renew((workerData as Data).pgtaskerLeases);
