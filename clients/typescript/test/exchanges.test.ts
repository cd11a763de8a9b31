// Several exchanges under way: a transport that answers when the test says so.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import { z } from "zod";

import type { Claimed } from "../src/claimed.js";
import { ApiError, type Job, Permanent, Unavailable, Worker } from "../src/index.js";
import { callsOf } from "../src/leases.js";
import type { Exchange, Exchanged, Transport } from "../src/transport.js";

const quiet = { info() {}, warn() {}, error() {} };

interface Call {
  request: Exchange;
  slot: number;
  answer(claimed?: Claimed[], answer?: string): void;
  lose(error?: Error): void;
}

class Slow implements Transport {
  readonly interruptible = true;
  readonly under: Call[] = [];
  /** Answers to renewals, by claim. With "refused" the call is refused. Default: extended. */
  readonly leases = new Map<string, string>();
  /** When a claim was renewed last. */
  readonly renewed = new Map<string, number>();
  /** Refusals of calls that name a step twice. */
  twice = 0;
  /** When the token ends. */
  tokenEnds: string | null = null;
  /** Registrations of slots that were answered. */
  registered = 0;

  /** differ refuses a call that names a step twice, as the database does. */
  differ(claims: { step_uuid: string }[]): void {
    if (new Set(claims.map(({ step_uuid }) => step_uuid)).size === claims.length) return;
    this.twice++;
    throw new ApiError(422, "TK422", "a call names the same step twice", "");
  }

  exchange(request: Exchange, waitSeconds: number, _: number, ended?: AbortSignal, slot = 0): Promise<Exchanged> {
    return new Promise((resolve, reject) => {
      const over = (then: () => void) => (): void => {
        this.under.splice(this.under.indexOf(call), 1);
        then();
      };
      const call: Call = {
        request, slot,
        answer: (claimed = [], answer = "completed") => over(() => resolve({ answers: request.results.map(() => ({ answer })), claimed }))(),
        lose: (error = new Unavailable("the answer is lost")) => over(() => reject(error))(),
      };
      this.under.push(call);
      if (waitSeconds > 0) ended?.addEventListener("abort", () => this.under.includes(call) && call.answer());
    });
  }

  async send<R>(_: string, path: string, body: string | undefined, __: number, ended?: AbortSignal): Promise<R> {
    const { claims = [], wait_seconds } = JSON.parse(body ?? "{}") as { claims?: { step_uuid: string; claim_no: number }[]; wait_seconds?: number };
    this.differ(claims);
    if (wait_seconds) await new Promise<void>((resolve) => ended?.addEventListener("abort", () => resolve()));
    if (path === "/v1/workers") {
      this.registered++;
      return { clock: "2026-01-01T00:00:00Z", token_expires_at: this.tokenEnds } as R;
    }
    return { items: claims.map((claim) => ({ ...claim, answer: this.#lease(claim, claims) })) } as R;
  }

  #lease({ step_uuid, claim_no }: { step_uuid: string; claim_no: number }, claims: { step_uuid: string; claim_no: number }[]): string {
    if (claims.some((claim) => this.leases.get(`${claim.step_uuid} ${claim.claim_no}`) === "refused")) throw new ApiError(422, "TK422", "one is refused", "");
    const answer = this.leases.get(`${step_uuid} ${claim_no}`) ?? "extended";
    if (answer === "extended") this.renewed.set(`${step_uuid} ${claim_no}`, Date.now());
    return answer;
  }
}

function step(handler: string): Claimed {
  return {
    step_uuid: randomUUID(), claim_no: 1, task_uuid: randomUUID(), namespace: "n", task_name: "t", task_version: "1", name: handler, handler, attempt: 1, max_attempts: 1,
    lost_count: 0, timeout_seconds: null, correlation_id: "", headers: null, inputs: null, checkpoint: null, last_error: null, context: {}, parent_results: {}, kept: null,
  };
}

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); ) {
    assert.ok(Date.now() < end, what);
    await new Promise(setImmediate);
  }
}

