/**
 * This package has workflows for pgtasker in TypeScript: graphs of typed steps, workers over HTTP (Client) or over PostgreSQL (Postgres of
 * pgtasker/postgres), and handlers for templates that are written in another place.
 *
 *     const order = workflow({ namespace: "shop", name: "order", version: "1.0.0", input: type<Order>(), identity: "key" });
 *     const reserve = order.step("reserve", async (job) => ({ shelf: job.input.number }));
 *     const charge = order.step("charge", { after: reserve }, async (job, { shelf }) => bank.charge(job.input.cents, shelf));
 */
export { Client, type Task, type TaskOptions, type Token } from "./client.js";
export { type Codec, Encrypted, hashKey, isSealed, Keys, KeyUnknown } from "./codec.js";
export { serve, Threads } from "./compute.js";
export type { Answer, Awaiting } from "./durable.js";
export { type Erased, type EraseFilter, type EraseOptions, eraseTask, eraseTasks } from "./erase.js";
export { ApiError, Blocked, Cancelled, KeptError, Lost, Misfit, Permanent, Retry, Snooze, TaskFailed, TimedOut, Unauthorized, Unavailable, Undelivered } from "./errors.js";
export {
  anyOf, type Came, Declared, type Dep, type Duration, ended, type Event, event, failed, type Failure, firstOf, type Happened, implement, type Json, MapStep, type Paused, settled, type Signal, signal, Step, type Undoing, type WaitTimedOut,
} from "./graph.js";
export { type ByKeyOptions, type Caller, type EmitOptions, type Policy, type StartOptions, TaskHandle } from "./handle.js";
export { Job } from "./job.js";
export { parse, stringify } from "./json.js";
export { and, type Condition, eq, gt, gte, lt, lte, ne, not, or } from "./paths.js";
export { type Pool, Postgres } from "./postgres.js";
export { type Schema, type } from "./schema.js";
export type { Logger } from "./source.js";
export type { Queryable, Transport } from "./transport.js";
export { StepLog } from "./streams.js";
export { Worker, type Handler, type WorkerOptions } from "./worker.js";
export { type Config, type LimitOptions, Returning, type Schedule, type StepOptions, type Workflow, workflow } from "./workflow.js";
