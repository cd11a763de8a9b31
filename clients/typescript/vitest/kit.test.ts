// The test kit in vitest, with its mocks: in memory, without a server. The client is the one that tsc has compiled.
import { afterEach, expect, test, vi } from "vitest";

import { approved, bank, invoice, smtp } from "../build/examples/invoice.js";
import { type, workflow } from "../build/src/index.js";
import { call, crashEverywhere, Function, run, sent, Waiting } from "../build/src/testing.js";

const tx = { async query() { return { rows: [] }; } };
const small = { number: "1", customer: "ann", lines: [{ sku: "abc", qty: 1 }, { sku: "de", qty: 2 }] };
const large = { ...small, lines: [{ sku: "abc", qty: 1000 }] };

afterEach(() => void vi.restoreAllMocks());

test("a whole workflow runs in memory", async () => {
  const report = await run(invoice, small, { tx });
  expect(report.result().total).toEqual({ cents: 700 });
  expect(report.skipped).toEqual(["approve"]);
});

test("a large invoice waits for its approval", async () => {
  await expect(async () => (await run(invoice, large, { tx })).result()).rejects.toBeInstanceOf(Waiting);
  expect((await run(invoice, large, { tx, signals: [sent(approved, { ok: true })] })).result().charge.cents).toBe(300_000);
});

test("a mail that fails undoes everything", async () => {
  vi.spyOn(smtp, "send").mockRejectedValue(new Error("the mailbox is full"));
  const refund = vi.spyOn(bank, "refund");
  const report = await run(invoice, small, { tx });
  expect([report.state, report.failed, report.undone]).toEqual(["error", "mail", ["charge", "book"]]);
  expect(refund).toHaveBeenCalledOnce();
});

test("a step is called, and a durable function survives a crash at every call", async () => {
  const flow = workflow({ namespace: "shop", name: "vitest", version: "1", input: type<{ n: number }>() });
  const twice = flow.step("twice", (job) => job.input.n * 2);
  expect(await call(twice, { n: 2 })).toBe(4);
  const charged: string[] = [];
  const durable = flow.step("durable", async (job) => {
    const key = await job.once("charge", (key) => { charged.push(key); return key; });
    await job.sleep("3d");
    return key;
  });
  let places = 0;
  await crashEverywhere(() => new Function(durable, { n: 1 }, {}), (_, result) => {
    places++;
    expect(result).toBe(charged.at(-1));
  });
  expect(places).toBeGreaterThan(1);
  expect(new Set(charged).size).toBe(1);
});