/** start runs a worker whose first claim finds steps that end at once, and some that end when the gate is opened. */
async function start(quick: number, slow: number) {
  const transport = new Slow();
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const worker = new Worker(transport, { logger: quiet, concurrency: 50 });
  worker.handler("quick", () => 1).handler("slow", () => gate);
  const running = worker.run();
  await until(() => transport.under.length === 1, "it claims");
  const first = transport.under[0]!;
  first.answer([...Array.from({ length: quick }, () => step("quick")), ...Array.from({ length: slow }, () => step("slow"))]);
  await until(() => transport.under.some(({ request }) => request.results.length === quick) && transport.under.length === 1, "it records what has ended");
  const end = async (): Promise<void> => {
    worker.stop();
    const answering = setInterval(() => transport.under.slice().forEach((call) => call.answer()), 5);
    await running;
    clearInterval(answering);
  };
  return { transport, open, end };
}

test("results travel while another exchange is under way, as another worker's", async () => {
  const { transport, open, end } = await start(20, 1);
  const [first] = transport.under;
  open();
  await until(() => transport.under.length === 2, "a second exchange begins");
  const [, second] = transport.under;
  assert.equal(second!.request.results.length, 1);
  assert.deepEqual([first!.slot, second!.slot], [0, 1]);
  assert.notEqual(first!.request.worker_uuid, second!.request.worker_uuid, "the database hands out a worker's newest claim again");
  assert.ok(first!.request.limit + second!.request.limit <= 50, "no place is taken twice");
  await end();
});

test("another exchange claims beside the one that has the results of a full answer", async () => {
  const transport = new Slow();
  const worker = new Worker(transport, { logger: quiet, concurrency: 50 }).handler("quick", () => 1);
  const running = worker.run();
  await until(() => transport.under.length === 1, "it claims");
  const first = transport.under[0]!;
  first.answer(Array.from({ length: first.request.limit }, () => step("quick")));
  await until(() => transport.under.length === 2, "a second exchange begins");
  const [one, two] = transport.under;
  assert.deepEqual([one!.request.results.length, two!.request.results.length], [50, 0]);
  assert.ok(two!.request.limit > 0 && one!.request.limit + two!.request.limit === 50, "each claims half of the places");
  one!.answer();
  two!.answer();
  worker.stop();
  await until(() => (transport.under.slice().forEach((call) => call.answer()), transport.under.length === 0), "it ends");
  await running;
});

test("a result from half of what a request carries on is warned of, a larger one fails, and an error is cut", async () => {
  const largest = (4 << 20) - (64 << 10);
  const warned: string[] = [];
  const transport = new Slow();
  const worker = new Worker(transport, { logger: { ...quiet, warn: (text) => void warned.push(text) } })
    .handler("half", () => "x".repeat(largest / 2)).handler("large", () => "x".repeat(largest))
    .handler("long", () => { throw new Permanent("e".repeat(100_000)); })
    .handler("deep", () => { throw Object.assign(new Error("top"), { stack: "s".repeat(100_000) }); });
  const running = worker.run();
  await until(() => transport.under.length === 1, "it claims");
  const steps = ["half", "large", "long", "deep"].map(step);
  transport.under[0]!.answer(steps);
  const found = new Map<string, { error?: string; permanent?: boolean; result?: unknown }>();
  await until(() => {
    for (const call of transport.under.slice()) {
      for (const result of call.request.results.map((text) => JSON.parse(text))) found.set(result.step_uuid, result);
      call.answer();
    }
    return found.size === 4;
  }, "all have an outcome");
  const [half, large, long, deep] = steps.map(({ step_uuid }) => found.get(step_uuid)!);
  assert.ok(half!.result !== undefined && half!.error === undefined);
  assert.equal(warned.filter((text) => text.includes("a request carries") && text.includes('"half"')).length, 1);
  assert.match(large!.error!, /more than a request carries/);
  assert.ok(large!.permanent && large!.result === undefined);
  assert.equal(long!.error!.length, 65_536);
  assert.equal(deep!.error!.length, "top\n\n".length + 4_000, "a stack is bounded");
  worker.stop();
  await until(() => (transport.under.slice().forEach((call) => call.answer()), transport.under.length === 0), "it ends");
  await running;
});

/** ended lets a stopping worker end. */
async function ended(transport: Slow, worker: Worker, running: Promise<void>): Promise<void> {
  worker.stop();
  await until(() => (transport.under.slice().forEach((call) => call.answer()), transport.under.length === 0), "it ends");
  await running;
}

