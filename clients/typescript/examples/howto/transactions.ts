// docs/howto/transactions.md
import type pg from "pg";

import { type, workflow } from "../../src/index.js";

const invoices = workflow({ namespace: "guide", name: "printed_invoices_ts", version: "1.0.0", input: type<{ invoice: number }>() });

const print = invoices.step("print", async (job) => {
  const tx = await job.tx(); // the transaction in which the result of this step is recorded
  await tx.query("insert into prints_ts (step_uuid, invoice) values ($1, $2)", [job.stepUUID, job.input.invoice]);
  return job.input.invoice;
});

export const printed = invoices.returns(print);

export async function book(client: pg.PoolClient, number: number) {
  await client.query("begin");
  try {
    const task = await printed.start(client, { invoice: number });
    await client.query("insert into invoices_ts (number, task_uuid) values ($1, $2)", [number, task.uuid]);
    await client.query("commit");
    return task;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
