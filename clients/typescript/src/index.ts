/**
 * Workers for pgtasker over HTTP. The protocol is docs/http-workers.md of the repository.
 *
 *     const worker = new Worker(new Client("http://127.0.0.1:8480", token), { namespaces: ["shop"] });
 *     worker.handler("charge", async (job: Job<Order>) => bank.charge(job.input.cents));
 *     await worker.runUntilSignalled();
 */
export { Client, type Task, type TaskOptions } from "./client.js";
export type { Answer, Awaiting } from "./durable.js";
export { ApiError, Blocked, Cancelled, KeptError, Lost, Permanent, Retry, TimedOut, Unauthorized, Unavailable, Undelivered } from "./errors.js";
export { Job } from "./job.js";
export { parse, stringify } from "./json.js";
export type { Logger } from "./source.js";
export { Worker, type Handler, type WorkerOptions } from "./worker.js";
