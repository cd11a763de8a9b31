// Programs that must not compile: tsc fails if one of them does, and wrong.test.ts if it is refused for another reason.
import { z } from "zod";
import { anyOf, type Client, ended, eq, event, failed, firstOf, gte, implement, settled, signal, type, workflow, type Job,  type Came, type TaskHandle, type WaitTimedOut } from "../src/index.js";
import { call, sent } from "../src/testing.js";

interface Order { number: number; customer: string; lines: { sku: string; qty: number }[]; note?: string }
interface Reservation { shelf: number }
interface Payment { receipt: string; cents: number }
const order = workflow({ namespace: "shop", name: "order", version: "1.0.0", input: type<Order>(), identity: "key" });
const other = workflow({ namespace: "shop", name: "other", version: "1.0.0", input: z.object({ id: z.string() }) });
const reserve = order.step("reserve", async (job): Promise<Reservation> => ({ shelf: job.input.number }));
const price = order.map("price", { over: order.each((i) => i.lines) }, async (_, line) => line.qty * 100);
const charge = order.step("charge", { after: { reserve, price } }, (job, { reserve, price }) => ({ receipt: `${job.input.customer}${reserve.shelf}`, cents: price.length }));
const approved = signal("approved", z.object({ ok: z.boolean(), note: z.string().optional() }));
const waived = signal("waived", type<{ by: string }>());
const approve = order.wait("approve", approved, { after: charge.when((c) => gte(c.cents, 1000)) });
const foreign = other.step("foreign", async () => 1);
const parcelFlow = workflow({ namespace: "ship", name: "parcel", version: "1.0.0", input: type<{ order: number; skus: string[]; express: boolean }>() });
const pack = parcelFlow.step("pack", async (job) => ({ weight: job.input.skus.length }));
const parcel = parcelFlow.returns(pack);
const stray = order.declare("stray", { after: { reserve }, result: type<Payment>() });
const stray2 = order.declare("stray2", { result: type<number>() });

// ---- inferred types
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};
order.step("t1", { after: anyOf({ charge, approve }) }, (_, r) => { same<typeof r.charge, { receipt: string; cents: number } | undefined>(true); same<typeof r.approve, Came<"approved", { ok: boolean; note?: string | undefined }> | undefined>(true); });
order.step("t2", { after: [reserve, price, stray] }, (_, [a, b, c]) => { same<typeof a, Reservation>(true); same<typeof b, number[]>(true); same<typeof c, Payment>(true); });
const w1 = order.wait("t3", [approved, waived, "8h"], { onTimeout: "complete", timeout: "3d" });
order.step("t4", { after: w1 }, (_, a) => { if (a.by === "signal" && a.name === "waived") same<typeof a.payload, { by: string }>(true); if (a.by === "timeout") same<typeof a, WaitTimedOut>(true); });
const some = order.map("t5", { over: price.each(), allowFailures: 2 }, async (_, p) => `${p.toFixed()}`);
order.step("t6", { after: settled(some) }, (_, s) => { same<typeof s, (string | null)[] | undefined>(true); });
const ship = order.child("ship", parcel, { after: { charge }, context: (i, r) => ({ order: i.number, skus: [r.charge.receipt], express: true }) });
order.step("t7", { after: ship }, (_, s) => { same<typeof s, { weight: number }>(true); });
async function handles(task: TaskHandle<Order, { payment: Payment }>) { const r = await task.result(); same<typeof r, { payment: Payment }>(true); const p = await task.result(price); same<typeof p, number[]>(true); }
void handles;

