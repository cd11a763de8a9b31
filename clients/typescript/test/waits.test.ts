// Events, pauses, steps of other programs, signals by key and policies: in memory, over PostgreSQL and over HTTP.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import pg from "pg";

import * as broadcasts from "../examples/howto/broadcasts.js";
import { type Caller, Client, event, Postgres, signal, type, Worker, workflow } from "../src/index.js";
import { crashEverywhere, Function, run, sent } from "../src/testing.js";

interface Door { number: string; floor: number }
const opening = event("opening", type<{ by: string }>(), { key: (door: Door) => door.number });
const knock = signal("knock", type<{ by: string }>());
const doors = workflow({ namespace: "waits", name: "doors_ts", version: "1.0.0", input: type<Door>(), identity: "key" });
const first = doors.wait("first", [opening.when('$.by != "nobody"'), knock]);
const rest = doors.wait("rest", "0.05s", { after: first });
const floor = doors.declare("floor", { after: rest, result: type<number>(), handler: "waits.floor_ts" });
const enter = doors.step("enter", { after: [first, floor] }, (_, [came, at]) => `${came.by} ${came.name} of ${came.payload.by} at ${at}`);
const door = doors.returns(enter);

const guards = workflow({ namespace: "waits", name: "guards_ts", version: "1.0.0", input: type<Door>(), identity: "new" });
const watch = guards.step("watch", async (job) => {
  const came = await job.wait(event("opening", type<{ by: string }>(), { key: job.input.number }));
  await job.wait("0.01s");
  if (job.input.floor === 0) return `${came.payload.by} on the ground`;
  const late = await job.wait(event("never", type<object>()), { timeout: "0.05s" });
  return `${came.payload.by} ${came.key === job.input.number} ${late.by}`;
});
const guard = guards.returns(watch);

test("the page in memory", async () => {
  const { trade, marketOpen, filled, withdrawn } = broadcasts;
  const of = async (...signals: any[]) => (await run(trade, { market: "XETRA", order: 17 }, { signals: [sent(marketOpen, { at: "09:00" }), ...signals] })).result();
  assert.equal(await of(sent(filled, { amount: 7 })), "7 filled");
  assert.equal(await of(sent(filled, { amount: 0 })), "nothing came in eight hours");
  assert.equal(await of(sent(withdrawn, { by: "ann" })), "withdrawn by ann");
});

test("a durable function waits for an event", async () => {
  const ann = event("opening", type<{ by: string }>(), { key: "A" });
  await crashEverywhere(() => new Function(watch, { number: "A", floor: 0 }).send(ann, { by: "ann" }), (_, result) => assert.equal(result, "ann on the ground"));
});

test("an answer has the time of sending", async () => {
  const knocks = workflow({ namespace: "waits", name: "knocks_ts", version: "1.0.0", input: type<Door>(), identity: "new" });
  const waits = new Function(knocks.step("waits", async (job) => {
    const [came, timeout] = [await job.wait(knock), await job.wait(signal("never", type<object>()), { timeout: "1h" })];
    return { came, timeout };
  }), { number: "A", floor: 0 }).send(knock, { by: "ann" });
  waits.advance(60);
  await assert.rejects(waits.run(), /never/);
  waits.advance("2h");
  assert.deepEqual(await waits.run(), {
    came: { by: "signal", name: "knock", payload: { by: "ann" }, sent_at: "2026-01-01T12:00:00.000Z" }, timeout: { by: "timeout" },
  });
});

test("the template says what a step waits for", () => {
  const steps = Object.fromEntries((doors.template() as any).steps.map((s: any) => [s.name, s]));
  assert.deepEqual(steps.first.await[0], { event: "opening", key: "$.number", when: '$.by != "nobody"' });
  assert.deepEqual([steps.rest.await, steps.floor.handler], [{ for: "0.05s" }, "waits.floor_ts"]);
});

const { DATABASE_URL: url, TASKER_URL: server, TASKER_TOKEN: token, TASKER_OPERATOR_TOKEN: operator } = process.env;
const quiet = { info() {}, warn() {}, error() {} };
const within = { timeout: 60 };

