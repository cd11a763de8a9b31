// The programs of docs/howto: in memory, and on the database of DATABASE_URL. make test-typescript makes one.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import pg from "pg";

import * as broadcasts from "../examples/howto/broadcasts.js";
import * as children from "../examples/howto/children.js";
import * as compensation from "../examples/howto/compensation.js";
import * as deadlines from "../examples/howto/deadlines.js";
import * as durable from "../examples/howto/durable.js";
import * as encrypted from "../examples/howto/encrypted.js";
import * as erase from "../examples/howto/erase.js";
import * as failureBranches from "../examples/howto/failure-branches.js";
import * as fanOut from "../examples/howto/fan-out.js";
import * as growing from "../examples/howto/growing.js";
import * as idempotency from "../examples/howto/idempotency.js";
import * as input from "../examples/howto/input.js";
import * as joins from "../examples/howto/joins.js";
import * as later from "../examples/howto/later.js";
import * as limits from "../examples/howto/limits.js";
import * as pauseAndChange from "../examples/howto/pause-and-change.js";
import * as results from "../examples/howto/results.js";
import * as retries from "../examples/howto/retries.js";
import * as schedules from "../examples/howto/schedules.js";
import * as transactions from "../examples/howto/transactions.js";
import * as streams from "../examples/howto/streams.js";
import * as triggers from "../examples/howto/triggers.js";
import * as tutorial from "../examples/howto/tutorial.js";
import * as tutorialYaml from "../examples/howto/tutorial-yaml.js";
import * as waiting from "../examples/howto/waiting.js";
import { Encrypted, Keys, Permanent, Postgres, Retry, TaskFailed, Worker } from "../src/index.js";
import { call, crashEverywhere, Function, run, sent } from "../src/testing.js";

const step = (flow: { template(): object }, name: string): any => (flow.template() as any).steps.find((s: any) => s.name === name);

test("retries", async (t) => {
  assert.equal((await run(retries.pay, { cents: 700 })).result(), "paid: R-700");
  const bank = t.mock.method(retries.bank, "charge");
  bank.mock.mockImplementation(async () => { throw new retries.CardExpired(); });
  await assert.rejects(call(retries.charge, { cents: 700 }), Permanent);
  bank.mock.mockImplementation(async () => { throw new retries.TooManyRequests(); });
  await assert.rejects(call(retries.charge, { cents: 700 }), (error) => error instanceof Retry && error.after === 600);
  bank.mock.mockImplementation(async () => { throw new TypeError("other"); });
  await assert.rejects(call(retries.charge, { cents: 700 }), TypeError);
  assert.deepEqual(step(retries.payments, "charge").retry, { max_attempts: 5, base_seconds: 2, multiplier: 3, max_seconds: 60 });
  assert.deepEqual(step(retries.payments, "notify").retry, { max_attempts: 10, base_seconds: 30, backoff: "constant" });
  assert.deepEqual(step(retries.payments, "withdraw").retry, { retryable: false });
});

test("waiting", async () => {
  const yes = sent(waiting.approved, { ok: true });
  const of = async (...signals: any[]) => run(waiting.order, { number: "A" }, { signals, timeouts: true });
  assert.equal((await of(yes, sent(waiting.paid, { amount: 120 }))).result(), "paid 120");
  assert.equal((await of(yes, sent(waiting.waived, { by: "ann" }))).result(), "waived by ann");
  assert.deepEqual((await of(sent(waiting.approved, { ok: false }))).skipped, ["settle", "ship"]);
  assert.deepEqual((await of()).skipped, ["approve", "settle", "ship"]);
});

