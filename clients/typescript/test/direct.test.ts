// Workflows directly over PostgreSQL, without a server: on the migrated database of DATABASE_URL. make test-typescript makes one.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import test from "node:test";
import { fileURLToPath } from "node:url";

import pg from "pg";
import postgres from "postgres";

import { approved, invoice } from "../examples/invoice.js";
import { anyOf, type Caller, eq, Permanent, Postgres, settled, signal, TaskFailed, type, Worker, workflow } from "../src/index.js";

const url = process.env["DATABASE_URL"];
const skip = url ? false : "there is no database";
const quiet = process.env["LOUD"] ? console : { info() {}, warn() {}, error() {} };

const invoices = 40;

function program(name: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** working runs a worker while f does. */
async function working<R>(pool: pg.Pool, flows: any[], f: () => Promise<R>, options = {}): Promise<R> {
  const worker = new Worker(new Postgres(pool), flows, { logger: quiet, ...options });
  const running = worker.run();
  try {
    return await f();
  } finally {
    worker.stop();
    await running;
  }
}

test("directly over PostgreSQL", { skip }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  t.after(() => pool.end());

  await t.test("a first workflow is registered, run and awaited", async () => {
    const first = program("../examples/first.js");
    let output = "";
    first.stdout!.on("data", (part) => (output += part));
    await once(first, "exit");
    assert.match(output, /PAID FOR SHELF 70/);
  });

  await t.test("invoices lose nothing and book exactly once while workers are killed", async () => {
    await pool.query("create table invoices (number text primary key, booked boolean not null default false)");
    await pool.query("create table effects (kind text not null, key text not null)");
    await pool.query("create table ledger (number text not null, booked boolean not null)");
    await pool.query(`create function note() returns trigger language plpgsql as
      $$ begin insert into ledger values (new.number, new.booked); return null; end $$`);
    await pool.query("create trigger note after update on invoices for each row execute function note()");
    assert.equal(await invoice.register(pool), true);
    assert.equal(await invoice.register(pool), false);

    const fleet = [program("./invoice-worker.js", "k1"), program("./invoice-worker.js", "k2")];
    const tasks = [];
    for (let i = 0; i < invoices; i++) {
      const [client, number] = [await pool.connect(), String(i)];
      await client.query("begin");
      await client.query("insert into invoices (number) values ($1)", [number]);
      const lines = [{ sku: "abc", qty: i % 5 === 0 ? 1000 : 1 }, { sku: "de", qty: 2 }];
      const task = await invoice.start(client, { number, customer: i % 10 === 9 ? "bounce" : `c${i % 7}`, lines }, { key: number });
      await client.query("commit");
      client.release();
      tasks.push(task.on(pool));
    }
    for (let i = 0; i < invoices; i += 5) await tasks[i]!.send(approved, { ok: true });
    await tasks[10]!.result();
    fleet[0]!.kill("SIGKILL");
    fleet.push(program("./invoice-worker.js", "k3"));
    await tasks[20]!.result();
    fleet[1]!.kill("SIGKILL");
    const ends = await Promise.allSettled(tasks.map((task) => task.result()));
    fleet[2]!.kill("SIGTERM");
    await once(fleet[2]!, "exit");

    ends.forEach((end, i) => {
      if (i % 10 !== 9) return assert.deepEqual(end, { status: "fulfilled", value: { total: { cents: i % 5 === 0 ? 300_400 : 700 }, charge: { receipt: `R-c${i % 7}`, cents: i % 5 === 0 ? 300_400 : 700 } } });
      assert.equal(end.status, "rejected");
      assert.ok(end.reason instanceof TaskFailed && end.reason.step === "mail" && /mailbox is full/.test(end.reason.stepError!), String(end.reason));
    });
    const count = async (query: string): Promise<number> => Number((await pool.query(query)).rows[0].count);
    assert.equal(await count("select count(*) from ledger where booked"), invoices);
    await until(async () => (await count("select count(*) from ledger where not booked")) >= invoices / 10);
    assert.equal(await count("select count(*) from ledger where not booked"), invoices / 10);
    assert.equal(await count("select count(distinct key) from effects where kind = 'charge'"), invoices);
  });

  await t.test("a template with everything is registered, compared and run", async () => {
    const { all, parcel, go } = features();
    await parcel.register(pool);
    assert.deepEqual([await all.register(pool), await all.register(pool)], [true, false]);
    await working(pool, [all.workflow, parcel.workflow], async () => {
      const task = await all.start(pool, { number: 7, lines: [{ sku: "a", qty: 1 }, { sku: "bad", qty: 2 }, { sku: "c", qty: 3 }] });
      await task.send(go, { ok: true });
      await task.send(go, { ok: false });
      const result = await task.result();
      assert.deepEqual(result, { durable: { key: 36, ok: false, never: null, ship: { weight: 0, label: "to 7" } }, fast: "signal 200,0,600" });
    });
    const other = workflow({ namespace: "feat", name: "parcel", version: "1", input: type<object>(), identity: "new" });
    other.step("unpack", () => 1);
    await assert.rejects(other.register(pool), /TK409/);
  });

  const flow = workflow({ namespace: "direct", name: "work", version: "1", input: type<{ what: string }>(), identity: "new" });
  const attempts: string[] = [];
  const nothing = flow.step("nothing", (job) => void attempts.push(job.input.what));
  const act = flow.step("act", { after: nothing, retry: { attempts: 2, base: 0.001 } }, async (job, before) => {
    assert.equal(before, null);
    const tx = await job.tx();
    await tx.query("insert into effects (kind, key) values ('act', $1)", [job.taskUUID]);
    if (job.input.what === "refused") throw new Permanent("no");
    if (job.input.what === "again" && job.attempt === 1) throw new Error("not yet");
    if (job.input.what === "zero") return "a\0b";
    return job.attempt;
  });
  const work = flow.returns(act);
  await work.register(pool);
  const acts = async (uuid: string): Promise<number> => Number((await pool.query("select count(*) from effects where kind = 'act' and key = $1", [uuid])).rows[0].count);

  await t.test("the transaction of a result counts once, or not at all", async () => {
    await working(pool, [flow], async () => {
      for (const [what, result, times] of [["once", 1, 1], ["again", 2, 1]] as const) {
        const task = await work.start(pool, { what });
        assert.equal(await task.result(), result);
        assert.equal(await acts(task.uuid), times);
      }
      for (const what of ["refused", "zero"]) {
        const task = await work.start(pool, { what });
        const began = Date.now();
        await assert.rejects(task.result(), (error) => error instanceof TaskFailed && error.state === "blocked_by_failures" && error.step === "act");
        assert.ok(Date.now() - began < 10_000);
        assert.equal(await acts(task.uuid), 0);
      }
    });
  });

  await t.test("a transaction whose commit got no answer counts once", async () => {
    const losing = new pg.Pool({ connectionString: url });
    t.after(() => losing.end());
    let lost = 0;
    const connect = losing.connect.bind(losing) as () => Promise<pg.PoolClient>;
    losing.connect = (async (callback?: unknown) => {
      if (callback) return (connect as (callback: unknown) => unknown)(callback); // pool.query
      const client = await connect();
      const query = client.query.bind(client) as (...of: unknown[]) => Promise<unknown>;
      client.query = (async (...of: unknown[]) => {
        const answered = await query(...of);
        if (of[0] === "commit" && lost++ === 0) throw new Error("the connection was lost");
        return answered;
      }) as typeof client.query;
      return client;
    }) as typeof losing.connect;
    await working(losing, [flow], async () => {
      const task = await work.start(pool, { what: "lost" });
      assert.equal(await task.result(), 1);
      await until(async () => lost >= 1);
      assert.equal(await acts(task.uuid), 1);
    });
    assert.equal(lost, 1);
  });

  await t.test("a task is created in the caller's own transaction, by either driver", async () => {
    const { host, port, user = "", database = "", password } = new pg.Client({ connectionString: url }); // whose URLs may name a socket
    const sql = postgres({ host, port, user, database, ...(password ? { password } : {}), max: 2, onnotice() {} });
    t.after(() => sql.end());
    const counts = async (): Promise<number> => Number((await pool.query("select count(*) from tasker.tasks join tasker.named_tasks using (named_task_uuid) where name = 'work'")).rows[0].count);
    const before = await counts();
    await assert.rejects(sql.begin(async (tx) => {
      await work.start(tx as unknown as Caller, { what: "x" });
      throw new Error("rolled back");
    }), /rolled back/);
    assert.equal(await counts(), before);
    const [task] = await sql.begin(async (tx) => [await work.start(tx as unknown as Caller, { what: "driver" })] as const);
    await working(pool, [flow], async () => assert.equal(await task.on(sql).result(), 1));
  });

  await t.test("an idle worker is woken, and does the duties", async () => {
    await working(pool, [flow], async () => {
      await until(async () => Number((await pool.query("select count(*) from tasker.sleepers where channel like 'tasker_steps_ready.direct'")).rows[0].count) > 0);
      const began = Date.now();
      const task = await work.start(pool, { what: "wake" });
      await task.result();
      assert.ok(Date.now() - began < 3_000, `${Date.now() - began} ms`);
      const { rows } = await pool.query("select count(*) from tasker.maintenance_duties where runs > 0");
      assert.ok(Number(rows[0].count) > 0);
    }, { poll: 60 });
  });

  await t.test("the connections of exchanges have their plans before the first one", async () => {
    const own = new pg.Pool({ connectionString: url, application_name: "warm" });
    t.after(() => own.end());
    const transport = new Postgres(own);
    await transport.warm(2, ["direct"], new AbortController().signal);
    const { rows } = await pool.query("select query from pg_stat_activity where application_name = 'warm' order by query");
    assert.equal(rows.filter(({ query }) => /warm_session|listen/.test(query)).length, 2, JSON.stringify(rows));
    await transport.close();
    const nowhere = new Postgres(new pg.Pool({ host: "127.0.0.1", port: 1 }));
    await nowhere.warm(2, null, new AbortController().signal); // The first exchanges meet the same, and say so.
    await nowhere.close();
  });

  await t.test("a lost connection is made again, and what was done is recorded", async () => {
    await working(pool, [flow], async () => {
      for (let i = 0; i < 5; i++) {
        const task = await work.start(pool, { what: "cut" });
        await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%tasker.exchange%' and pid <> pg_backend_pid()");
        assert.equal(typeof (await task.result()), "number");
        assert.equal(await acts(task.uuid), 1);
      }
    });
  });

  await t.test("the elements of a map share a large context", async () => {
    const large = workflow({ namespace: "direct", name: "large", version: "1", input: type<{ text: string; numbers: number[] }>(), identity: "new" });
    const each = large.map("each", { over: large.each((i) => i.numbers) }, (job, n) => n + job.input.text.length);
    await large.register(pool);
    const numbers = Array.from({ length: 300 }, (_, i) => i);
    const transport = new Postgres(pool);
    let bytes = 0;
    const { exchange } = transport;
    transport.exchange = async (...args) => {
      const answered = await exchange.apply(transport, args);
      bytes += JSON.stringify(answered).length;
      return answered;
    };
    const worker = new Worker(transport, [large], { logger: quiet });
    const running = worker.run();
    const task = await large.returns(each).start(pool, { text: "x".repeat(800_000), numbers });
    assert.deepEqual(await task.result(), numbers.map((n) => n + 800_000));
    worker.stop();
    await running;
    assert.ok(bytes < 5_000_000, `${bytes} bytes`);
  });

  await t.test("repeated calls are one", async () => {
    const keyed = workflow({ namespace: "direct", name: "keyed", version: "1", input: type<{ n: number }>(), identity: "key" });
    keyed.step("a", () => 1);
    await keyed.register(pool);
    const key = randomUUID();
    const [one, two] = [await keyed.start(pool, { n: 1 }, { key }), await keyed.start(pool, { n: 1 }, { key })];
    assert.equal(one.uuid, two.uuid);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); ) {
    assert.ok(Date.now() < end, "it does not come to pass");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** features is a workflow with every feature of a template. */
function features() {
  const parcels = workflow({ namespace: "feat", name: "parcel", version: "1", input: type<{ order: number; skus: string[]; express: boolean; price: string }>(), identity: "new" });
  const pack = parcels.step("pack", async (job) => ({ weight: job.input.skus.length }));
  const label = parcels.step("label", async (job) => `to ${job.input.order}`);
  const parcel = parcels.returns({ pack, label });

  const flow = workflow({ namespace: "feat", name: "all", version: "2", input: type<{ number: number; lines: { sku: string; qty: number }[] }>(), identity: "new" });
  const go = signal("go", type<{ ok: boolean }>());
  const stop = signal("stop", type<{ why: string }>());
  const price = flow.map("price", { over: flow.each((i) => i.lines), maxParallel: 2, allowFailures: 1, retry: false }, async (_, line) => {
    if (line.sku === "bad") throw new Error("bad");
    return { sku: line.sku, cents: line.qty * 100 };
  });
  price.undoEach(async () => {});
  const doubled = flow.map("doubled", { over: price.each() }, async (_, p) => (p?.cents ?? 0) * 2);
  const wait = flow.wait("wait", [go, stop, "1h"], { after: settled({ doubled }), timeout: "2h", onTimeout: "complete" });
  const fast = flow.step("fast", { after: { w: wait.when((w) => eq(w.by, "signal")), doubled } }, (_, { w, doubled }) => `${w.by} ${doubled.join(",")}`);
  const never = flow.step("never", { after: wait.when((w) => eq(w.by, "timeout")) }, () => 1);
  const ship = flow.child("ship", parcel, {
    after: { doubled, fast }, context: (i, r) => ({ order: i.number, skus: [] as string[], express: true, price: r.fast }),
  });
  const durable = flow.step("durable", { after: anyOf({ never, ship: ship.when((s) => eq(s.label, "to 7")) }) }, async (job, r) => {
    const key = await job.once("call", (key) => key.length);
    await job.sleep(0.01);
    const answer = await job.wait(go);
    const { pack, label } = r.ship ?? { pack: { weight: -1 }, label: "" };
    return { key, ok: answer.payload.ok, never: r.never ?? null, ship: { weight: pack.weight, label } };
  });
  return { all: flow.returns({ durable, fast }), parcel, go };
}