// Each exchange carries one of these results, and all exchanges of the worker are under way. A worker without a free exchange could not
// claim anyway. So the database answers that the tasks are locked: the results stay owed, and the exchanges come again and again.
test("a worker that owes more than 64 MB claims nothing", async (t) => {
  const stepOf = (text: string): string => /"step_uuid":"([^"]+)"/.exec(text)![1]!;
  const large = "x".repeat(3_900_000);
  const transport = new Slow();
  const worker = new Worker(transport, { logger: quiet, concurrency: 50 }).handler("large", () => large);
  const running = worker.run();
  t.after(() => ended(transport, worker, running)); // A worker that a failed test leaves behind would keep the process.
  await until(() => transport.under.length === 1, "it claims");
  transport.under[0]!.answer(Array.from({ length: 20 }, () => step("large")));
  const owed = new Set<string>();
  await until(() => {
    for (const call of transport.under.slice()) {
      call.request.results.forEach((text) => owed.add(stepOf(text)));
      call.answer([], "busy");
    }
    return owed.size === 20;
  }, "each has a result");

  const limits: number[] = [];
  await until(() => {
    for (const call of transport.under.slice()) {
      limits.push(call.request.limit);
      call.answer([], "busy");
    }
    return limits.length >= 20;
  }, "results are sent again");
  assert.deepEqual(limits, limits.map(() => 0), "nothing is claimed");
  let [claims, most] = [0, 0];
  await until(() => {
    for (const call of transport.under.slice()) {
      if (call.request.limit > 0) [claims, most] = [claims + 1, Math.max(most, owed.size)];
      call.request.results.forEach((text) => owed.delete(stepOf(text)));
      call.answer();
    }
    return owed.size === 0 && claims > 0;
  }, "it claims again");
  assert.ok(most * large.length <= 64 << 20, `it claims while ${most} results are owed`);
});

test("one refused result of ten does not harm the others", async (t) => {
  const transport = new Slow();
  const worker = new Worker(transport, { logger: quiet, concurrency: 50 }).handler("quick", () => 1);
  const running = worker.run();
  t.after(() => ended(transport, worker, running));
  await until(() => transport.under.length === 1, "it claims");
  const steps = Array.from({ length: 10 }, () => step("quick"));
  const poison = steps[7]!.step_uuid;
  transport.under[0]!.answer(steps);
  const recorded: { step_uuid: string; error?: string; permanent?: boolean }[] = [];
  await until(() => {
    for (const call of transport.under.slice()) {
      const results = call.request.results.map((text) => JSON.parse(text));
      if (results.some(({ step_uuid, error }) => step_uuid === poison && error === undefined)) {
        call.lose(new ApiError(422, "22003", "numeric field overflow", ""));
      } else {
        recorded.push(...results);
        call.answer();
      }
    }
    return recorded.length >= 10;
  }, "all have an outcome");
  assert.deepEqual(recorded.map(({ step_uuid }) => step_uuid).sort(), steps.map(({ step_uuid }) => step_uuid).sort(), "each is recorded once");
  const failed = recorded.filter(({ error }) => error !== undefined);
  assert.deepEqual(failed.map(({ step_uuid, permanent }) => [step_uuid, permanent]), [[poison, true]]);
  assert.match(failed[0]!.error!, /numeric field overflow/);
});