test("durable functions", async (t) => {
  const purchase = { number: 7, amount: 12 };
  const keys = new Set<string>();
  const charge = t.mock.method(durable.bank, "charge", async (_: number, key: string) => { keys.add(key); return "receipt"; });
  await crashEverywhere(() => new Function(durable.fulfil, purchase).send(durable.approved, { ok: true }), (_, result) => assert.equal(result, "receipt"));
  assert.equal(keys.size, 1);
  await crashEverywhere(() => new Function(durable.fulfil, purchase).send(durable.approved, { ok: false }), (_, result) => assert.equal(result, "refunded"));
  assert.equal(await new Function(durable.fulfil, purchase).advance("4d").send(durable.approved, { ok: false }).run(), "refunded");
  await crashEverywhere(() => new Function(durable.changed, purchase), (_, result) => assert.equal(result, "receipt"));
  charge.mock.resetCalls();
  assert.equal(await new Function(durable.subscription, purchase).run(), 144);
  assert.equal(charge.mock.callCount(), 12);
});

test("schedules", async () => {
  assert.equal((await run(schedules.report, { region: "eu" })).result(), "report for eu");
});

test("deadlines", async (t) => {
  const transcode = t.mock.method(deadlines.encoder, "transcode");
  assert.equal((await run(deadlines.transcoded, { name: "cat", parts: 3 })).result(), "cat.webm");
  assert.equal(transcode.mock.callCount(), 3);
  assert.equal(step(deadlines.videos, "transcode").timeout_seconds, 3600);
});

test("compensation", async (t) => {
  const { flights, trip } = compensation;
  assert.equal((await run(trip, { to: "Rome" })).result(), "paid for X7");
  assert.equal(flights.booked.size, 1);
  flights.booked.clear();
  const gone = await run(trip, { to: "Atlantis" });
  assert.deepEqual([gone.failed, gone.undone, flights.booked.size], ["pay", ["flight"], 0]);
  t.mock.method(flights, "book", async (key: string) => { flights.booked.set(key, "X8"); throw new Error("no answer"); });
  const lost = await run(trip, { to: "Rome" });
  assert.deepEqual([lost.failed, lost.undone, flights.booked.size], ["flight", ["flight"], 0]);
});

test("joins", async () => {
  const [small, large] = [await run(joins.claim, { amount: 50 }), await run(joins.claim, { amount: 5000 })];
  assert.deepEqual([small.result(), small.skipped], ["paid, approved", ["investigate"]]);
  assert.deepEqual([large.result(), large.skipped], ["paid, investigated", ["approve"]]);
  assert.equal((await run(joins.charging, { amount: 1, card: "expired" })).of(joins.remind), "reminded: the card has expired");
  assert.deepEqual((await run(joins.charging, { amount: 1 })).skipped, ["remind"]);
});

test("fan out", async () => {
  const done = await run(fanOut.basket, { lines: [{ sku: "a" }, { sku: "anvil" }, { sku: "b" }] });
  assert.deepEqual([done.result(), done.of(fanOut.total)?.cents], [2, 1400]);
  assert.deepEqual(done.of(fanOut.ship), ["parcel 0: a", null, "parcel 2: b"]);
  assert.deepEqual(step(fanOut.baskets, "ship").for_each, { step: "total", path: "$.parcels" });
});

test("children", async () => {
  assert.equal((await run(children.purchase, { order: 1 })).result(), 100);
});

test("idempotency", async (t) => {
  assert.equal((await run(idempotency.webhook, { event: 1 })).result(), 1);
  const lines: number[] = [];
  t.mock.method(idempotency.files, "importLine", async (line: number) => {
    lines.push(line);
    if (lines.length === 2) throw new Error("once");
  });
  assert.equal(await call(idempotency.importFile, { lines: 3 }, { attempts: 2 }), 3);
  assert.deepEqual(lines, [0, 1, 1, 2]);
});

test("limits", async () => {
  assert.equal((await run(limits.bill, { customer: "ann", cents: 7 })).result(), "ann: 7");
  const { limit, limit_key, priority } = step(limits.bills, "report");
  assert.deepEqual([limit, limit_key, priority], ["tenant", "$.customer", 5]);
});

