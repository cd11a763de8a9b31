// Graphs in code, in memory: no server, no database.
import assert from "node:assert/strict";
import test from "node:test";

import { z } from "zod";

import { approved, bank, invoice, smtp } from "../examples/invoice.js";
import { anyOf, eq, gte, not, or, Permanent, settled, signal, TaskFailed, type, workflow } from "../src/index.js";
import { call, callEach, crashEverywhere, Function, run, sent, Waiting } from "../src/testing.js";

const tx = { async query() { return { rows: [] }; } };
const small = { number: "1", customer: "ann", lines: [{ sku: "abc", qty: 1 }, { sku: "de", qty: 2 }] };
const large = { ...small, lines: [{ sku: "abc", qty: 1000 }] };

test("a small invoice needs no approval", async () => {
  const report = await run(invoice, small, { tx });
  assert.deepEqual(report.result().total, { cents: 700 });
  assert.deepEqual([report.skipped, report.state], [["approve"], "complete"]);
});

test("a large invoice waits for its approval, is refused, or times out", async () => {
  await assert.rejects(async () => (await run(invoice, large, { tx })).result(), Waiting);
  await assert.rejects(async () => (await run(invoice, large, { tx, timeouts: true })).result(), /"approve" has timed out/);
  assert.deepEqual((await run(invoice, large, { tx, signals: [sent(approved, { ok: false })] })).skipped, ["book", "charge", "mail"]);
  assert.equal((await run(invoice, large, { tx, signals: [sent(approved, { ok: true })] })).result().charge.cents, 300_000);
});

test("a mail that fails undoes everything", async (t) => {
  t.mock.method(smtp, "send", async () => { throw new Error("the mailbox is full"); });
  const refund = t.mock.method(bank, "refund");
  const report = await run(invoice, small, { tx });
  assert.deepEqual([report.state, report.failed, report.undone], ["error", "mail", ["charge", "book"]]);
  assert.equal(refund.mock.callCount(), 1);
  assert.throws(() => report.result(), /mailbox is full/);
});

const orders = workflow({ namespace: "shop", name: "orders", version: "1", input: z.object({ n: z.number(), tags: z.array(z.string()) }), onFailure: "continue" });
const go = signal("go", z.object({ ok: z.boolean() }));
const plain = orders.step("plain", async (job) => ({ twice: job.input.n * 2, bytes: null as string | null }));
const each = orders.map("each", { over: orders.each((i) => i.tags), after: plain, allowFailures: 1 }, async (job, tag, { twice }) => {
  if (tag === "bad") throw new Permanent("no such tag");
  return `${job.index}${tag}${twice}`;
});
const keys: string[] = [];
const durable = orders.step("durable", { after: { each, plain } }, async (job, r) => {
  const key = await job.once("charge", (key) => { keys.push(key); return key; });
  const began = await job.now();
  await job.sleep("3d");
  const answer = await job.wait(go, { timeout: "1h" });
  const random = (await job.random())() < 1;
  return { key, random, days: ((await job.now()).getTime() - began.getTime()) / 86_400_000, by: answer.by, each: r.each };
});

test("a step is called with typed inputs and results", async () => {
  const input = { n: 2, tags: ["a"] };
  assert.deepEqual(await call(plain, input), { twice: 4, bytes: null });
  assert.equal(await callEach(each, input, "x", { results: { twice: 4, bytes: null } }), "0x4");
  await assert.rejects(callEach(each, input, "bad", { results: { twice: 4, bytes: null } }), Permanent);
});

test("a durable function goes on after its worker was lost at any place", async () => {
  const made: Function<any, { key: string; by: string }>[] = [];
  const make = () => {
    made.push(new Function(durable, { n: 1, tags: [] }, { results: { each: ["a", null], plain: { twice: 1, bytes: null } }, signals: [sent(go, { ok: true })] }));
    return made.at(-1)! as Function<any, any>;
  };
  let places = 0;
  keys.length = 0;
  await crashEverywhere(make, (_, result, place) => {
    places++;
    assert.deepEqual({ ...result, key: "" }, { key: "", random: true, days: 3, by: "signal", each: ["a", null] });
    assert.ok(new Set(keys.splice(0)).size === 1, place);
  });
  assert.equal(places, 13); // 6 calls, before and after each, and none
});

test("time is the test's", async () => {
  const f = new Function(durable, { n: 1, tags: [] }, { results: { each: [], plain: { twice: 1, bytes: null } } });
  await assert.rejects(f.run(), Waiting);
  assert.deepEqual(f.kept, ["charge", "$now", "$sleep"]);
  assert.equal((await f.advance("1h").run()).by, "timeout");
});

test("a function that differs from run to run is said to", async () => {
  let run = 0;
  const odd = orders.step("odd", async (job) => {
    await job.once(`call-${run++}`, () => 1);
    await job.sleep(60);
    return 1;
  });
  await assert.rejects(new Function(odd, { n: 1, tags: [] }).run(), /differs from run to run/);
});

