import type { Claimed } from "./claimed.js";

/** Exchange is the body of POST /v1/exchange. */
export interface Exchange {
  worker_uuid: string;
  request_uuid: string;
  namespaces: string[] | null;
  handlers: string[];
  limit: number;
  lease_seconds: number;
  ahead?: number | undefined;
  waiting?: string[] | undefined;
  known_tasks: string[];
  /** Results, each already encoded. */
  results: string[];
}

/** Exchanged is the answer to an exchange. */
export interface Exchanged {
  answers: { answer: string }[];
  claimed: Claimed[];
  contexts?: Record<string, unknown>;
}

/** Transport carries the calls of a worker, and of programs that start tasks: over HTTP (Client), or over PostgreSQL (Postgres). Both
 * speak the protocol of docs/http-workers.md, and throw ApiError if a call was refused, Unavailable if it was not judged. */
export interface Transport {
  /** send makes a call once. */
  send<R = unknown>(method: string, path: string, body: string | undefined, milliseconds: number, ended?: AbortSignal): Promise<R>;
  /** exchange records results and claims steps. With waitSeconds it waits for a step, and answers soon after ended. Exchanges that are
   * under way at the same time have different slots: 0, 1 and so on. */
  exchange(request: Exchange, waitSeconds: number, milliseconds: number, ended?: AbortSignal, slot?: number): Promise<Exchanged>;
  /** interruptible says whether a waiting exchange may be ended at no cost, so that the next results carry its claim. */
  readonly interruptible?: boolean;
  /** begin begins the transaction in which a step's result is recorded. */
  begin?(): Promise<Transaction>;
  /** warm makes the first calls of the given number of slots, so that the first steps do not wait for plans. Errors are left to the first
   * exchanges. */
  warm?(slots: number, namespaces: string[] | null, ended: AbortSignal): Promise<void>;
  /** attend does the periodic duties of a worker for its database, every 15 seconds. */
  attend?(): Promise<void>;
  /** apart has the arguments of a thread that renews leases over a separate connection. It is undefined if the arguments cannot pass to a
   * thread. */
  apart?(): Promise<Apart | undefined>;
  close?(): Promise<void>;
}

/** Apart are the arguments of a Client, or the options of a pool, in a form that passes from thread to thread. */
export type Apart = { url: string; token: string } | { options: Record<string, unknown> };

/** Queryable is a pool, a client or a transaction of the package pg. */
export interface Queryable {
  query(text: string, values?: any[]): Promise<{ rows: any[] }>;
}

/** Transaction is the transaction of a step's result. */
export interface Transaction {
  readonly tx: Queryable;
  /** commit records the result, as JSON, and commits. */
  commit(step: { step_uuid: string; claim_no: number }, result: string): Promise<void>;
  rollback(): Promise<void>;
}

/** encoded returns an exchange as JSON, with further fields. */
export function encoded(request: Exchange, others: Record<string, unknown>): string {
  const { results, ...head } = request;
  return `${JSON.stringify({ ...head, ...others }).slice(0, -1)},"results":[${results.join()}]}`;
}
