// Values, streams and the log of a running step over the database of DATABASE_URL and the server of TASKER_URL. make test-typescript has both.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import pg from "pg";

import { Cancelled, Client, Encrypted, isSealed, Job, Keys, Lost, Postgres, StepLog, type Transport, Worker } from "../src/index.js";

const url = process.env["DATABASE_URL"], server = process.env["TASKER_URL"];
const skip = url && server ? false : "there is no server, or no database";
const quiet = process.env["LOUD"] ? console : { info() {}, warn() {}, error() {} };

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) if (await holds()) return;
  assert.fail(what);
}

test("streams", { skip }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  t.after(() => pool.end());
  const rows = async (text: string, ...values: unknown[]): Promise<any[]> => (await pool.query(text, values)).rows;
  const transports: [string, () => Transport][] = [["PostgreSQL", () => new Postgres(pool)], ["HTTP", () => new Client(server!, process.env["TASKER_TOKEN"]!)]];
  for (const [name, transport] of transports) {
    await t.test(`over ${name}`, async () => {
      const namespace = "ts" + randomUUID().replaceAll("-", "").slice(0, 8);
      await rows("select tasker.register_task_template($1::jsonb)", { namespace, name: "import", steps: [{ name: "load", retry: { max_attempts: 2, base_seconds: 0.01 } }] });
      const [{ task_uuid: task }] = await rows("select task_uuid from tasker.create_task($1, 'import')", namespace);
      const worker = new Worker(transport(), { namespaces: [namespace], logger: quiet });
      let runs = 0, release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      const lost: unknown[] = [];
      worker.handler("load", async (job: Job<unknown>) => {
        runs++;
        job.log.info(`run ${runs} begins`, { big: 12345678901234567890n });
        if (runs === 1) {
          for (let n = 0; n < 1200; n++) job.log.debug(`line ${n}`);
          job.log.error("x".repeat(20_000));
          await Promise.all([job.append("rows", [1, 2]), job.append("rows", [3])]);
          await job.append("rows", []);
          await job.setValue("file", { name: "a\u0000b".replace("\u0000", "") });
          throw new Error("no price");
        }
        await job.once("first", async () => "kept");
        await job.append("rows", ["again"]);
        await job.progress(0.4, "row 400");
        await job.sleep(1); // The function runs again from the top, and repeats nothing.
        await job.append("rows", [runs]);
        await job.progress(0.5, "row 500");
        await released;
        try {
          await job.setValue("late", 1);
        } catch (error) {
          lost.push(error);
          throw error;
        }
        return "done";
      });
      const running = worker.run();
      t.after(() => worker.stop());
      t.after(() => release());
      const step = task.slice(0, -4) + "0001";
      const read = async (stream: string): Promise<any[]> => (await rows("select item_no::integer as no, item, attempt from tasker.read_stream($1, $2, p_limit => 5000)", step, stream));
      const progress = async (): Promise<unknown> => (await rows("select value from tasker.list_progress(array[$1]::uuid[])", task))[0]?.value;
      await until("the progress of a running step can be read", async () => JSON.stringify(await progress())?.includes("row 500") ?? false);
      assert.deepEqual((await read("rows")).map((row) => [row.no, row.item]), [[1, 1], [2, 2], [3, 3], [4, "again"], [5, 3]]);
      const log = await read("log");
      assert.equal(log[0].item.msg, "run 1 begins");
      const lines = log.map((row) => row.item.msg as string);
      assert.ok(lines.includes("line 0") && lines.includes("line 997") && !lines.includes("line 998"), "at most 999 lines at a time");
      assert.equal(log.find((row) => row.item.msg === "lines were dropped").item.dropped, 203);
      assert.equal(lines.filter((line) => line === "run 2 begins").length, 1);
      assert.ok(!lines.includes("run 3 begins"), "a function that repeats calls repeats no lines");
      // The step is taken from the worker: it hears of it at its next value.
      await rows("select tasker.cancel_task($1, 'enough')", task);
      release();
      await until("the handler hears that its step is gone", async () => lost.length > 0);
      worker.stop();
      await running;
      assert.ok(lost[0] instanceof Cancelled || lost[0] instanceof Lost, String(lost[0]));
      assert.equal((await rows("select count(*)::integer as n from tasker.list_streams($1) as s where s.name = 'late'", step))[0].n, 0);
    });
  }
});