test("what got no answer is repeated first, with the same claim, and nothing else is claimed before", async () => {
  const { transport, open, end } = await start(20, 1);
  const [lost] = transport.under;
  lost!.lose();
  open();
  await until(() => transport.under.length === 1, "one call tries");
  const [again] = transport.under;
  assert.deepEqual(again!.request.results.slice(0, 20), lost!.request.results);
  assert.deepEqual([again!.request.request_uuid, again!.request.worker_uuid, again!.request.limit],
    [lost!.request.request_uuid, lost!.request.worker_uuid, lost!.request.limit]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(transport.under.length, 1, "while calls fail, one at a time tries");
  again!.answer();
  await until(() => transport.under.some(({ request }) => request.request_uuid !== lost!.request.request_uuid && request.limit > 0), "a claim that was answered gets a new number");
  await end();
});

/** misfitting runs a worker with a step whose handler finds that the result of a step above does not fit, and a quick step beside it. */
async function misfitting(diverge: (asked: object) => object, run: (job: Job<unknown>) => Promise<unknown>) {
  const transport = new Slow();
  const send = transport.send.bind(transport);
  transport.send = async <R>(method: string, path: string, body: string | undefined, within: number, ended?: AbortSignal): Promise<R> =>
    path.endsWith("/diverge") ? (diverge({ path, ...JSON.parse(body!) }) as R) : send(method, path, body, within, ended);
  const worker = new Worker(transport, { logger: quiet });
  worker.handler("misfit", run).handler("quick", () => 1);
  const running = worker.run();
  await until(() => transport.under.length === 1, "it claims");
  transport.under[0]!.answer([{ ...step("misfit"), parent_results: { "make[3]": 7 } }, step("quick")]);
  const end = async (): Promise<void> => {
    worker.stop();
    const answering = setInterval(() => transport.under.slice().forEach((call) => call.answer()), 5);
    await running;
    clearInterval(answering);
  };
  return { recorded: () => transport.under.flatMap(({ request }) => request.results.map((text) => JSON.parse(text))), end };
}

test("leaving a step for another build is repeated, and ends with the claim", async () => {
  for (const answer of ["stale", "cancelled", "suspended"]) {
    const asked: any[] = [];
    const { recorded, end } = await misfitting(
      (body) => {
        asked.push(body);
        if (asked.length === 1) throw new Unavailable("the answer is lost");
        return { answer, round: 0, name: null, value: null, error: null };
      },
      (job) => job.result("make[3]", z.string()),
    );
    await until(() => asked.length === 2, "what got no answer is repeated");
    await until(() => recorded().length === 1, "the other step has a result");
    assert.equal(recorded()[0].result, 1, "nothing is recorded of the step that is left");
    assert.deepEqual(asked[0], asked[1]);
    const { path, ...body } = asked[0];
    assert.match(path, /^\/v1\/tasks\/.*\/workflow_steps\/.*\/diverge$/);
    assert.deepEqual(body, { claim_no: 1, position: 0, name: "make" }, "the step above, of which it is an element");
    await end();
  }
});

test("a step that cannot be left has failed, and may be tried again", async () => {
  const { recorded, end } = await misfitting(
    () => {
      throw new ApiError(409, "TK409", "the task is locked", "");
    },
    (job) => job.result("make[3]", z.string()),
  );
  await until(() => recorded().length === 2, "the failure is recorded");
  const failed = recorded().find(({ error }) => error !== undefined);
  assert.match(failed.error, /^Misfit: the result of "make\[3\]" does not fit: TypeError: .*expected string/);
  assert.equal(failed.permanent, undefined);
  await end();
});

/** twofold has a worker with two claims of a step: the result of the first is under way and gets no answer, or its handler still runs. */
async function twofold(t: test.TestContext, handler: "quick" | "slow") {
  const transport = new Slow();
  const said: string[] = [];
  const reasons: unknown[] = [];
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const logger = { ...quiet, error: (text: string) => void said.push(text) };
  const worker = new Worker(transport, { logger, concurrency: 50, lease: 1 }).handler("quick", () => 1).handler("gated", () => gate).handler("slow", (job) => new Promise<void>((_, reject) => {
    job.signal.addEventListener("abort", () => {
      reasons.push(job.signal.reason);
      reject(job.signal.reason);
    });
  }));
  const running = worker.run();
  t.after(() => ended(transport, worker, running));
  await until(() => transport.under.length === 1, "it claims");
  const [first, other] = [step(handler), step("slow")];
  const second = { ...first, claim_no: 2, handler: "slow" };
  transport.under[0]!.answer(handler === "quick" ? [first, other, step("gated")] : [first, other]);
  if (handler === "quick") await until(() => transport.under.some(({ request }) => request.results.length === 1), "the result is under way");
  const carrying = transport.under.find(({ request }) => request.results.length === 1);
  open(); // A second exchange claims beside the first one.
  await until(() => transport.under.some((call) => call !== carrying && call.request.limit > 0), "it claims again");
  transport.under.find((call) => call !== carrying && call.request.limit > 0)!.answer([second]);
  const keyOf = ({ step_uuid, claim_no }: Claimed): string => `${step_uuid} ${claim_no}`;
  /** lasts waits until the leases of both have been renewed again and again, for longer than a lease. */
  const lasts = async (...claims: Claimed[]): Promise<void> => {
    const from = Date.now() + 1500;
    await until(() => claims.every((claim) => (transport.renewed.get(keyOf(claim)) ?? 0) > from), "leases are renewed");
  };
  return { transport, said, reasons, first, second, other, keyOf, lasts };
}

test("a renewal names a step once, if the result of an earlier claim is owed", async (t) => {
  const { transport, said, reasons, second, other, lasts } = await twofold(t, "quick");
  await lasts(second, other);
  assert.deepEqual([transport.twice, said, reasons], [0, [], []]);
});

test("a renewal names a step once, if the handler of an earlier claim still runs, and that one is told", async (t) => {
  const { transport, said, reasons, first, second, other, keyOf, lasts } = await twofold(t, "slow");
  await lasts(second, other);
  assert.deepEqual([transport.twice, said, reasons], [0, [], []]);
  transport.leases.set(keyOf(first), "stale");
  await until(() => reasons.length > 0, "the handler is told");
  assert.match(String(reasons[0]), /no longer this worker's/);
  await lasts(second, other);
  assert.deepEqual([transport.twice, said, reasons.length], [0, [], 1]);
});

test("one refused claim costs no other one its lease", async (t) => {
  const { transport, said, reasons, second, other, keyOf, lasts } = await twofold(t, "quick");
  transport.leases.set(keyOf(second), "refused");
  await lasts(other);
  assert.equal(reasons.length, 1, "the lease of the refused one has ended");
  assert.ok(said.some((text) => text.includes("a renewal of leases is kept and repeated")));
});

test("an exchange has one result of a step", async (t) => {
  const transport = new Slow();
  const worker = new Worker(transport, { logger: quiet, concurrency: 50 });
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  worker.handler("slow", () => gate);
  const running = worker.run();
  t.after(() => ended(transport, worker, running));
  await until(() => transport.under.length === 1, "it claims");
  const first = step("slow");
  transport.under[0]!.answer([first, { ...first, claim_no: 2 }, step("slow")]);
  await until(() => transport.under.length === 1, "it claims again");
  open();
  const recorded: string[] = [];
  await until(() => {
    for (const call of transport.under.slice()) {
      const results = call.request.results.map((text) => JSON.parse(text));
      transport.differ(results);
      recorded.push(...results.map(({ step_uuid, claim_no }) => `${step_uuid} ${claim_no}`));
      call.answer();
    }
    return recorded.length === 3;
  }, "all are recorded");
  assert.equal(new Set(recorded).size, 3);
});

test("claims are parted so that no call names a step twice, or has more than a thousand", () => {
  const steps = Array.from({ length: 2000 }, () => randomUUID());
  const claims = [...steps, ...steps.slice(0, 500)].map((step_uuid, i) => ({ step_uuid, claim_no: i < 2000 ? 1 : 2 }));
  const calls = callsOf([...claims, ...claims.slice(0, 10)]);
  assert.ok(calls.every((call) => call.length <= 1000 && new Set(call.map(({ step_uuid }) => step_uuid)).size === call.length));
  assert.deepEqual(calls.flat().map(({ step_uuid, claim_no }) => `${step_uuid} ${claim_no}`).sort(), claims.map(({ step_uuid, claim_no }) => `${step_uuid} ${claim_no}`).sort());
});

test("a token that ends within a week is warned of, by the database's clock, once however many slots register", async () => {
  for (const [ends, warnings] of [[null, 0], ["2026-01-08T00:00:00Z", 0], ["2026-01-07T23:59:59Z", 1]] as const) {
    const transport = new Slow();
    transport.tokenEnds = ends;
    const said: string[] = [];
    const worker = new Worker(transport, { logger: { ...quiet, warn: (text: string) => said.push(text) }, concurrency: 50 }).handler("any", () => 1);
    const running = worker.run();
    await until(() => transport.registered >= 2 && transport.under.length > 0, "two slots register");
    worker.stop();
    await until(() => (transport.under.slice().forEach((call) => call.answer()), transport.under.length === 0), "it ends");
    await running;
    assert.deepEqual(said, Array.from({ length: warnings }, () => `the token of this worker ends at ${ends}: replace it`));
  }
});
