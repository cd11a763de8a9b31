// Tests without a server.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import test from "node:test";

import { uuid5 } from "../src/durable.js";
import { parse, Postgres, stringify, Unavailable } from "../src/index.js";
import { type Pool } from "../src/postgres.js";

test("integers have any number of digits", () => {
  const text = '{"n":123456789012345678901234567890,"m":[-9007199254740993],"s":9007199254740991,"f":0.1234567890123456,"t":"12345678901234567890 \\"1\\\\"}';
  const value = parse(text) as { n: bigint; m: bigint[]; s: number; f: number; t: string };
  assert.equal(value.n, 123456789012345678901234567890n);
  assert.equal(value.m[0], -9007199254740993n);
  assert.equal(value.s, Number.MAX_SAFE_INTEGER);
  assert.equal(value.t, '12345678901234567890 "1\\');
  assert.equal(stringify(value), text);
});

test("long texts are read", () => {
  const text = stringify({ n: 12345678901234567890n, x: "\\\"x".repeat(500_000) });
  assert.equal(stringify(parse(text)), text);
});

test("what JSON does not have is refused", () => {
  for (const value of [NaN, Infinity, () => 1, Symbol("x")]) assert.throws(() => stringify(value), TypeError);
  assert.equal(stringify(undefined), "null");
});

test("keys are UUIDs of version 5", () => {
  assert.equal(uuid5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "python.org"), "886313e1-3b8a-5372-9b90-0c9aee199e5d");
});

/** silent is a pool whose server has vanished: it lends connections over which no answer comes. */
function silent(released: boolean[]): Pool {
  const client = { query: () => new Promise<never>(() => {}), release: (destroy?: boolean) => void released.push(destroy === true) };
  return { connect: async () => client, query: client.query, on: () => {}, options: {} } as unknown as Pool;
}

test("a call over a pool is given up with its connection when nothing answers", async () => {
  const released: boolean[] = [];
  const calls = new Postgres(silent(released));
  await assert.rejects(calls.send("GET", "/v1/tasks/6ba7b810-9dad-11d1-80b4-00c04fd430c8", undefined, 50), Unavailable);
  assert.deepEqual(released, [true]);
});

test("a transaction outlives the loss of its connection between two queries", async () => {
  const released: boolean[] = [];
  const client = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release: (destroy?: boolean) => void released.push(destroy === true) });
  const pool = { connect: async () => client, query: client.query, on: () => {}, options: {} } as unknown as Pool;
  for (const _ of [1, 2]) {
    const transaction = await new Postgres(pool).begin();
    client.emit("error", new Error("read ECONNRESET")); // Without a listener this ends the process.
    await transaction.rollback();
  }
  const own = new Postgres(pool);
  for (const _ of [1, 2, 3]) await (await own.begin()).rollback();
  assert.equal(client.listenerCount("error"), 3, "one for each that has used it");
});
