// The envelope of encrypted payloads, between languages and over the database of DATABASE_URL.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

import pg from "pg";

import { isSealed, Keys, KeyUnknown, openError, openSealed, seal, sealError } from "../src/codec.js";
import { Encrypted, Job, Permanent, Postgres, Snooze, Worker } from "../src/index.js";

const url = process.env["DATABASE_URL"];
const skip = url ? false : "there is no database";
const quiet = process.env["LOUD"] ? console : { info() {}, warn() {}, error() {} };
const key = Buffer.from("0123456789abcdef0123456789abcdef");
const vectors = fileURLToPath(new URL("../../../../internal/seal/testdata/envelopes.json", import.meta.url));

test("reads what every language writes", { skip: existsSync(vectors) ? false : "the package stands alone" }, () => {
  const keys = new Keys("k1", { k1: key });
  const all = JSON.parse(readFileSync(vectors, "utf8")) as { by: string; plain: unknown; value: any; error: string; sealed_error: string }[];
  assert.deepEqual(all.map((one) => one.by), ["go", "python", "typescript"]);
  for (const one of all) {
    assert.deepEqual(openSealed(keys, one.value), one.plain, one.by);
    assert.equal(openError(keys, one.sealed_error), one.error, one.by);
  }
  assert.equal(new Set(all.map((one) => one.value.pgtasker.hash + one.sealed_error.split("\n")[0])).size, 1, "one context and one error have one hash in every language");
});

test("refuses what was changed or moved", () => {
  const keys = new Keys("k2", { k1: key, k2: Buffer.from(key).reverse(), hash: key });
  const value = seal(keys, "result t a", { card: "4111" }) as any;
  assert.deepEqual(openSealed(new Keys("k1", { k1: key, k2: Buffer.from(key).reverse() }), value), { card: "4111" });
  assert.throws(() => openSealed(new Keys("k1", { k1: key }), value), /key "k2" is unknown/);
  assert.throws(() => openSealed(keys, value, (place) => place === "result t b"), /another place/);
  value.pgtasker.for = "result t b";
  assert.throws(() => openSealed(keys, value), (error) => error instanceof KeyUnknown && /changed or moved/.test(error.message));
  const text = sealError(keys, "error t a", "Error", "no 4111");
  assert.ok(!text.includes("4111"));
  assert.equal(openError(keys, text), "no 4111");
});

test("reads hostile text", () => {
  const keys = new Keys("k1", { k1: key });
  for (const ct of ["", "AAAA", "A".repeat(64), "é", null, 7])
    for (const alg of ["AES-GCM", "", 7])
      for (const kid of ["k1", "k2", null]) {
        const hostile = { pgtasker: { alg, kid, for: "context", ct }, more: [{ pgtasker: "x" }, { pgtasker: null }] };
        try {
          assert.deepEqual(openSealed(keys, hostile), hostile);
        } catch (error) {
          assert.ok(error instanceof KeyUnknown, String(error));
        }
      }
});

test("a worker sees what the database does not", { skip }, async (t) => {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  t.after(() => pool.end());
  const namespace = "ts" + randomUUID().replaceAll("-", "").slice(0, 8);
  const client = new Encrypted(new Postgres(pool), new Keys("k1", { k1: key }));
  const send = <R>(method: string, path: string, body?: unknown): Promise<R> => client.send<R>(method, path, body === undefined ? undefined : JSON.stringify(body), 30_000);
  await send("POST", "/v1/templates", {
    namespace, name: "claim", encrypted: { clear: ["customer"] }, on_failure: "fail", steps: [
      { name: "charge", retry: { max_attempts: 3, base_seconds: 0.01 } }, { name: "ok", await: { signal: "ok" }, dependencies: ["charge"] },
      { name: "last", dependencies: ["ok", "charge"], retry: { max_attempts: 1 } },
    ],
  });
  const { task_uuid: task } = await send<{ task_uuid: string }>("POST", "/v1/tasks", { namespace, name: "claim", context: { customer: 7, card: "zebra" } });
  const other = new Encrypted(new Postgres(pool), new Keys("theirs", { theirs: key }));
  const theirs = JSON.parse(JSON.stringify(await other.send<{ task_uuid: string }>("POST", "/v1/tasks", JSON.stringify({ namespace, name: "claim", context: { card: "other" } }), 30_000)));
  let snoozed = false;
  const handlers = {
    charge: async (job: Job<any>): Promise<unknown> => {
      if (job.lastCheckpoint === null || job.lastCheckpoint === undefined) {
        await job.checkpoint("zebra at half");
        throw new Error(`no ${job.input.card}`);
      }
      if (!snoozed) {
        snoozed = true;
        throw new Snooze("zebra sleeps", 0.05);
      }
      return { receipt: job.lastCheckpoint };
    },
    last: async (job: Job<any>): Promise<unknown> => {
      const { charge, ok } = (await job.parents()) as any;
      throw new Permanent(`ends with ${charge.receipt}, ${ok.payload.by}`);
    },
  };
  const worker = new Worker(client, { namespaces: [namespace], logger: quiet });
  worker.handler("charge", handlers.charge);
  worker.handler("last", handlers.last);
  const running = worker.run();
  await send("POST", `/v1/tasks/${task}/signals`, { name: "ok", payload: { by: "zebra" } });
  for (const one of [task, theirs.task_uuid])
    for (const until = Date.now() + 60_000; Date.now() < until; ) {
      const { complete } = await send<{ complete: boolean }>("GET", `/v1/tasks/${one}`);
      if (complete) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  worker.stop();
  await running;
  const steps = async (of: string): Promise<any[]> => (await send<{ items: any[] }>("GET", `/v1/tasks/${of}/workflow_steps?cursor=0`)).items;
  assert.match((await steps(task)).find((step) => step.name === "last").last_error, /ends with zebra at half, zebra/);
  assert.equal((await steps(task)).find((step) => step.name === "charge").attempts, 2, "one attempt has failed, and the snooze spends none");
  assert.match((await steps(theirs.task_uuid))[0].last_error, /^pgtasker: the payload cannot be decrypted: key "theirs" is unknown/);
  for (const table of ["tasks", "workflow_steps", "step_log", "task_signals"]) {
    const { rows } = await pool.query(`select count(*)::integer as plain from tasker.${table} as t where t::text like '%zebra%'`);
    assert.equal(rows[0].plain, 0, table);
  }
  const { rows } = await pool.query("select context from tasker.tasks where task_uuid = $1", [task]);
  assert.ok(isSealed(rows[0].context));
  assert.equal(rows[0].context.customer, 7);
});