test("several limits", async () => {
  const { limit, limit_key, limit_hold, limits: others } = step(limits.transfers, "transfer");
  assert.deepEqual([limit, limit_key, limit_hold, others], ["account", "$.account", "run", [{ limit: "bank", limit_units: 2 }]]);
  const { limit_bound, limit_bound_max } = step(limits.exporting, "export") as Record<string, unknown>;
  assert.deepEqual([limit_bound, limit_bound_max], ["$.places", 50]);
});

test("failure branches", async () => {
  const broken = await run(failureBranches.delivery, { parcel: "17", van: "broken" });
  assert.deepEqual([broken.state, broken.result()], ["complete", { alert: "send: the van is broken", cleanUp: 1 }]);
  assert.deepEqual((await run(failureBranches.delivery, { parcel: "17" })).skipped, ["alert"]);
  assert.equal((await run(failureBranches.quote, { parcel: "17" })).result(), "ups for 700");
});

test("results", async () => {
  assert.equal((await run(results.words, { documents: ["a b", "c"] })).result(), 3);
});

const ada = { number: 12, customer: "Ada", cents: 4200 };

test("the order of the tutorial", async () => {
  assert.equal((await run(tutorial.fulfil, ada)).result(), "sent to Ada, from shelf 2");
  await assert.rejects(call(tutorial.charge, { ...ada, cents: 0 }, { results: { shelf: "" } }), Permanent);
});

const url = process.env["DATABASE_URL"];