for (const transport of ["PostgreSQL", "HTTP"] as const) {
  test(`over ${transport}`, { skip: url && server ? false : "there is no database, or no server" }, async (t) => {
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    const on = transport === "HTTP" ? new Client(server!, token!) : new Postgres(pool);
    const calls: Caller = transport === "HTTP" ? on : pool;
    const flows = [door, guard, broadcasts.trade];
    for (const flow of flows) await flow.register(transport === "HTTP" ? new Client(server!, operator!) : pool);
    const worker = new Worker(on, flows.map((flow) => flow.workflow) as any[], { logger: quiet });
    worker.handler<Door>("waits.floor_ts", (job) => job.input.floor);
    const running = worker.run();
    t.after(async () => {
      worker.stop();
      await running;
      await pool.end();
    });

    await t.test("an event, a pause and a step of another program", async () => {
      const number = randomUUID();
      const task = await door.start(calls, { number, floor: 3 }, { key: number });
      assert.equal(await door.emit(calls, opening, { by: "nobody" }, { key: number }), true);
      const ann = () => door.emit(calls, opening, { by: "ann" }, { key: number, idempotencyKey: number });
      assert.deepEqual([await ann(), await ann()], [true, false]);
      assert.equal(await task.result(within), "event opening of ann at 3");
      const came = await task.result(first, within);
      assert.deepEqual([came.by, came.name, came.payload], ["event", "opening", { by: "ann" }]);
      assert.ok(Math.abs(Date.now() - Date.parse(came.sent_at)) < 300_000, came.sent_at);
    });
    await t.test("a durable function waits for an event", async () => {
      const number = randomUUID();
      const task = await guard.start(calls, { number, floor: 1 });
      await guard.emit(calls, opening, { by: "ann" }, { key: number });
      assert.equal(await task.result(within), "ann true timeout");
    });
    await t.test("a signal by key starts a task", async () => {
      const number = randomUUID();
      await assert.rejects(door.sendByKey(calls, number, knock, { by: "bob" }), (error: any) => error.code === "TK404");
      const bob = () => door.sendByKey(calls, number, knock, { by: "bob" }, { idempotencyKey: "a", start: { number, floor: 2 } });
      assert.match(await bob(), /^(kept|delivered)$/);
      assert.equal(await bob(), "repeated");
      assert.equal(await (await door.start(calls, { number, floor: 2 }, { key: number })).result(within), "signal knock of bob at 2");
    });
    await t.test("the last of several requests starts", async () => {
      const number = randomUUID();
      const tasks = [];
      for (const floor of [1, 2]) tasks.push(await door.start(calls, { number, floor }, { key: number, policy: { debounce: "1h", debounceLongest: "2h" } }));
      assert.deepEqual([await tasks[0]!.state(), await tasks[1]!.state()], ["cancelled", "pending"]);
      const key = randomUUID();
      const hurried = (n: number) => door.start(calls, { number: key, floor: n }, { key: `${key} ${n}`, policy: { throttle: 1, throttlePeriod: "1h", throttleKey: key } });
      await hurried(1);
      await assert.rejects(hurried(2), (error: any) => error.code === "TK429");
      const once = () => door.start(calls, { number: key, floor: 1 }, { key, policy: { scope: "period", period: "1h" } });
      assert.equal((await once()).uuid, (await once()).uuid);
    });
    await t.test("the page", async () => {
      const number = randomUUID();
      const task = await broadcasts.trade.start(calls, { market: number, order: 17 }, { key: number });
      assert.deepEqual([await broadcasts.openMarket(calls, number, "today"), await broadcasts.openMarket(calls, number, "today")], [true, false]);
      assert.match(await broadcasts.withdraw(calls, number, "ann"), /^(kept|delivered)$/);
      assert.equal(await task.result(within), "withdrawn by ann");
      assert.equal(await (await broadcasts.place(calls, `${number} b`, { market: "XETRA", order: 1 })).state(), "pending");
    });
  });
}
