// The example, over a server: that of TASKER_URL, with an operator's and a worker's token. make test-typescript starts one.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";

import { newWorker, template } from "../examples/orders.js";
import { ApiError, Blocked, Client, Unauthorized, Worker } from "../src/index.js";

const url = process.env["TASKER_URL"];
const quiet = { info() {}, warn() {}, error() {} };

test("over a server", { skip: url ? false : "there is no server" }, async (t) => {
  const operator = new Client(url!, process.env["TASKER_OPERATOR_TOKEN"]!);
  const client = new Client(url!, process.env["TASKER_TOKEN"]!);
  await operator.registerTemplate(template);
  const worker = newWorker(client, { logger: quiet });
  const running = worker.run();

  await t.test("an order is fulfilled", async () => {
    for (const customer of ["ann", "unlucky"]) {
      const identityKey = randomUUID();
      const order = { number: 12, customer, cents: 1200 };
      const placed = await client.createTask("shop", "order", order, { identityKey });
      assert.equal((await client.createTask("shop", "order", order, { identityKey })).created, false);
      const task = await client.waitForTask(placed.task_uuid);
      assert.deepEqual([task.complete, task.state], [true, "complete"]);
      const steps = await client.request<{ items: { name: string; results: unknown }[] }>("GET", `/v1/tasks/${placed.task_uuid}/workflow_steps`);
      assert.deepEqual(steps.items.find((step) => step.name === "ship")?.results, { to: customer, receipt: "R-12", from: "A2" });
    }
  });

  await t.test("what is no order fails for good", async () => {
    for (const order of [{ number: 1, customer: "x", cents: 0 }, { number: "1" }]) {
      const { task_uuid } = await client.createTask("shop", "order", order, { identityKey: randomUUID() });
      await assert.rejects(client.waitForTask(task_uuid, 60), (error) => error instanceof Blocked && error.task.task_uuid === task_uuid);
    }
  });

  await t.test("errors have code and hint", async () => {
    await assert.rejects(client.createTask("shop", "nothing"), (error) => error instanceof ApiError && error.status === 404 && error.code === "TK404");
    const stranger = new Client(url!, "tasker_" + "x".repeat(43));
    await assert.rejects(stranger.getTask(randomUUID()), Unauthorized);
    await assert.rejects(new Worker(stranger, { logger: quiet }).handler("reserve", () => null).run(), Unauthorized);
  });

  worker.stop();
  await running;
});
