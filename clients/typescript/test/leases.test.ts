// The options with which the thread of the leases connects: the options of the pool, as far as they pass to the thread.
import assert from "node:assert/strict";
import test from "node:test";

import pg from "pg";

import { Client, Postgres } from "../src/index.js";

test("the thread of the leases connects as the pool does, and with the present password or token", async () => {
  let password = "first";
  const pool = new pg.Pool({ host: "db", password: async () => password, ssl: { ca: "ca", key: "key" }, types: pg.types, onConnect() {} });
  const direct = new Postgres(pool as any);
  const { options } = (await direct.apart()) as { options: Record<string, unknown> };
  assert.deepEqual([options["host"], options["password"], options["ssl"]], ["db", "first", { ca: "ca", key: "key" }]);
  password = "second";
  assert.equal(((await direct.apart()) as any).options.password, "second");
  assert.equal(((await new Postgres(new pg.Pool({ password: "hidden" }) as any).apart()) as any).options.password, "hidden");
  assert.deepEqual(await new Client("http://server/", async () => "t").apart(), { url: "http://server", token: "t" });
});

test("options that no thread can have leave the leases to the event loop", async () => {
  for (const options of [{ stream: () => ({}) as any }, { ssl: { checkServerIdentity: () => undefined } }]) {
    assert.equal(await new Postgres(new pg.Pool(options) as any).apart(), undefined);
  }
});
