// docs/tutorial.md
import { existsSync } from "node:fs";

import type pg from "pg";

import { Permanent, type, workflow } from "../../src/index.js";

type Order = { number: number; customer: string; cents: number };

const order = workflow({ namespace: "shop", name: "order_ts", version: "1.0.0", input: type<Order>() });

const reserve = order.step("reserve", (job) => ({ shelf: `shelf ${job.input.number % 10}` }));

export const charge = order.step("charge", { after: reserve, retry: { attempts: 3, base: 0.1 } }, (job) => {
  if (job.input.cents <= 0) throw new Permanent("nothing to pay"); // not tried again
  if (existsSync("bank-is-closed")) throw new Error("the bank is closed"); // tried again, as the step's options say
  return { receipt: `for step ${job.stepUUID}` };
});

const pack = order.step("pack", { after: reserve }, (job, { shelf }) => ({ label: `${job.input.customer}, from ${shelf}` }));

const ship = order.step("ship", { after: { charge, pack } }, (_, { pack }) => "sent to " + pack.label);

export const fulfil = order.returns(ship);

export async function place(client: pg.PoolClient, o: Order) {
  await client.query("begin");
  try {
    const task = await fulfil.start(client, o);
    await client.query("insert into orders_ts values ($1, $2) on conflict do nothing", [o.number, task.uuid]);
    await client.query("commit");
    return task;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