// ---- programs that must not compile
// @ts-expect-error TS2339 a field that the parent's result does not have
order.step("e1", { after: reserve }, (_, r) => r.shelve);
// @ts-expect-error TS2339 a field that one of several parents does not have
order.step("e2", { after: { reserve, charge } }, (_, r) => r.charge.shelf);
// @ts-expect-error TS2552 a misspelt step
order.step("e3", { after: resreve }, (_, r) => r);
// @ts-expect-error TS2339 a result of a step that it does not depend on
order.step("e4", { after: { reserve } }, (_, r) => r.charge);
// @ts-expect-error TS7022 a cycle
const a5 = order.step("a5", { after: b5 }, async () => 1); const b5 = order.step("b5", { after: a5 }, async () => 2);
// @ts-expect-error TS2322 a step of a workflow with another input
order.step("e6", { after: foreign }, (_, n) => n);
// @ts-expect-error TS2551 the input has no such field
order.step("e7", async (job) => job.input.numbr);
// @ts-expect-error TS2345 a function that takes another type than its parent returns
order.step("e8", { after: reserve }, async (_: Job<Order>, p: Payment) => p.cents);
// @ts-expect-error TS2345 the parents in another order
order.step("e9", { after: [reserve, price] }, async (_: Job<Order>, [p, r]: readonly [number[], Reservation]) => p.length + r.shelf);
// @ts-expect-error TS18048 of anyOf each may be absent
order.step("e10", { after: anyOf([reserve, charge]) }, (_, [r]) => r.shelf);
// @ts-expect-error TS2339 a field that elements do not have
order.map("e11", { over: order.each((i) => i.lines) }, async (_, line) => line.quantity);
// @ts-expect-error TS2322 a map over a value that is no array
order.map("e12", { over: reserve.each((r) => r.shelf) }, async (_, n) => n);
// @ts-expect-error TS2551 a map over a path that is not there
order.map("e13", { over: order.each((i) => i.linse) }, async () => 1);
// @ts-expect-error TS2345 a function for other elements
order.map("e14", { over: order.each((i) => i.lines) }, async (_: Job<Order>, line: { sku: number }) => line.sku);
// @ts-expect-error TS18047 a map whose elements may fail hands on nulls
order.step("e15", { after: some }, (_, s) => s.map((x) => x.length));
// @ts-expect-error TS2339 a condition on a field that is not there
charge.when((c) => gte(c.amount, 10));
// @ts-expect-error TS2345 a condition that compares a number with a text
charge.when((c) => gte(c.cents, "10"));
// @ts-expect-error TS2345 JavaScript's own comparison, which would be evaluated here and now
charge.when((c) => c.cents >= 10);
// @ts-expect-error TS2339 a condition on a field that the signal's payload does not have
approve.when((a) => eq(a.payload.okay, true));
// @ts-expect-error TS2322 a wrong payload
void ((t: TaskHandle<Order, unknown>) => t.send(approved, { ok: "yes" }));
// @ts-expect-error TS18048 the payload of an answer is read as another type
order.step("e21", { after: approve }, (_, a) => a.payload.note.length);
// @ts-expect-error TS2339 an answer that may be a timeout has no payload
order.step("e22", { after: w1 }, (_, a) => a.payload);
// @ts-expect-error TS2741 a child's input without a field
order.child("e23", parcel, { context: (i) => ({ order: i.number, express: true }) });
// @ts-expect-error TS2322 a child's input of another type
order.child("e24", parcel, { after: { charge }, context: (i, r) => ({ order: r.charge.receipt, skus: [i.customer], express: true }) });
// @ts-expect-error TS2551 a result that the child does not have
order.step("e25", { after: ship }, (_, s) => s.height);
// @ts-expect-error TS2353 no function
order.step("e26", { after: reserve });
// @ts-expect-error TS2345 a function is missing for a declared step
implement({ stray, stray2 }, { stray: async (_, { reserve }) => ({ receipt: `${reserve.shelf}`, cents: 1 }) });
// @ts-expect-error TS2322 a function that returns another type than was declared
implement({ stray2 }, { stray2: async () => "two" });
// @ts-expect-error TS2561 a function for a step that was not declared
implement({ stray2 }, { stray2: async () => 2, stray3: async () => 3 });
// @ts-expect-error TS2345 an undo that takes another result
charge.undo(async (_, u: { known: true; result: Reservation } | { known: false }) => { void u; });
// @ts-expect-error TS2339 an undo that does not ask whether the result is known
charge.undo(async (_, u) => { void u.result.receipt; });
// @ts-expect-error TS2345 a map is undone element by element
price.undo(async () => {});
// @ts-expect-error TS2551 the key of a limit leads nowhere
order.step("e33", { limit: "bank", limitKey: (i) => i.custmer }, async () => 1);
// @ts-expect-error TS2322 the key of a limit is an object
order.step("e34", { limit: "bank", limitKey: (i) => i.lines }, async () => 1);
// @ts-expect-error TS2322 a duration without a unit that is known
order.step("e35", { timeout: "3 days" }, async () => 1);
// @ts-expect-error TS2353 an unknown option
order.step("e36", { retries: 3 }, async () => 1);
// @ts-expect-error TS2561 an unknown option of retry
order.step("e37", { retry: { max_attempts: 3 } }, async () => 1);
// @ts-expect-error TS2322 a schedule whose input does not fit
order.schedule("e38", { cron: "0 2 * * *", input: { number: "1", customer: "x", lines: [] } });
// @ts-expect-error TS2345 a task whose input does not fit
void ((db: import("pg").Pool) => order.start(db, { number: 7 }, { key: "7" }));
// @ts-expect-error TS2554 a workflow that is identified by key is started without one
void ((db: import("pg").Pool) => order.start(db, { number: 7, customer: "x", lines: [] }));
// @ts-expect-error TS2345 a result that JSON cannot carry
order.step("e41", async () => ({ at: new Date() }));
// @ts-expect-error TS2345 the same for a kept result of a durable function
order.step("e42", async (job) => { await job.once("x", () => new Map([["a", 1]])); return 1; });
// @ts-expect-error TS2339 a kept result is used as another type
order.step("e43", async (job) => { const r = await job.once("x", async () => ({ receipt: "r" })); return r.cents; });
// @ts-expect-error TS2339 a wait with a timeout may end without a payload
order.step("e44", async (job) => (await job.wait(approved, { timeout: "3d" })).payload.ok);
// @ts-expect-error TS2339 a task's result read as another type
void (async (t: TaskHandle<Order, { payment: Payment }>) => (await t.result()).refund);
// @ts-expect-error TS2769 a task's step of another workflow
void (async (t: TaskHandle<Order, unknown>) => t.result(foreign));
// @ts-expect-error TS2322 a schedule with a time of both kinds
order.schedule("e47", { cron: "0 2 * * *", every: "1h", input: { number: 1, customer: "x", lines: [] } });
// @ts-expect-error TS2554 a test that gives a step no results
void call(charge, { number: 1, customer: "x", lines: [] });
// @ts-expect-error TS2322 a test that gives a step wrong results
void call(charge, { number: 1, customer: "x", lines: [] }, { results: { reserve: { shelf: "1" }, price: [] } });
// @ts-expect-error TS2322 a test that sends a wrong payload
void sent(approved, { ok: 1 });
const paid = event("paid", type<{ cents: number }>(), { key: (i: Order) => i.number });
const settledBy = order.wait("settled_by", [paid, "1h"]);
// @ts-expect-error TS2339 a pause has no payload
order.step("e51", { after: settledBy }, (_, answer) => answer.payload.cents);
// @ts-expect-error TS2322 an event's payload
void (async (c: Client) => order.emit(c, paid, { cents: "1" }));
// @ts-expect-error TS2322 the input of a task that a signal starts
void (async (c: Client) => order.sendByKey(c, "A", approved, { ok: true }, { start: { number: "1", customer: "x", lines: [] } }));
// @ts-expect-error TS2345 an event whose key is a field of another input
other.wait("e54", paid);
// @ts-expect-error TS2339 a failure branch gets the failures, no result
order.step("e55", { after: failed(charge) }, (_, c) => c.receipt);
// @ts-expect-error TS2551 a field that a failure does not have
order.step("e56", { after: failed(charge) }, (_, failures) => failures[0]!.attempt);
// @ts-expect-error TS2322 the failure of a step of another workflow
order.step("e57", { after: ended(foreign) }, () => 1);
// @ts-expect-error TS2379 the steps of two workflows
order.step("e58", { after: ended(charge, foreign) }, () => 1);
// @ts-expect-error TS18048 of firstOf each may be absent
order.step("e59", { after: firstOf([reserve, charge]) }, (_, [r]) => r.shelf);
// @ts-expect-error TS2345 the first of one
order.step("e60", { after: firstOf(reserve) }, () => 1);
// @ts-expect-error TS2551 the key of one of several limits leads nowhere
order.step("e61", { limits: [{ limit: "bank", key: (i) => i.custmer }] }, async () => 1);
// @ts-expect-error TS2322 units are a number
order.step("e62", { limits: [{ limit: "bank", units: "2" }] }, async () => 1);
// @ts-expect-error TS2322 the steps before an undo are cancelled or drained
workflow({ namespace: "shop", name: "e63", version: "1", input: type<Order>(), onUndo: "wait" });
// @ts-expect-error TS2379 an event whose payload is no input
order.startOn(paid);
// @ts-expect-error TS2769 the payload makes another input
order.startOn(paid, { context: (p) => ({ number: p.cents }) });
// @ts-expect-error TS2339 a key that the payload does not have
order.cancelOn(paid, { identity: (p) => p.order });
// @ts-expect-error TS2379 a signal cancels nothing
order.cancelOn(approved);
