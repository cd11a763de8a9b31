// What needs no server.
import assert from "node:assert/strict";
import test from "node:test";

import { uuid5 } from "../src/durable.js";
import { parse, stringify } from "../src/index.js";

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
