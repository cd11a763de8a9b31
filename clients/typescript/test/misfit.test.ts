// Results of steps above that do not fit a build: over the database of DATABASE_URL, and over the server of TASKER_URL beside it.
import assert from "node:assert/strict";
import test from "node:test";

import pg from "pg";
import { z } from "zod";

import { Client, type Job, Misfit, Permanent, Postgres, Snooze, type Transport, type, Worker, workflow } from "../src/index.js";
import { run } from "../src/testing.js";

const url = process.env["DATABASE_URL"];
const lines: string[] = [];
const log = { info() {}, warn: (line: string) => void lines.push(line), error() {} };

async function during<R>(worker: Worker, f: () => Promise<R>): Promise<R> {
  const running = worker.run();
  try {
    return await f();
  } finally {
    worker.stop();
    await running;
  }
}

test("a result above that does not fit is left for another build", { skip: url ? false : "there is no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  t.after(() => pool.end());
  const rows = async (sql: string, ...values: unknown[]): Promise<any[]> => (await pool.query(sql, values)).rows;
  const states = async (task: string, wanted: Record<string, string>): Promise<void> => {
    for (const end = Date.now() + 20_000; ; ) {
      const found = await rows("select name, state, last_error from tasker.list_steps($1)", task);
      if (Object.entries(wanted).every(([name, state]) => found.some((step) => step.name === name && step.state === state))) return;
      assert.ok(Date.now() < end, JSON.stringify({ found, lines }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const transports: [string, () => Transport][] = [["PostgreSQL", () => new Postgres(pool)]];
  if (process.env["TASKER_URL"]) transports.push(["HTTP", () => new Client(process.env["TASKER_URL"]!, process.env["TASKER_OPERATOR_TOKEN"]!)]);

  for (const [name, transport] of transports) {
    await t.test(`over ${name}`, async () => {
      const flow = workflow({ namespace: "misfit", name: `fits_${name.toLowerCase()}`, version: "1", input: type<object>(), identity: "new" });
      const once = { attempts: 1 };
      const make = flow.step("make", () => 7);
      const left = ["several", "typed", "durable", "wrapped"];
      flow.step("typed", { after: make, retry: once }, (job, made) => made + job.attempt);
      flow.step("durable", { after: make, retry: once }, (job, made) => made + job.attempt);
      flow.step("wrapped", { after: make, retry: once }, (job, made) => made + job.attempt);
      flow.step("several", { after: make, retry: once }, (job, made) => made + job.attempt);
      flow.step("final", { after: make, retry: once }, () => {});
      flow.step("missing", { after: make, retry: once }, () => {});
      const whole = flow.returns(make);
      await whole.register(pool);
      const task = await whole.start(pool, {});
      const handler = (step: string): string => `misfit.${flow.config.name}:1.${step}`;

      await during(new Worker(transport(), [], { logger: log }).handler(handler("make"), () => 7), () => states(task.uuid, { make: "complete" }));

      lines.length = 0;
      const other = new Worker(transport(), [], { logger: log });
      other.handler(handler("typed"), (job: Job<object>) => job.result("make", z.string()));
      other.handler(handler("durable"), (job: Job<object>) => job.once("text", () => job.result("make", z.string()).catch((cause) => {
        throw new Error("the text cannot be made", { cause });
      })));
      other.handler(handler("wrapped"), (job: Job<object>) => job.result("make", z.string()).catch((cause) => {
        throw new Error("the report cannot be written", { cause });
      }));
      other.handler(handler("several"), (job: Job<object>) => Promise.any([job.result("make", z.string()), Promise.reject(new Error("nor elsewhere"))]));
      other.handler(handler("final"), async (job: Job<object>) => {
        await job.result("make", z.string()).catch((error) => {
          assert.ok(error instanceof Misfit && error.step === "make");
          throw new Permanent("no build fits", { cause: error });
        });
      });
      other.handler(handler("missing"), (job: Job<object>) => job.result("nothing", z.string()));
      await during(other, () => states(task.uuid, { ...Object.fromEntries(left.map((step) => [step, "suspended"])), final: "error", missing: "error" }));

      const steps = await rows("select s.name, s.attempts, e.summary from tasker.list_steps($1) as s, tasker.explain_step(s.workflow_step_uuid) as e where s.state = 'suspended' order by s.name", task.uuid);
      assert.deepEqual(steps.map((step) => [step.name, step.attempts]), [["durable", 0], ["several", 0], ["typed", 0], ["wrapped", 0]]);
      for (const { summary } of steps) assert.match(summary, /the result of "make" does not fit/);
      const said = lines.filter((line) => line.startsWith("the result of a step above does not fit this build, and the step waits for another one: step"));
      assert.equal(said.length, 4);
      assert.match(said.find((line) => line.includes('"typed"'))!, /the result of "make" does not fit: TypeError: .*expected string/);
      const errors = Object.fromEntries((await rows("select name, last_error from tasker.list_steps($1) where state = 'error'", task.uuid)).map((step) => [step.name, step.last_error]));
      assert.equal(errors["final"], "no build fits");
      assert.match(errors["missing"], /has no result of "nothing"/);

      await pool.query("update tasker.timers set due_at = now() where kind = 'end_wait' and task_uuid = $1", [task.uuid]);
      await during(new Worker(transport(), [flow], { logger: log }), () => states(task.uuid, Object.fromEntries(left.map((step) => [step, "complete"]))));
      const ended = await rows("select name, attempts from tasker.list_steps($1) where state = 'complete' and name <> 'make' order by name", task.uuid);
      assert.deepEqual(ended, [...left].sort().map((name) => ({ name, attempts: 1 })), "the runs that did not fit do not count");
    });
  }
});

test("a snooze spends no attempt", { skip: url ? false : "there is no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  t.after(() => pool.end());
  const transports: Transport[] = [new Postgres(pool)];
  if (process.env["TASKER_URL"]) transports.push(new Client(process.env["TASKER_URL"], process.env["TASKER_OPERATOR_TOKEN"]!));
  for (const [i, transport] of transports.entries()) {
    const flow = workflow({ namespace: "misfit", name: `snoozed_${i}`, version: "1", input: type<object>(), identity: "new" });
    const attempts: number[] = [];
    const poll = flow.step("poll", { retry: { attempts: 1 } }, (job) => {
      attempts.push(job.attempt);
      if (attempts.length < 3) throw new Snooze("the oven is cold", 0.05);
      return attempts.length;
    });
    const polled = flow.returns(poll);
    await polled.register(pool);
    const task = await polled.start(pool, {});
    assert.equal(await during(new Worker(transport, [flow], { logger: log }), () => task.result()), 3);
    assert.deepEqual(attempts, [1, 1, 1]);
    const said = await pool.query("select reason from tasker.workflow_step_transition_log where task_uuid = $1 and event = 'Suspend'", [task.uuid]);
    assert.deepEqual(said.rows.map(({ reason }) => reason), ["snoozed for 0.05s: the oven is cold", "snoozed for 0.05s: the oven is cold"]);
  }
});

test("the test kit throws the misfit, which names the step above", async () => {
  const flow = workflow({ namespace: "misfit", name: "memory", version: "1", input: type<object>() });
  const make = flow.step("make", () => 7);
  const work = flow.step("work", { after: make }, (job) => job.result("make", z.string()));
  const report = await run(flow.returns(work), {});
  assert.equal(report.failed, "work");
  assert.throws(() => report.result(), (error) => error instanceof Misfit && error.step === "make" && /the result of "make" does not fit/.test(error.message));
});
