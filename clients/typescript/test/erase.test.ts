// Erasures over the server of TASKER_URL, the database of DATABASE_URL and a pool of it. make test-typescript has all three.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import pg from "pg";

import { ApiError, Client, type Caller, eraseTask, eraseTasks, Postgres } from "../src/index.js";

const url = process.env["DATABASE_URL"], server = process.env["TASKER_URL"];

test("erasures", { skip: url && server ? false : "there is no server, or no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  t.after(() => pool.end());
  const rows = async (text: string, ...values: unknown[]): Promise<any[]> => (await pool.query(text, values)).rows;
  await rows("select tasker.register_task_template($1::jsonb)",
    { namespace: "erasures", name: "order", version: "1", identity_strategy: "always_unique", steps: [{ name: "charge" }] });
  const start = async (tag: string): Promise<string> => (await rows(`select task_uuid from tasker.create_task('erasures', 'order', '{"name": "Ada"}', p_tags => array[$1])`, tag))[0].task_uuid;
  const cancel = (task: string): Promise<unknown> => rows("select tasker.cancel_task($1, 'the customer leaves')", task);
  const contexts = async (...tasks: string[]): Promise<unknown[]> => Promise.all(tasks.map(async (task) => (await rows("select context from tasker.get_task($1)", task))[0].context));
  const transports: [string, Caller][] = [["a pool", pool], ["PostgreSQL", new Postgres(pool)], ["HTTP", new Client(server!, process.env["TASKER_OPERATOR_TOKEN"]!)]];

  for (const [name, on] of transports) {
    await t.test(`one task over ${name}`, async () => {
      const task = await start("one");
      await assert.rejects(eraseTask(on, task, { reason: "request 17" }), (error) => error instanceof ApiError && error.code === "TK409");
      await cancel(task);
      const made = await eraseTask(on, task, { reason: "request 17", actor: "ann", withChildren: true });
      assert.deepEqual(made.map((e) => [e.task_uuid, e.root_uuid, e.name, e.state, e.outcome]), [[task, task, "order", "cancelled", "erased"]]);
      assert.deepEqual(await contexts(task), [{ erased: true }]);
      assert.deepEqual((await eraseTask(on, task, { reason: "request 17" })).map((e) => e.outcome), ["already"]);
      assert.deepEqual(await rows("select reason from tasker.list_erasures($1)", task), [{ reason: "request 17" }]);
    });
    await t.test(`all with a tag in batches over ${name}`, async () => {
      const tag = `customer:${randomUUID()}`, other = await start("other"), tasks: string[] = [];
      for (let n = 0; n < 5; n++) tasks.push(await start(tag));
      for (const task of [...tasks.slice(1), other]) await cancel(task);
      const found: string[][] = [];
      for await (const batch of eraseTasks(on, { tags: [tag] }, { reason: "request 17", dryRun: true, batch: 2 })) found.push(batch.map((e) => e.outcome));
      assert.deepEqual(found, [["open", "matched"], ["matched", "matched"], ["matched"]]);
      assert.deepEqual(await contexts(tasks[1]!), [{ name: "Ada" }]);
      const done: [string, string][] = [];
      for await (const batch of eraseTasks(on, { tags: [tag], namespace: "erasures" }, { reason: "request 17", actor: "ann", batch: 2 })) {
        done.push(...batch.map((e): [string, string] => [e.task_uuid, e.outcome]));
      }
      assert.deepEqual(done, tasks.map((task, n) => [task, n === 0 ? "open" : "erased"]));
      assert.deepEqual(await contexts(tasks[0]!, tasks[4]!, other), [{ name: "Ada" }, { erased: true }, { name: "Ada" }]);
    });
  }
  await t.test("no filter at all is refused", async () => {
    await assert.rejects(eraseTasks(pool, {}, { reason: "request 17" }).next(), (error) => error instanceof ApiError && error.code === "TK422");
  });
});
