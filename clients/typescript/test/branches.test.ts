// Failure branches, races and limits: in memory, and the same programs on the database of DATABASE_URL. make test-typescript has one.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import pg from "pg";

import { delivery, quote } from "../examples/howto/failure-branches.js";
import { anyOf, ended, eq, failed, firstOf, Permanent, settled, signal, type, workflow } from "../src/index.js";
import { run } from "../src/testing.js";
import { branches, dispatch } from "./branches.js";

type Plan = { fail: string[]; skip: string[] };
const joins = { all: (s: any[]) => s, any: anyOf, settled, first: firstOf, failed: (s: any[]) => failed(s[0], ...s.slice(1)), ended: (s: any[]) => ended(s[0], ...s.slice(1)) } as const;
type Join = keyof typeof joins;

/** Graph is a workflow whose input says which steps fail and are skipped. Every step that has parents may be skipped. */
class Graph {
  readonly flow;
  readonly steps: Record<string, any> = {};

  constructor(policy: "continue" | "halt" | "fail" = "continue") {
    this.flow = workflow({ namespace: "branches", name: `g${randomUUID().slice(0, 13)}`, version: "1", input: type<Plan>(), identity: "new", onFailure: policy });
  }

  step(name: string, join: Join = "all", parents: string[] = [], undone = false): this {
    const deps = parents.map((p) => (join === "failed" || join === "ended" ? this.steps[p] : this.steps[p].when((ok: boolean) => eq(ok, true))));
    const after: any = parents.length > 0 ? { after: (joins[join] as any)(deps) } : {};
    this.steps[name] = this.flow.step(name, { ...after, retry: { attempts: 1 } }, (job) => {
      if (job.input.fail.includes(name)) throw new Permanent(`${name} was to fail`);
      return !job.input.skip.includes(name);
    });
    if (undone) this.steps[name].undo(async () => {});
    return this;
  }

  returning(): any {
    return this.flow.returns(Object.values(this.steps)[0]);
  }

  /** inMemory returns the state of the task and of its steps in the engine's words. */
  async inMemory(plan: Plan): Promise<[string, Record<string, string>]> {
    const { state, done, skipped, cancelled, failures } = await run(this.returning(), plan);
    const lost = [...skipped, ...cancelled, ...failures.map(({ step }) => step)];
    return [state, Object.fromEntries(Object.keys(this.steps).map((n) => [n, done.includes(n) ? "complete" : lost.includes(n) ? "cancelled" : "other"]))];
  }
}

const plan = (fail: string[] = [], skip: string[] = []): Plan => ({ fail, skip });

test("a failure runs the steps that wait for it", async () => {
  const broken = await run(delivery, { parcel: "17", van: "broken" });
  assert.deepEqual([broken.state, broken.result()], ["complete", { alert: "send: the van is broken", cleanUp: 1 }]);
  assert.deepEqual(broken.failures.map(({ step, error, attempts }) => [step, error, attempts]), [["send", "the van is broken", 1]]);
  const fine = await run(delivery, { parcel: "17" });
  assert.deepEqual([fine.state, fine.result(), fine.skipped], ["complete", { alert: undefined, cleanUp: 0 }, ["alert"]]);
});

test("a failure has the attempts that it took", async () => {
  const flow = workflow({ namespace: "branches", name: "attempts", version: "1", input: type<object>() });
  const work = flow.step("work", { retry: { attempts: 4 } }, () => { throw new RangeError("no"); });
  const told = flow.step("told", { after: failed(work) }, (_, [first]) => `${first!.error} ${first!.attempts} ${first!.failed_at.slice(0, 10)}`);
  assert.equal((await run(flow.returns(told), {})).result(), "RangeError: no 4 2026-01-01");
});

test("a step above fails for those below", async () => {
  const g = new Graph().step("a").step("b", "all", ["a"]).step("alert", "failed", ["b"]).step("after", "all", ["alert"]);
  assert.deepEqual(await g.inMemory(plan(["a"])), ["complete", { a: "cancelled", b: "cancelled", alert: "complete", after: "complete" }]);
  assert.deepEqual(await g.inMemory(plan([], ["a"])), ["complete", { a: "complete", b: "cancelled", alert: "cancelled", after: "cancelled" }]);
});

test("the first result wins", async () => {
  const report = await run(quote, { parcel: "17" });
  assert.deepEqual([report.result(), report.cancelled], ["ups for 700", ["ask_dhl"]]);
  const g = new Graph().step("a").step("b").step("c", "all", ["b"]).step("x", "first", ["a", "c"]).step("y", "all", ["b"]);
  assert.deepEqual(await g.inMemory(plan()), ["complete", { a: "complete", b: "complete", c: "cancelled", x: "complete", y: "complete" }]);
  const race = new Graph().step("a").step("b").step("x", "first", ["a", "b"]);
  assert.deepEqual(await race.inMemory(plan(["a"])), ["complete", { a: "cancelled", b: "complete", x: "complete" }]);
  assert.deepEqual(await race.inMemory(plan(["a", "b"])), ["blocked_by_failures", { a: "other", b: "other", x: "other" }]);
});

test("a wait that nothing ended loses a race", async () => {
  const flow = workflow({ namespace: "branches", name: "waits", version: "1", input: type<object>() });
  const answer = flow.wait("answer", signal("answer", type<object>()));
  const work = flow.step("work", () => 1);
  const first = flow.step("first", { after: firstOf([answer, work]) }, (_, [a, w]) => [a === undefined, w ?? null]);
  const report = await run(flow.returns(first), {});
  assert.deepEqual([report.state, report.result(), report.cancelled], ["complete", [true, 1], ["answer"]]);
});