test("children, joins and optional results run in memory", async () => {
  const parcels = workflow({ namespace: "ship", name: "parcel", version: "2", input: type<{ to: string; n: number; fixed: string }>() });
  const pack = parcels.step("pack", (job) => ({ weight: job.input.n }));
  const flow = workflow({ namespace: "shop", name: "outer", version: "1", input: type<{ to: string }>() });
  const first = flow.step("first", () => ({ n: 3 }));
  const never = flow.step("never", { after: first.when((f) => gte(f.n, 10)) }, () => 1);
  const some = flow.step("some", { after: anyOf([first, never]) }, (_, [f, n]) => [f?.n ?? null, n ?? null]);
  const ship = flow.child("ship", parcels.returns({ packed: pack }), { after: { first, some }, context: (i, r) => ({ to: i.to, n: r.first.n, fixed: "$5" }) });
  const after = flow.step("after", { after: settled({ ship, never }) }, (_, r) => `${r.ship?.packed.weight} ${r.never}`);
  assert.deepEqual((flow.template() as any).steps.slice(3, 4), [{
    name: "ship", dependencies: ["first", "some"],
    task: { namespace: "ship", name: "parcel", version: "2", context: { to: "$.to", n: { step: "first", path: "$.n" }, fixed: { value: "$5" } } },
  }]);
  assert.equal((await run(flow.returns(after), { to: "x" })).result(), "3 undefined");
  assert.deepEqual(await run(flow.returns(some), { to: "x" }).then((r) => r.result()), [3, null]);
});

test("a template is that of the language Go", () => {
  const flow = workflow({ namespace: "shop", name: "order", version: "1.0.0", input: type<{ customer: string; lines: number[] }>(), identity: "key", onFailure: "halt" });
  const reserve = flow.step("reserve", { timeout: "5m", priority: 3 }, async () => ({ shelves: [1], "odd name": 2 })).undo(async () => {});
  flow.map("price", { over: reserve.each((r) => r.shelves), retry: { attempts: 5, base: 2, factor: 3, max: 60, constant: true } }, (_, n) => n);
  const charge = flow.step("charge", { after: reserve.when((r) => or(eq(r["odd name"], 2), not(gte(r.shelves[0]!, 1)))), limit: "bank", limitKey: (i) => i.customer }, () => 1);
  flow.wait("approve", [signal("ok", z.object({ ok: z.boolean() })).when((p) => eq(p.ok, true)), "3d"], { after: charge, timeout: "4d", onTimeout: "skip", assignee: "finance" });
  assert.deepEqual(flow.template(), {
    namespace: "shop", name: "order", version: "1.0.0", on_failure: "halt", identity_strategy: "caller_provided",
    steps: [
      { name: "reserve", handler: "shop.order:1.0.0.reserve", timeout_seconds: 300, priority: 3, compensate: "undo.shop.order:1.0.0.reserve" },
      {
        name: "price", handler: "shop.order:1.0.0.price", dependencies: ["reserve"], for_each: { step: "reserve", path: "$.shelves" },
        retry: { max_attempts: 5, base_seconds: 2, multiplier: 3, max_seconds: 60, backoff: "constant" },
      },
      {
        name: "charge", handler: "shop.order:1.0.0.charge", dependencies: [{ step: "reserve", when: '($."odd name" == 2) || (!($.shelves[0] >= 1))' }],
        limit: "bank", limit_key: "$.customer",
      },
      {
        name: "approve", dependencies: ["charge"], timeout: "4d", on_timeout: "skip", assignee: "finance",
        await: [{ signal: "ok", when: "$.ok == true", schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } }, { for: "3d" }],
      },
    ],
  });
});

test("what types cannot see is refused where it is written", () => {
  const flow = workflow({ namespace: "a", name: "b", version: "1", input: type<{ n: number; list: number[] }>() });
  const other = workflow({ namespace: "a", name: "c", version: "1", input: type<{ n: number; list: number[] }>() });
  const one = flow.step("one", () => ({ n: 1 }));
  const child = other.returns(other.step("last", () => 1));
  assert.throws(() => flow.step("one", () => 1), /two steps "one"/);
  assert.throws(() => other.step("x", { after: one }, () => 1), /"one", which is not one of a.c:1/);
  assert.throws(() => other.returns(one), /not one of a.c:1/);
  assert.throws(() => flow.step("dotted.name", () => 1), /has a dot/);
  assert.throws(() => flow.child("x", child, { after: { one }, context: (i, r) => ({ n: i.n, list: [r.one.n] }) }), /field "list" .* only a whole field/);
  assert.throws(() => flow.step("y", { limit: "l", limitKey: (i) => i.n + 1 }, () => 1), /a path only reads fields/);
  other.step("later", { after: child.last && "one" in child.last ? { step: child.last.one } as any : one }, () => 1);
  assert.throws(() => flow.child("z", child, { context: () => ({ n: 1, list: [] }) }), /"last" of a.c:1 is none of its last steps/);
});

test("inputs are checked before a task is started, signals before they are sent", async () => {
  const db = { query: async () => assert.fail("nothing is sent") };
  await assert.rejects(orders.start(db as any, { n: "1", tags: [] } as any), /input of shop.orders:1 does not fit: n: /);
  await assert.rejects(orders.handle(db as any, "x").send(go, { ok: 1 } as any), /ok: /);
  void TaskFailed;
});