test("a log bounds its lines", async () => {
  const written: any[] = [];
  const log = new StepLog(async (lines) => void written.push(...JSON.parse(lines)), () => false);
  log.warn("x".repeat(9_000), { zero: "\u0000" });
  const circle: any = {};
  circle.self = circle;
  log.info("a circle", circle);
  log.info("nul \u0000", { a: "\u0000" });
  await log.close();
  log.info("too late");
  await log.flush();
  assert.deepEqual(written.map((line) => [line.level, line.msg.length, line.cut > 9_000]), [["WARN", 1_000, true], ["INFO", 8, false], ["INFO", 5, false]]);
  assert.ok(!JSON.stringify(written).includes("\\u0000"));
  let written1!: () => void;
  const slow = new StepLog(() => new Promise<void>((resolve) => (written1 = resolve)), () => false);
  slow.info("sent by the timer");
  void slow.flush();
  const closed = slow.close().then(() => "closed");
  assert.equal(await Promise.race([closed, new Promise((resolve) => setImmediate(() => resolve("waits")))]), "waits", "the step does not end before its lines are written");
  written1();
  assert.equal(await closed, "closed");
  const refused = new StepLog(async () => Promise.reject(new Error("refused")), () => false);
  refused.info("lost");
  await refused.close(); // A log does not fail its step.
});

test("encrypted over HTTP: encode, REST, database, decode, with two keys", { skip }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  t.after(() => pool.end());
  const namespace = "ts" + randomUUID().replaceAll("-", "").slice(0, 8);
  const [k1, k2] = [Buffer.alloc(32, "1"), Buffer.alloc(32, "2")];
  const over = (current: string, keys: Record<string, Buffer>): Encrypted => new Encrypted(new Client(server!, process.env["TASKER_TOKEN"]!), new Keys(current, { hash: k1, ...keys }));
  await pool.query("select tasker.register_task_template($1::jsonb)", [{
    namespace, name: "claim", encrypted: { clear: ["customer"] }, steps: [{ name: "charge" }, { name: "ok", await: { signal: "ok" } }, { name: "last", dependencies: ["charge", "ok"] }],
  }]);
  const send = <R>(client: Encrypted, method: string, path: string, body?: unknown): Promise<R> => client.send<R>(method, path, body === undefined ? undefined : JSON.stringify(body), 30_000);
  const old = over("k1", { k1 }), both = over("k2", { k1, k2 });
  const request = { namespace, name: "claim", context: { customer: 7, card: "zebra" } };
  const { task_uuid: task } = await send<{ task_uuid: string }>(old, "POST", "/v1/tasks", request);
  assert.equal((await send<{ task_uuid: string }>(both, "POST", "/v1/tasks", request)).task_uuid, task, "the hash does not rotate");
  await send(both, "POST", `/v1/tasks/${task}/signals`, { name: "ok", payload: { by: "zebra" } });
  const worker = new Worker(both, { namespaces: [namespace], logger: quiet });
  worker.handler("charge", async (job: Job<any>) => ({ receipt: job.input.card + " paid" }));
  worker.handler("last", async (job: Job<any>) => {
    const { charge, ok } = (await job.parents()) as any;
    return `${charge.receipt}, ${ok.payload.by}`;
  });
  const running = worker.run();
  t.after(() => worker.stop());
  await until("the task ends", async () => (await send<{ complete: boolean }>(both, "GET", `/v1/tasks/${task}`)).complete);
  worker.stop();
  await running;
  const last = async (client: Encrypted): Promise<any> => (await send<{ items: any[] }>(client, "GET", `/v1/tasks/${task}/workflow_steps?limit=100`)).items.find((step) => step.name === "last").results;
  assert.equal(await last(both), "zebra paid, zebra");
  assert.ok(isSealed(await last(old)), "the old key does not read what the new key has encrypted");
  for (const table of ["tasks", "workflow_steps", "step_log", "task_signals"]) {
    const { rows } = await pool.query(`select count(*)::integer as plain from tasker.${table} as t where t::text like '%zebra%'`);
    assert.equal(rows[0].plain, 0, table);
  }
  const { rows } = await pool.query("select context #>> '{pgtasker,kid}' as kid from tasker.tasks where task_uuid = $1", [task]);
  assert.equal(rows[0].kid, "k1");
});
