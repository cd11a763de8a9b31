// The worker of the conformance suite (internal/tests/conformance): that folder describes its handlers.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

import pg from "pg";

import { Client, Job, KeptError, Permanent, Postgres, type Transport, Worker } from "../src/index.js";

function newWorker(env: NodeJS.ProcessEnv): Worker {
  const direct = env["TASKER_DIRECT"] !== undefined;
  const transport: Transport = direct ? new Postgres(new pg.Pool({ connectionString: env["DATABASE_URL"] })) : new Client(env["TASKER_URL"]!, env["TASKER_TOKEN"]!);
  const worker = new Worker(transport, {
    namespaces: [env["TASKER_NAMESPACE"]!], lease: Number(env["TASKER_LEASE_SECONDS"]), stopTimeout: Number(env["TASKER_STOP_SECONDS"]),
    concurrency: 4, name: "conformance", version: "1.4.2",
  });
  return worker
    .handler("echo", (job: Job<unknown>) => job.input)
    .handler("twice", (job: Job<unknown>) => {
      if (job.attempt === 1) throw new Error("not yet");
      return { attempt: job.attempt, last_error: job.lastError };
    })
    .handler("final", () => {
      throw new Permanent("no");
    })
    .handler("declined", (job: Job<{ card: string }>) => {
      throw Object.assign(new Permanent(`the card of ${job.input.card} was declined`), { errorClass: "card_declined" });
    })
    .handler("join", (job: Job<unknown>) => job.results())
    .handler("ancestor", (job: Job<unknown>) => job.result("first"))
    .handler("slow", async (job: Job<{ seconds: number }>) => {
      await job.checkpoint("began");
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, job.input.seconds * 1000, { slow: true });
        job.signal.addEventListener("abort", () => (clearTimeout(timer), resolve(null)));
      });
    })
    .handler("hold", async (job: Job<{ begun: string; gate: string; client: string }>) => {
      appendFileSync(job.input.begun, job.stepUUID + "\n");
      while (!existsSync(job.input.gate) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
      return job.input.client;
    })
    .handler("compute", async (job: Job<{ seconds: number }>) => {
      await job.checkpoint("began");
      for (const end = Date.now() + job.input.seconds * 1000; Date.now() < end; );
      return { computed: job.attempt };
    })
    .handler("large", (job: Job<{ bytes: number }>) => "x".repeat(job.input.bytes))
    .handler("length", async (job: Job<unknown>) =>
      Object.fromEntries(Object.entries(await job.results<string>()).map(([name, text]) => [name, text.length])))
    .handler("undo", (job: Job<unknown>) => {
      const { step, result } = job.inputs as { step: string; result: string };
      return { step, length: result.length };
    })
    .handler("zero", (job: Job<{ seconds?: number }>) => new Promise((resolve) => setTimeout(resolve, (job.input.seconds ?? 0) * 1000, "a\0b")))
    .handler("half", () => "\ud800")
    .handler("mark", () => ({ n: 12345678901234567890n, text: "\0pgtasker:5" }))
    .handler("long", () => {
      throw new Permanent("a\0" + "x".repeat(70_000));
    })
    .handler("checkpoint", async (job: Job<unknown>) => {
      if (job.attempt > 1) return job.lastCheckpoint;
      await job.checkpoint({ at: 7 });
      throw new Error("again");
    })
    .handler("function", async (job: Job<unknown>) => {
      const keys = [await job.once("charge", (key) => key), await job.once("charge", (key) => key)];
      const now = (await job.now()).toISOString();
      const number = (await job.random())();
      const changed = await job.changed("v2");
      await job.sleep(0.05);
      const { by, payload, sent_at } = await job.awaitSignal("approved", { timeout: 3600 });
      return {
        keys, same_time: (await job.once("time", () => now)) === now, same_number: (await job.once("number", () => number)) === number,
        changed, by, payload, sent_at,
      };
    })
    .handler("refund", async (job: Job<unknown>) => {
      try {
        await job.once("charge", () => {
          throw new Permanent("the bank refuses");
        });
      } catch (error) {
        await job.awaitSignal("go");
        return { kept: (error as KeptError).text };
      }
      return {};
    })
    .handler("rounds", async (job: Job<unknown>) => {
      const before = (job.state ?? { n: 0, keys: [] }) as { n: number; keys: string[] };
      const state = { n: before.n + 1, keys: [...before.keys, await job.once("key", (key) => key)] };
      return state.n < 3 ? job.continueAs(state) : state;
    })
    .handler("diverge", async (job: Job<unknown>) => {
      await job.once(`call-${randomUUID()}`, () => 1);
      await job.awaitSignal("go");
      return {};
    });
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href && process.env["TASKER_NAMESPACE"]) {
  await newWorker(process.env).runUntilSignalled();
  process.exit(); // The pool's idle connections would keep the process for a while.
}