test("on a database", { skip: url ? false : "there is no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const all = [
    broadcasts.trade, retries.pay, waiting.order, durable.fulfilment, durable.subscribed, durable.checked, schedules.report, deadlines.transcoded, compensation.trip,
    joins.claim, joins.charging, fanOut.basket, children.parcel, children.purchase, transactions.printed, idempotency.webhook, idempotency.imported,
    input.refund, later.reminder, limits.bill, limits.transferred, limits.exportOf, failureBranches.delivery, failureBranches.quote, triggers.shipment, results.words, tutorial.fulfil,
  ];
  for (const flow of all) await flow.register(pool);
  const { rows } = await pool.query("select cron from tasker.list_schedules('guide') where schedule = 'nightly_ts'");
  assert.deepEqual(rows, [{ cron: "0 2 * * *" }]);

  const worker = new Worker(new Postgres(pool), all.map((flow) => flow.workflow) as any[], { logger: { info() {}, warn() {}, error() {} } });
  const running = worker.run();
  t.after(async () => {
    worker.stop();
    await running;
    await pool.end();
  });
  const within = { timeout: 60 };

  await t.test("a signal ends a wait", async () => {
    const task = await waiting.place(pool, randomUUID());
    await task.send(waiting.paid, { amount: 1 }); // too little: it waits on
    await task.send(waiting.waived, { by: "ann" });
    assert.equal(await task.result(within), "waived by ann");
  });
  await t.test("an event ends a wait", async () => {
    const number = randomUUID();
    const task = await broadcasts.trade.start(pool, { market: number, order: 17 }, { key: number });
    await broadcasts.openMarket(pool, number, "today");
    await broadcasts.trade.emit(pool, broadcasts.filled, { amount: 7 }, { key: "17" });
    assert.equal(await task.result(within), "7 filled");
  });
  const plain = async (handle: (worker: Worker) => void, context: object, steps: object[]): Promise<unknown> => {
    const on = new Postgres(pool), name = `plain_${randomUUID().slice(0, 8)}`;
    const call = async (text: string, values: unknown[]): Promise<any> => (await pool.query(text, values)).rows[0];
    await call("select tasker.register_task_template($1::jsonb)", [{ namespace: name, name, version: "1.0.0", steps }]);
    const { task_uuid } = await call("select task_uuid from tasker.create_task($1, $1, $2::jsonb)", [name, context]);
    const worker = new Worker(on, { namespaces: [name], logger: { info() {}, warn() {}, error() {} } });
    handle(worker);
    const running = worker.run();
    for (let result: any; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      ({ result } = await call("select tasker.get_task_result($1) as result", [task_uuid]));
      if (!result.complete && !result.blocked) continue;
      worker.stop();
      await running;
      return result.results;
    }
  };
  await t.test("a step adds steps", async () => {
    assert.deepEqual(await plain(growing.handle, { files: ["a", "bcd"] }, [{ name: "list" }]), { sum: 4 });
  });
  await t.test("the order of the tutorial in YAML", async () => {
    const steps = [{ name: "reserve" }, { name: "charge", dependencies: ["reserve"] }, { name: "pack", dependencies: ["reserve"] }, { name: "ship", dependencies: ["charge", "pack"] }];
    assert.deepEqual(await plain(tutorialYaml.handle, { number: 7, customer: "Ada", cents: 1299 }, steps), { ship: "sent to Ada, from shelf 7" });
  });
  await t.test("a failing element is tolerated", async () => {
    const task = await fanOut.basket.start(pool, { lines: [{ sku: "a" }, { sku: "anvil" }, { sku: "b" }] });
    assert.equal(await task.result(within), 2);
    assert.deepEqual(await task.result(fanOut.ship, within), ["parcel 0: a", null, "parcel 2: b"]);
  });
  await t.test("a step starts a task", async () => {
    assert.equal(await (await children.purchase.start(pool, { order: 1 })).result(within), 100);
  });
  await t.test("what was done is undone", async () => {
    compensation.flights.booked.clear();
    await assert.rejects((await compensation.trip.start(pool, { to: "Atlantis" })).result(within), TaskFailed);
    assert.equal(compensation.flights.booked.size, 0);
  });
  await t.test("a failure runs the branches", async () => {
    const broken = await failureBranches.delivery.start(pool, { parcel: "17", van: "broken" });
    const fine = await failureBranches.delivery.start(pool, { parcel: "17" });
    assert.deepEqual(await broken.result(within), { alert: "send: the van is broken", cleanUp: 1 });
    assert.deepEqual(await fine.result(within), { alert: null, cleanUp: 0 });
    assert.match(await (await failureBranches.quote.start(pool, { parcel: "17" })).result(within), /ups for 700|dhl for 800/);
  });
  await t.test("an event starts a task", async () => {
    const order = randomUUID();
    await triggers.shipment.emit(pool, triggers.paid, { order, amount: 7, address: { region: "eu" } });
    const { rows } = await pool.query("select count(*)::integer from tasker.list_tasks('guide', 'shipments_ts')");
    assert.deepEqual(rows, [{ count: 1 }]);
    assert.equal(await (await triggers.shipment.start(pool, { order, region: "eu" }, { key: order })).result(within), `${order} to eu`);
    await triggers.shipment.emit(pool, triggers.withdrawn, {}, { key: order });
  });
  await t.test("handlers see what the database does not, and a running step says what it does", async () => {
    const keys = new Keys("2026-11", { "2026-11": Buffer.alloc(32, "k") });
    await pool.query("select tasker.register_task_template($1::jsonb)", [{ namespace: "guide", name: "claim", encrypted: { clear: ["customer"] }, steps: [{ name: "pay" }] }]);
    await pool.query("select tasker.register_task_template($1::jsonb)", [{ namespace: "guide", name: "import_ts", steps: [{ name: "load", handler: "import_ts" }] }]);
    const { rows: [loads] } = await pool.query("select task_uuid from tasker.create_task('guide', 'import_ts')");
    const { task, worker } = await encrypted.claims(new Postgres(pool), keys);
    worker.handler("import_ts", streams.load);
    const running = worker.run();
    const open = async (): Promise<number> => (await pool.query("select count(*)::integer as n from tasker.tasks where task_uuid = any($1) and not complete", [[task, loads.task_uuid]])).rows[0].n;
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    worker.stop();
    await running;
    const { rows: [stored] } = await pool.query("select context ->> 'customer' as customer, context ? 'card' as plain from tasker.tasks where task_uuid = $1", [task]);
    assert.deepEqual(stored, { customer: "7", plain: false });
    const { results: result } = await new Encrypted(new Postgres(pool), keys).send<{ results: unknown }>("GET", `/v1/tasks/${task}/result`, undefined, 30_000);
    assert.deepEqual(result, { pay: "paid with 4111 1111" });
    const { rows } = await pool.query("select name, last_no::integer from tasker.list_streams($1) order by name", [loads.task_uuid]);
    assert.deepEqual(rows, [{ name: "log", last_no: 1 }, { name: "progress", last_no: 1 }, { name: "rejected", last_no: 2 }, { name: "rows", last_no: 1 }]);
  });
  await t.test("the runs of a customer are erased", async () => {
    const customer = randomUUID(), on = new Postgres(pool);
    const tasks = [];
    const options = { startAt: new Date(Date.now() + 3_600_000), tags: [`customer:${customer}`] };
    for (let n = 0; n < 3; n++) tasks.push(await later.reminder.start(pool, { text: customer }, options));
    for (const task of tasks.slice(1)) await task.cancel("the customer leaves");
    assert.equal(await erase.eraseOne(on, tasks[1]!.uuid), "erased");
    assert.equal(await erase.eraseAll(on, customer), 1);
    await tasks[0]!.cancel("the customer leaves");
    assert.deepEqual([await erase.eraseAll(on, customer), await erase.eraseAll(on, customer)], [1, 0]);
  });
  await t.test("changed code is let in", async () => {
    assert.equal(await (await durable.checked.start(pool, { number: 1, amount: 5 })).result(within), "receipt");
  });
  await t.test("an input that does not fit is refused", async () => {
    const made = input.refund.workflow.template() as any;
    assert.deepEqual(made.input_schema, {
      type: "object", required: ["amount"],
      properties: { amount: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "In cents." }, note: { type: "string", maxLength: 200 } },
    });
    assert.equal(await (await input.refund.start(pool, { amount: 7 })).result(within), 7);
    await assert.rejects(pool.query("select tasker.create_task('guide', 'refunds_ts', '{}')"), /context\.amount is missing/);
  });
  await t.test("a task is cancelled, and one starts later", async () => {
    // A part that ends at once would let the task be complete before it is cancelled.
    deadlines.encoder.transcode = (_part, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    assert.equal(await deadlines.upload(pool, "cat"), true);
    assert.equal(await (await later.later(pool, "tea")).state(), "pending");
  });
  await t.test("a paused task is changed", async () => {
    await pauseAndChange.paid.register(pool);
    const task = await pauseAndChange.paid.start(pool, { amount: 70 });
    assert.equal(await pauseAndChange.lower(task, { amount: 70 }), true);
    const late = new Worker(new Postgres(pool), [pauseAndChange.paid.workflow], { logger: { info() {}, warn() {}, error() {} } });
    const ended = late.run();
    assert.equal(await task.result(within), 60);
    late.stop();
    await ended;
  });
  await t.test("a task and a result in a transaction", async () => {
    await pool.query("create table invoices_ts (number integer primary key, task_uuid uuid not null)");
    await pool.query("create table prints_ts (step_uuid uuid primary key, invoice integer not null)");
    const client = await pool.connect();
    const task = await transactions.book(client, 7);
    client.release();
    assert.equal(await task.on(pool).result(within), 7);
    assert.deepEqual((await pool.query("select invoice from prints_ts")).rows, [{ invoice: 7 }]);
  });
  await t.test("the order of the tutorial", async () => {
    await pool.query("create table orders_ts (number integer primary key, task_uuid uuid not null)");
    const client = await pool.connect();
    const [task, again] = [await tutorial.place(client, ada), await tutorial.place(client, ada)];
    client.release();
    assert.equal(again.uuid, task.uuid);
    assert.equal(await task.on(pool).result(within), "sent to Ada, from shelf 2");
  });
  await t.test("a key finds its task", async () => {
    assert.equal(await idempotency.receive(pool, Date.now()), true);
  });
});
