// Tasks that are paused, changed and resumed, over each transport. make test-typescript has a server and a database.
import assert from "node:assert/strict";
import test from "node:test";

import pg from "pg";

import { ApiError, type Caller, Client, Postgres, type, workflow } from "../src/index.js";

const url = process.env["DATABASE_URL"], server = process.env["TASKER_URL"];
const day = 86_400_000;

test("pauses", { skip: url && server ? false : "there is no server, or no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  t.after(() => pool.end());
  const rows = async (text: string, ...values: unknown[]): Promise<any[]> => (await pool.query(text, values)).rows;
  const flow = workflow({ namespace: "pauses", name: "refund", version: "1", input: type<{ cents: number }>(), identity: "new" });
  const pay = flow.step("pay", (job) => job.input.cents);
  const whole = flow.returns(pay);
  await whole.register(pool);
  const transports: [string, Caller][] = [["a pool", pool], ["PostgreSQL", new Postgres(pool)], ["HTTP", new Client(server!, process.env["TASKER_OPERATOR_TOKEN"]!)]];

  for (const [name, on] of transports) {
    await t.test(`a task is paused, changed and resumed over ${name}`, async () => {
      const now = Date.now(), later = new Date(now + 9 * day), start = new Date(now + 2 * day);
      const task = await whole.start(on, { cents: 70 }, { startAt: new Date(now + day) });
      const has = async (paused: boolean, priority: number, deadline: Date | null, cents: number): Promise<void> =>
        assert.deepEqual(await rows("select paused, priority, deadline, context from tasker.get_task($1)", task.uuid), [{ paused, priority, deadline, context: { cents } }]);
      assert.deepEqual([await task.pause("the bank is closed"), await task.pause()], [true, false]);
      await has(true, 0, null, 70);
      assert.equal(await task.change({ priority: 5, deadline: later, startAt: start }), true);
      assert.equal(await task.change({ priority: 5 }), false);
      assert.equal((await rows("select from tasker.timers where task_uuid = $1 and due_at = $2", task.uuid, start)).length, 1);
      await assert.rejects(task.change({ input: { cents: 60 } }), (error) => error instanceof ApiError && /reason/.test(error.message));
      assert.equal(await task.change({ input: { cents: 60 }, reason: "ten were paid before" }), true);
      await has(true, 5, later, 60);
      assert.deepEqual([await task.resume("it is open"), await task.resume()], [true, false]);
      await has(false, 5, later, 60);
      assert.deepEqual(await rows("select call, reason from tasker.list_administration('tasks', $1) where reason is not null order by entry_no", task.uuid), [
        { call: "pause_task", reason: "the bank is closed" }, { call: "change_task", reason: "ten were paid before" }, { call: "resume_task", reason: "it is open" },
      ]);
    });
  }
});
