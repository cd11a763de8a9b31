// Threads, and tokens of every kind.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { Client, Permanent, Threads } from "../src/index.js";
import type { functions } from "./heavy.js";

test("threads compute, fail and are ended", async () => {
  const threads = new Threads<typeof functions>(new URL("./heavy.js", import.meta.url), { size: 1 });
  assert.deepEqual(await Promise.all([1, 2, 3].map((n) => threads.call("double", n))), [2, 4, 6]);
  await assert.rejects(threads.call("refuse", undefined), Permanent);
  const stop = new AbortController();
  const spinning = threads.call("spin", undefined, stop.signal);
  setImmediate(() => stop.abort(new Error("cancelled")));
  await assert.rejects(spinning, /cancelled/);
  assert.equal(await threads.call("double", 4), 8);
  await threads.close();
});

test("a token is a text, a function or a file, and is replaced while the program runs", async (t) => {
  const seen: (string | undefined)[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(mkdtempSync(join(tmpdir(), "token-")), "token");
  writeFileSync(file, "one\n");
  const over = new Client(url, { file });
  await over.request("GET", "/v1/x");
  writeFileSync(file, "two\n");
  await over.request("GET", "/v1/x");
  await new Client(url, async () => "three").request("GET", "/v1/x");
  await new Client(url, "four").request("GET", "/v1/x");
  assert.deepEqual(seen, ["Bearer one", "Bearer two", "Bearer three", "Bearer four"]);
});