test("on_failure fail runs the branches and then undoes", async () => {
  const g = new Graph("fail").step("a", "all", [], true).step("b", "all", ["a"], true).step("alert", "failed", ["b"]);
  const report = await run<any, any>(g.returning(), plan(["b"]));
  assert.deepEqual([report.state, report.failed, report.undone, report.of(g.steps["alert"])], ["error", "b", ["b", "a"], true]);
  assert.throws(() => report.result(), /b was to fail/);
});

test("what cannot be waited for is refused", () => {
  const g = new Graph().step("a");
  assert.throws(() => g.flow.step("b", { after: failed<Plan>(g.steps["a"].when((ok: boolean) => eq(ok, true))) }, () => 1), /no result for the condition/);
  assert.throws(() => g.flow.step("c", { limitKey: (i) => i.fail[0]! }, () => 1), /limitKey is of a limit/);
});

test("a template has triggers, limits and ends", () => {
  const template = branches.template() as any;
  assert.deepEqual(template.start_on, [{ event: "paid", when: "$.cents > 0", context: { parcel: "$.order", van: { value: "$5" } }, identity: "$.order" }]);
  assert.deepEqual(template.cancel_on, [{ event: "withdrawn", key: "eu" }, { event: "lost", identity: "$.order" }]);
  const [{ limit, limit_key, limit_hold, limits }] = template.steps;
  assert.deepEqual([limit, limit_key, limit_hold, limits], ["account", "$.parcel", "run", [{ limit: "bank", limit_units: 2 }]]);
});

const url = process.env["DATABASE_URL"];

test("the kit says what the engine does", { skip: url ? false : "there is no database" }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  t.after(() => pool.end());
  const rows = async (text: string, ...values: unknown[]): Promise<any[]> => (await pool.query(text, values)).rows;

  /** same runs a graph on the database, one step after the other, always the first claimable step, and compares the states. */
  const same = async (graph: Graph, given: Plan): Promise<void> => {
    await graph.flow.register(pool);
    const { uuid } = await graph.flow.start(pool, given);
    const left = new Map(Object.keys(graph.steps).map((name, at) => [at + 1, name]));
    for (let moved = true; moved; ) {
      moved = false;
      for (const [no, name] of left) {
        const [claim] = await rows("select claim_no from tasker.claim_step(tasker.step_uuid($1, $2), gen_random_uuid())", uuid, no);
        if (claim === undefined) continue;
        const report = given.fail.includes(name) ? "fail_steps(array[tasker.step_uuid($1, $2)], array[$3::integer], array[$4])" : "complete_steps(array[tasker.step_uuid($1, $2)], array[$3::integer], array[$4]::jsonb[])";
        await rows(`select from tasker.${report}`, uuid, no, claim.claim_no, String(!given.skip.includes(name)));
        await rows("select tasker.fire_due_timers()");
        left.delete(no);
        moved = true;
        break;
      }
    }
    const undos = (graph.flow.template() as any).steps.flatMap((s: any) => s.compensate ?? []);
    for (let claimed: any; undos.length > 0; ) {
      [claimed] = await rows("select step_uuid, claim_no from tasker.claim_steps('{branches}', gen_random_uuid(), 1, p_handlers => $1)", undos);
      if (claimed === undefined) break;
      await rows("select from tasker.complete_steps(array[$1::uuid], array[$2::integer], array['{}']::jsonb[])", claimed.step_uuid, claimed.claim_no);
    }
    const steps = await rows("select name, state::text from tasker.workflow_steps where task_uuid = $1 and undo_no is null", uuid);
    const [task] = await rows("select state::text from tasker.tasks where task_uuid = $1", uuid);
    const states = Object.fromEntries(steps.map(({ name, state }) => [name, ["complete", "cancelled"].includes(state) ? state : "other"]));
    assert.deepEqual(await graph.inMemory(given), [task.state, states], JSON.stringify([given, graph.flow.template()]));
  };

  await t.test("joins of two steps", async () => {
    for (const policy of ["continue", "fail"] as const) {
      for (const join of Object.keys(joins) as Join[]) {
        for (const given of [plan(), plan(["b"]), plan(["a", "b"]), plan(["root"])]) {
          await same(new Graph(policy).step("root").step("a", "all", ["root"]).step("b", "all", ["root"]).step("x", join, ["a", "b"]), given);
        }
      }
    }
  });

  await t.test("random graphs", async () => {
    let seed = 49;
    const dice = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const one = <T>(of: readonly T[]): T => of[Math.floor(dice() * of.length)]!;
    for (let n = 0; n < 30; n++) {
      const graph = new Graph(one(["continue", "halt", "fail"]));
      const names = [..."abcdefg"];
      for (const [at, name] of names.entries()) {
        const parents = [...new Set(Array.from({ length: at > 0 ? Math.floor(dice() * 3) : 0 }, () => one(names.slice(0, at))))];
        const all = (Object.keys(joins) as Join[]).filter((j) => j !== "first" || parents.length > 1);
        graph.step(name, parents.length > 0 ? one(all) : "all", parents, dice() < 0.3);
      }
      await same(graph, plan(names.filter(() => dice() < 0.25), names.filter(() => dice() < 0.25)));
    }
  });
});

test("a map of tasks has their results in order", async () => {
  const ran = await run(dispatch, { parcel: "17", van: "fine" });
  assert.deepEqual(ran.result(), ["17 is packed", "17 is packed"]);
});
